import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import type { RpcCall } from "./endpoint.ts";

export interface Read {
  to: Address;
  data: Hex;
}

/** `tag`: hex number or `latest`. */
export function ethCall({ to, data }: Read, tag: string): RpcCall {
  return { method: "eth_call", params: [{ to, data }, tag] };
}

/** Multicall3 `aggregate3`, each may fail alone. */
export function encodeReads(reads: readonly Read[]): Hex {
  const calls = reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  return encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
}

/** null: reverted. Undefined: no answer of Multicall3 to `count` reads. */
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
