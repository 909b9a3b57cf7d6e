import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import type { RpcFrame } from "../../../model/case-file.ts";
import { type FieldTests, isAddress, isHex, isText, logFields, pick, quantityHex, readRpcLog } from "./rpc-objects.ts";

/** The EVM allows 1024; a hostile endpoint may nest endlessly. */
export const frameDepthMax = 1_100;

/** callTracer, fields in use. Undefined: no call tree, or not from `sender`. */
export function readCallFrame(value: unknown, sender: string): RpcFrame | undefined {
  const root = readFrame(value, 0);
  return root !== undefined && root.from.toLowerCase() === sender.toLowerCase() ? root : undefined;
}

/** `trace_transaction` (OpenEthereum): flat, `traceAddress` is the path. Undefined: an item is missing or malformed. */
export function buildCallTree(value: unknown, sender: string): RpcFrame | undefined {
  const frames = new Map<string, JsonObject & { calls: JsonObject[] }>();
  for (const { address, source } of sortByAddress(value) ?? []) {
    const frame = { ...readAction(source), calls: [] };
    const path = address.join(".");
    const siblings = frames.get(address.slice(0, -1).join("."))?.calls;
    if (frames.has(path)) return undefined;
    // Parent or earlier sibling is missing.
    if (address.length > 0 && (siblings?.push(frame) ?? 0) - 1 !== address.at(-1)) return undefined;
    frames.set(path, frame);
  }
  return readCallFrame(frames.get(""), sender);
}

const frameFields: FieldTests<RpcFrame> = {
  ...{ type: isText, from: isAddress, to: isAddress, input: isHex, output: isHex },
  ...{ error: isText, revertReason: isText },
};

type FrameLog = NonNullable<RpcFrame["logs"]>[number];
const frameLogFields: FieldTests<FrameLog> = { ...logFields, index: isText, position: isText };

function readFrame(value: unknown, depth: number): RpcFrame | undefined {
  const source = readObject(value);
  if (source === undefined || depth > frameDepthMax) return undefined;
  const frame = pick<RpcFrame>(source, frameFields) as RpcFrame;
  if (frame.type === undefined || frame.from === undefined) return undefined;
  const amount = readQuantity(source.value);
  if (amount !== undefined) frame.value = quantityHex(amount);
  const logs = listIn(source.logs).flatMap((value) => {
    const log = readObject(value) ?? {};
    return readRpcLog({ ...log, data: isHex(log.data) ? log.data : "0x" }, frameLogFields) ?? [];
  });
  if (logs.length > 0) frame.logs = logs;
  const calls = listIn(source.calls).map((call) => readFrame(call, depth + 1));
  if (!calls.every((call) => call !== undefined)) return undefined;
  if (calls.length > 0) frame.calls = calls;
  return frame;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parents first, siblings in order; undefined: no usable path. */
function sortByAddress(items: unknown): { address: number[]; source: JsonObject }[] | undefined {
  const read = listIn(items).map((value) => {
    const source = readObject(value);
    const address = source?.traceAddress;
    if (source === undefined || !Array.isArray(address) || address.length > frameDepthMax) return undefined;
    return address.every((step) => Number.isSafeInteger(step) && step >= 0) ? { address, source } : undefined;
  });
  if (!read.every((item) => item !== undefined)) return undefined;
  return read.sort((a, b) => a.address.length - b.address.length || (a.address.at(-1) ?? 0) - (b.address.at(-1) ?? 0));
}

/** callTracer's form; values unchecked. */
function readAction({ type, action: asked, result: given, error: said }: JsonObject): JsonObject {
  const action = readObject(asked) ?? {};
  const result = readObject(given) ?? {};
  const { from, to, value, input, init, callType, creationMethod } = action;
  const error = said === "Reverted" ? "execution reverted" : said || undefined;
  if (type === "call") {
    const kind = isText(callType) ? callType.toUpperCase() : "CALL";
    return { type: kind, from, to, value, input, output: result.output, error };
  }
  if (type === "create") {
    const kind = creationMethod === "create2" ? "CREATE2" : "CREATE";
    return { type: kind, from, to: result.address, value, input: init, output: result.code, error };
  }
  const { address, refundAddress, balance } = action;
  const isEnd = type === "suicide" || type === "selfdestruct";
  return isEnd ? { type: "SELFDESTRUCT", from: address, to: refundAddress, value: balance, error } : {};
}
