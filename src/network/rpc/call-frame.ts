import { readQuantity } from "../../kernel/hex.ts";
import type { RpcFrame } from "../../model/case-file.ts";
import { type JsonObject, readObject } from "../http/json-object.ts";
import { isAddress, isHashList, isHex, quantityHex } from "./rpc-objects.ts";

/** Calls nest at most 1024 deep (EIP-150); a few more are let through, a hostile endpoint's endless nesting is not. */
export const frameDepthMax = 1_100;

/**
 * Keeps of a callTracer answer what the decoder reads. undefined when it is no call tree, or not the tree of a transaction
 * from `sender`.
 */
export function readCallFrame(value: unknown, sender: string): RpcFrame | undefined {
  const root = readFrame(value, 0);
  return root !== undefined && root.from.toLowerCase() === sender.toLowerCase() ? root : undefined;
}

function readFrame(value: unknown, depth: number): RpcFrame | undefined {
  const source = readObject(value);
  if (source === undefined || depth > frameDepthMax) return undefined;
  if (typeof source.type !== "string" || !isAddress(source.from)) return undefined;
  const frame: RpcFrame = { type: source.type, from: source.from };
  if (isAddress(source.to)) frame.to = source.to;
  const amount = readQuantity(source.value);
  if (amount !== undefined) frame.value = quantityHex(amount);
  for (const key of ["input", "output"] as const) if (isHex(source[key])) frame[key] = source[key];
  for (const key of ["error", "revertReason"] as const) if (typeof source[key] === "string") frame[key] = source[key];
  const logs = readFrameLogs(source);
  if (logs.length > 0) frame.logs = logs;
  if (!Array.isArray(source.calls) || source.calls.length === 0) return frame;
  const calls = source.calls.map((call) => readFrame(call, depth + 1));
  if (!calls.every((call) => call !== undefined)) return undefined;
  frame.calls = calls;
  return frame;
}

type FrameLog = NonNullable<RpcFrame["logs"]>[number];

function readFrameLogs(source: JsonObject): FrameLog[] {
  if (!Array.isArray(source.logs)) return [];
  return source.logs.flatMap((value) => {
    const log = readObject(value);
    if (log === undefined || !isAddress(log.address) || !isHashList(log.topics)) return [];
    const kept: FrameLog = { address: log.address, topics: log.topics, data: isHex(log.data) ? log.data : "0x" };
    if (typeof log.index === "string") kept.index = log.index;
    if (typeof log.position === "string") kept.position = log.position;
    return [kept];
  });
}
