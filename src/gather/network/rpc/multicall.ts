import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import type { RpcCall } from "./endpoint.ts";

export interface Read {
  to: Address;
  data: Hex;
}

/** An `eth_call` at a block: its number in hex, or `latest`. */
export function ethCall({ to, data }: Read, tag: string): RpcCall {
  return { method: "eth_call", params: [{ to, data }, tag] };
}

/** Calldata of Multicall3's `aggregate3`, with each read allowed to fail alone. */
export function encodeReads(reads: readonly Read[]): Hex {
  const calls = reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  return encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
}

/** Decodes the answer: return data of each read, null where it reverted. Undefined when it is no answer of Multicall3 to `count` reads. */
export function decodeReads(answer: unknown, count: number): (Hex | null)[] | undefined {
  const data = readHex(answer);
  if (data === undefined || data === "0x") return undefined;
  try {
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data });
    if (results.length !== count) return undefined;
    return results.map(({ success, returnData }) => (success ? returnData : null));
  } catch {
    return undefined;
  }
}
