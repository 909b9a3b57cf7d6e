import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from "viem";
import type { Address } from "../../kernel/address.ts";
import { type Hex, readHex } from "../../kernel/hex.ts";
import type { RpcCall } from "./endpoint.ts";

export interface Read {
  to: Address;
  data: Hex;
}

export function ethCall({ to, data }: Read, tag: string): RpcCall {
  return { method: "eth_call", params: [{ to, data }, tag] };
}

/** Calldata of Multicall3 `aggregate3` in which each read may fail alone. */
export function encodeReads(reads: readonly Read[]): Hex {
  const calls = reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  return encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
}

/** Return data per read, null where the read reverted. undefined when the answer is not one of Multicall3 for so many reads. */
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
