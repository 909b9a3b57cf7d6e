import type { Address } from "../../kernel/address.ts";
import { readObject } from "../../kernel/canonical.ts";
import { type Hash, type Hex, readHash, readHex, readQuantity } from "../../kernel/hex.ts";
import type { Endpoint } from "../network/rpc/endpoint.ts";
import { isAddress } from "../network/rpc/rpc-objects.ts";

/** Newest block, and the sender after it; wei. */
export interface ChainState {
  number: bigint;
  hash: Hash;
  /** Unix seconds. */
  time: bigint;
  baseFee: bigint;
  gasLimit: bigint;
  miner: Hex;
  prevRandao: Hash;
  nonce: bigint;
  balance: bigint;
  /** Not with a delegation (EIP-7702): it still signs. */
  isContract: boolean;
}

/** First round trip. Never `pending`, in which nodes differ. Undefined: unusable answers. */
export async function readChainState(
  endpoint: Endpoint,
  from: Address,
  signal: AbortSignal,
): Promise<ChainState | undefined> {
  const answers = await endpoint.ask(
    [
      { method: "eth_getBlockByNumber", params: ["latest", false] },
      { method: "eth_getTransactionCount", params: [from, "latest"] },
      { method: "eth_getBalance", params: [from, "latest"] },
      { method: "eth_getCode", params: [from, "latest"] },
    ],
    signal,
  );
  if (typeof answers === "string") return undefined;
  const [head, nonce, balance, code] = answers.map((answer) => (answer.ok ? answer.result : undefined));
  const block = readObject(head);
  const [number, time, baseFee, gasLimit] = [
    block?.number,
    block?.timestamp,
    block?.baseFeePerGas ?? "0x0",
    block?.gasLimit,
  ].map(readQuantity);
  const [hash, prevRandao] = [readHash(block?.hash), readHash(block?.mixHash)];
  const [count, wei, runs] = [readQuantity(nonce), readQuantity(balance), readHex(code)];
  if (number === undefined || time === undefined || baseFee === undefined || gasLimit === undefined) return undefined;
  if (hash === undefined || count === undefined || wei === undefined || runs === undefined) return undefined;
  return {
    ...{ number, hash, time, baseFee, gasLimit, nonce: count, balance: wei },
    miner: isAddress(block?.miner) ? (block.miner as Hex) : "0x0000000000000000000000000000000000000000",
    // Looks just as random.
    prevRandao: prevRandao === undefined || BigInt(prevRandao) === 0n ? hash : prevRandao,
    isContract: runs !== "0x" && !runs.startsWith(delegationPrefix),
  };
}

/** `0xef0100 ‖ address` (EIP-7702). */
const delegationPrefix = "0xef0100";
