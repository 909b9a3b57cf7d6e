import { randomBytes } from "node:crypto";
import { readRecorded } from "../../../bench/support/recorded.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";

const cases = new Map<string, CaseFile>(readRecorded().map(({ file }) => [file.tx_hash as string, file]));
const blocks = new Map([...cases.values()].map(({ block }) => [Number(block.number), block]));

/** The hashes of the recorded transactions. The clients of a run ask for these. */
export const recordedHashes = [...cases.keys()] as Hash[];

/** A hash that no chain knows. */
export const unknownHash = () => `0x${randomBytes(32).toString("hex")}` as Hash;

export interface RpcCall {
  id: unknown;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a node is asked differs by method.
  params: any[];
}

/** The answer to one call about the recorded transactions. Undefined means that another node must answer. */
export function answerRecorded({ method, params }: RpcCall, token: string): object | undefined {
  const [first] = params;
  if (method === "eth_getTransactionByHash") return recordOf(first, ({ transaction }) => transaction);
  if (method === "eth_getTransactionReceipt")
    return recordOf(first, ({ receipt }) => ({ transactionHash: first, ...receipt }));
  if (method.startsWith("debug_") || method.startsWith("trace_")) return fault(-32601, `no method ${method}`);
  if (method === "eth_getBlockByNumber" && isOld(first)) return { result: blocks.get(Number(first)) ?? null };
  const elsewhere = method === "eth_call" && (String(first?.to).toLowerCase() !== token || isOld(params[1]));
  return elsewhere ? fault(3, "execution reverted") : undefined;
}

function recordOf(hash: unknown, part: (file: CaseFile) => object): object | undefined {
  const file = cases.get(String(hash).toLowerCase());
  if (file === undefined) return undefined;
  const { number, hash: blockHash, timestamp } = file.block;
  return { result: { blockNumber: number, blockHash, blockTimestamp: timestamp, ...part(file) } };
}

/** The test chain begins at block 0; the recorded blocks are those of Base. */
function isOld(tag: unknown): boolean {
  return typeof tag === "string" && Number(tag) > 1_000_000;
}

function fault(code: number, message: string): object {
  return { error: { code, message } };
}
