import { decodeFunctionResult, encodeFunctionData, multicall3Abi, parseAbi } from "viem";
import { type Address, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { parseDecimal } from "../../../src/kernel/amount.ts";
import type { Hash, Hex } from "../../../src/kernel/hex.ts";
import type { BalanceChange } from "../../../src/model/told/account-view.ts";
import { at, type PreviewWorld } from "./preview-world.ts";

/** The comparison of a view with the node, for one account and one asset. */
export interface BalanceVerdict {
  account: Address;
  asset: string;
  /** The change in the view, in base units; 0 if the view does not list the asset. */
  told: bigint;
  /** The change at the node: balance after − balance before, without the gas that the account paid. */
  real: bigint;
  /** Of the view; null where it does not list the asset. */
  check: BalanceChange["balance_check"] | null;
}

const abi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function balanceOf(address owner, uint256 id) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
]);
const decimals: Readonly<Record<string, number>> = { [at.weth]: 18, ether: 18 };

interface Asset {
  key: string;
  token: Address | null;
  id: bigint | null;
  standard: BalanceChange["standard"];
}

/** Compares the views of all accounts that took part in a mined transaction with the node's balances before and after the block. */
export async function compareBalances(world: PreviewWorld, hash: Hash): Promise<BalanceVerdict[]> {
  const { explanation } = await world.explainer.explain(hash);
  const receipt = await world.control.getTransactionReceipt({ hash });
  const assets = new Map<string, Asset>([["ether", { key: "ether", token: null, id: null, standard: "native" }]]);
  const accounts = new Set<Address>([toAddress(receipt.from)]);
  for (const { from, to, token_address, token_id, standard } of explanation.assets_moved) {
    for (const one of [from, to]) accounts.add(toAddress(one));
    const token = token_address === null ? null : toAddress(token_address);
    const id = token_id === undefined ? null : BigInt(token_id);
    const key = token === null ? "ether" : id === null ? token : `${token} ${id}`;
    assets.set(key, { key, token, id, standard });
  }
  accounts.delete(zeroAddress);
  const pairs = [...accounts].flatMap((account) => [...assets.values()].map((asset) => ({ account, asset })));
  const [before, after] = await Promise.all(
    [receipt.blockNumber - 1n, receipt.blockNumber].map((block) => readAll(world, pairs, block)),
  );
  const views = new Map(
    await Promise.all(
      [...accounts].map(async (account) => [account, (await world.viewer.view({ hash, account })).view] as const),
    ),
  );
  return pairs.map(({ account, asset: { key } }, i) => {
    const gas =
      key === "ether" && toAddress(receipt.from) === account ? receipt.gasUsed * receipt.effectiveGasPrice : 0n;
    const change = views.get(account)?.balance_changes.find((one) => keyOf(one) === key);
    return {
      ...{ account, asset: key, check: change?.balance_check ?? null },
      told: change === undefined ? 0n : unitsOf(change.delta, key),
      real: (after?.[i] ?? 0n) - (before?.[i] ?? 0n) + gas,
    };
  });
}

function keyOf({ token_address, token_id }: BalanceChange): string {
  if (token_address === null) return "ether";
  return token_id === undefined ? toAddress(token_address) : `${toAddress(token_address)} ${token_id}`;
}

/** The other tokens of this world have six decimal places. */
function unitsOf(delta: string, key: string): bigint {
  const size = parseDecimal(delta.replace("-", ""), key.includes(" ") ? 0 : (decimals[key] ?? 6)) as bigint;
  return delta.startsWith("-") ? -size : size;
}

async function readAll(
  { control }: PreviewWorld,
  pairs: readonly { account: Address; asset: Asset }[],
  blockNumber: bigint,
): Promise<bigint[]> {
  const calls = pairs.map((pair) => ({ allowFailure: true, ...readOf(pair) }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
  const { data: returned = "0x" } = await control.call({ to: at.reader, data, blockNumber });
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returned });
  return pairs.map(({ account, asset: { standard } }, i) => {
    const word = BigInt(results[i]?.returnData ?? "0x0");
    return standard === "erc721" ? (word === BigInt(account) ? 1n : 0n) : word;
  });
}

function readOf({ account, asset: { token, id, standard } }: { account: Address; asset: Asset }) {
  const target = token ?? at.reader;
  const callData: Hex =
    token === null
      ? encodeFunctionData({ abi: multicall3Abi, functionName: "getEthBalance", args: [account] })
      : standard === "erc721"
        ? encodeFunctionData({ abi, functionName: "ownerOf", args: [id ?? 0n] })
        : standard === "erc1155"
          ? encodeFunctionData({ abi, functionName: "balanceOf", args: [account, id ?? 0n] })
          : encodeFunctionData({ abi, functionName: "balanceOf", args: [account] });
  return { target, callData };
}
