import type { Address } from "../kernel/address.ts";
import { readObject } from "../kernel/canonical.ts";
import { type Hash, type Hex, readHash, readHex, readQuantity } from "../kernel/hex.ts";
import type { Endpoint } from "../network/rpc/endpoint.ts";
import { isAddress } from "../network/rpc/rpc-objects.ts";

/** Where a simulation stands: the newest block, and the sender after it. */
export interface Ground {
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
  /** Whether the sender runs code of its own. A delegation (EIP-7702) leaves it an account that signs. */
  isContract: boolean;
}

/** First round trip. Never of `pending`: what is to come differs from machine to machine. undefined: no use. */
export async function readGround(endpoint: Endpoint, from: Address, signal: AbortSignal): Promise<Ground | undefined> {
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
    // A block without one has a hash that looks alike.
    prevRandao: prevRandao === undefined || BigInt(prevRandao) === 0n ? hash : prevRandao,
    isContract: runs !== "0x" && !runs.startsWith(delegationPrefix),
  };
}

/** EIP-7702: `0xef0100 ‖ address`. */
const delegationPrefix = "0xef0100";
