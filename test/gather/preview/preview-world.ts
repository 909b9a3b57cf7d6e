import { readFileSync } from "node:fs";
import { encodeAbiParameters, encodeFunctionData, keccak256, numberToHex, parseAbi, parseEther } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { openEngine } from "../../../src/engine/engine.ts";
import { createExplainer } from "../../../src/gather/explain/explain.ts";
import { createViewer } from "../../../src/gather/explain/viewer.ts";
import { fetchTransaction } from "../../../src/gather/fetch/fetch.ts";
import { openLookup } from "../../../src/gather/lookup/lookup.ts";
import { openViewLookup } from "../../../src/gather/lookup/view/view-lookup.ts";
import { openNetwork } from "../../../src/gather/network/network.ts";
import type { RpcAnswer } from "../../../src/gather/network/rpc/endpoint.ts";
import { createPreviewer, type Previewer } from "../../../src/gather/preview/preview.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { Hash, Hex } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { startChain } from "../../support/anvil.ts";
import { root } from "../../support/shared.ts";

const codeIn = (name: string) => JSON.parse(readFileSync(new URL(`contracts/${name}`, import.meta.url), "utf8"));
const code: Record<string, { creation: Hex; runtime: Hex }> = {
  ...codeIn("contracts.json"),
  ...codeIn("balances.json"),
};

/**
 * The addresses of the contracts of contracts/world.sol and balances.sol. Contracts that the shipped rules know are at their real
 * addresses.
 */
export const at = {
  usdc: toAddress("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"),
  weth: toAddress("0x4200000000000000000000000000000000000006"),
  multicall3: toAddress("0xca11bde05977b3631167028862be2a173976ca11"),
  router: toAddress("0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24"),
  pool: toAddress("0x1111111111111111111111111111111111111111"),
  permit2: toAddress("0x000000000022d473030f116ddee9f6b43ac78ba3"),
  entryPoint: toAddress("0x0000000071727de22e5e9d8baf0edac6f37da032"),
  disperse: toAddress("0xd152f549545093347a162dce210e7293f1452150"),
  oracle: toAddress("0x420000000000000000000000000000000000000f"),
  token: toAddress(`0x${"70".repeat(20)}`),
  vault: toAddress(`0x${"5a".repeat(20)}`),
  nft: toAddress(`0x${"cf".repeat(20)}`),
  multi: toAddress(`0x${"cd".repeat(20)}`),
  safe: toAddress(`0x${"5f".repeat(20)}`),
  account: toAddress(`0x${"ac".repeat(20)}`),
  otherAccount: toAddress(`0x${"ad".repeat(20)}`),
  delegate: toAddress(`0x${"de".repeat(20)}`),
  misc: toAddress(`0x${"e5".repeat(20)}`),
  evader: toAddress(`0x${"ef".repeat(20)}`),
  proxy: toAddress(`0x${"9a".repeat(20)}`),
  feeToken: toAddress(`0x${"fe".repeat(20)}`),
  rebasing: toAddress(`0x${"4e".repeat(20)}`),
  reader: toAddress(`0x${"3c".repeat(20)}`),
} as const;

const planted: Record<keyof typeof at, string> = {
  ...{ usdc: "Token", weth: "WETH9", multicall3: "Multicall3", router: "Router", pool: "Pool", permit2: "Permit2" },
  ...{ entryPoint: "EntryPoint", disperse: "Disperse", oracle: "GasPriceOracle", token: "Token", vault: "Vault" },
  ...{ nft: "Nft", multi: "HeldMulti", safe: "Safe", account: "Account", otherAccount: "Account", delegate: "Account" },
  ...{ misc: "Misc", evader: "Evader", proxy: "Proxy" },
  ...{ feeToken: "FeeToken", rebasing: "RebasingToken", reader: "Reader" },
};

export const creationOf = (name: string): Hex => code[name]?.creation as Hex;

const people = (["a1", "b2", "c3"] as const).map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`));
const [alice, bob, carol] = people as [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount];
export const who = { alice: toAddress(alice.address), bob: toAddress(bob.address), carol: toAddress(carol.address) };

export function call(signature: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: parseAbi([signature]), args } as never);
}

export const engine = openEngine({ rulesDir: `${root}/rules`, labelsDir: `${root}/labels` });

/** A previewer over a node as it is. */
export function previewerOver(url: string): Previewer {
  const network = openNetwork({ chainId: 8453, rpcUrls: [url], callTimeoutMs: 10_000, blockscoutUrl: null });
  const lookUp = openLookup({ network, multicall: at.multicall3, price: null, lookUpRisk: null, clock: Date });
  const stages = { plan: (draft: CaseFile) => engine.planLookups(draft), lookUp, decide: engine.decide };
  const previewer = createPreviewer({
    pool: network.pool,
    stages,
    l1FeeOracle: null,
    calendar: engine.labels.calendar,
    deadlineMs: 30_000,
  });
  return {
    ...previewer,
    close() {
      previewer.close();
      network.close();
    },
  };
}

/** A node with the contracts on it, and an explainer and a previewer over it. */
export async function startPreviewWorld() {
  const chain = await startChain();
  const { control, url } = chain;
  for (const [name, contract] of Object.entries(planted))
    await control.setCode({ address: at[name as keyof typeof at], bytecode: code[contract]?.runtime as Hex });
  for (const [name, ether] of [
    ["weth", 1000],
    ["evader", 50],
    ["account", 20],
    ["otherAccount", 20],
    ["safe", 20],
    ["entryPoint", 5],
  ] as const)
    await control.setBalance({ address: at[name], value: parseEther(String(ether)) });
  for (const { address } of people) await control.setBalance({ address, value: parseEther("100") });
  await setStorage(at.proxy, "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", BigInt(at.misc));
  await setStorage(at.weth, slotOf(at.pool), parseEther("500"));
  await control.setCoinbase({ address: "0x4200000000000000000000000000000000000011" });

  async function setStorage(address: Address, index: Hex, value: bigint): Promise<void> {
    await control.setStorageAt({ address, index, value: numberToHex(value, { size: 32 }) });
  }

  /** Balances are in the first slot of the wrapped ether contract. */
  function slotOf(owner: Address): Hex {
    return keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [owner, 0n]));
  }

  /** Sends from any account without a signature, and waits for the block. */
  async function send(tx: {
    from: Address;
    to: Address | null;
    data?: Hex;
    value?: bigint;
    gas?: bigint;
    delegate?: Address;
  }): Promise<Hash> {
    const { from, to, data, value = 0n, gas = 5_000_000n, delegate } = tx;
    if (delegate !== undefined) return sendWithDelegate(tx, delegate);
    await control.impersonateAccount({ address: from });
    const hash = await control.request({
      method: "eth_sendTransaction",
      params: [
        {
          from,
          ...(to === null ? {} : { to }),
          ...(data === undefined ? {} : { data }),
          value: numberToHex(value),
          gas: numberToHex(gas),
        },
      ],
    } as never);
    await control.waitForTransactionReceipt({ hash: hash as Hex, pollingInterval: 10 });
    return hash as Hash;
  }

  async function sendWithDelegate(
    { from, to, data, value = 0n }: Parameters<typeof send>[0],
    delegate: Address,
  ): Promise<Hash> {
    const account = people.find(({ address }) => toAddress(address) === from) as PrivateKeyAccount;
    const nonce = await control.getTransactionCount({ address: from });
    const authorization = await account.signAuthorization({
      contractAddress: delegate,
      chainId: 8453,
      nonce: nonce + 1,
    });
    await control.stopImpersonatingAccount({ address: from });
    const raw = await account.signTransaction({
      chainId: 8453,
      type: "eip7702",
      authorizationList: [authorization],
      ...{
        nonce,
        to,
        value,
        gas: 5_000_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
        ...(data && { data }),
      },
    });
    const hash = await control.sendRawTransaction({ serializedTransaction: raw });
    await control.waitForTransactionReceipt({ hash, pollingInterval: 10 });
    return hash as Hash;
  }

  const clock = { time: Date.now() };
  const network = openNetwork({ chainId: 8453, rpcUrls: [url], callTimeoutMs: 10_000, blockscoutUrl: null });
  const { pool } = network;
  let [trips, waiting] = [0, 0];
  for (const endpoint of pool.endpoints) {
    const ask = endpoint.ask.bind(endpoint);
    endpoint.ask = async (...asked) => {
      if (waiting++ === 0) trips++;
      const answers = await ask(...asked).finally(() => waiting--);
      return typeof answers === "string" ? answers : answers.map(withL1Fee);
    };
  }
  const lookUp = openLookup({ network, multicall: at.multicall3, price: null, lookUpRisk: null, clock: Date });
  const stages = { plan: engine.planLookups, lookUp, decide: engine.decide };
  const previewer = createPreviewer({
    pool,
    stages: { ...stages, plan: (draft) => engine.planLookups(draft) },
    l1FeeOracle: at.oracle,
    calendar: engine.labels.calendar,
    clock: { now: () => clock.time },
    deadlineMs: 30_000,
  });
  const explainer = createExplainer({
    stages: {
      ...stages,
      plan: (draft) => engine.planLookups(draft),
      fetch: (hash, signal) => fetchTransaction(hash, { chainId: 8453, pool, signal }),
    },
    recordings: null,
    cacheBytes: 10_000_000,
    deadlineMs: 30_000,
  });
  const lookUpView = openViewLookup({ network, multicall: at.reader, feedOf: () => undefined, deadlineMs: 10_000 });
  const viewer = createViewer({ explainer, decide: engine.decide, lookUp: lookUpView, cacheBytes: 10_000_000 });
  return {
    ...chain,
    send,
    previewer,
    explainer,
    viewer,
    network,
    stages,
    clock,
    /** The number of requests to the node. Batches at the same time count as one. */
    trips: () => trips,
    async stop() {
      previewer.close();
      explainer.close();
      network.close();
      await chain.stop();
    },
  };
}

/** This node is not a layer 2, so its receipts do not give the cost of data on Ethereum. */
function withL1Fee(answer: RpcAnswer): RpcAnswer {
  if (!answer.ok || answer.result === null || typeof answer.result !== "object") return answer;
  return "cumulativeGasUsed" in answer.result ? { ...answer, result: { ...answer.result, l1Fee: "0x0" } } : answer;
}

export type PreviewWorld = Awaited<ReturnType<typeof startPreviewWorld>>;
