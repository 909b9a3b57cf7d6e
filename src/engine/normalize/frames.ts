import { type Address, readAddress } from "../../kernel/address.ts";
import { type Hex, readHex, readQuantity } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import type { RpcFrame, Trace } from "../../model/case-file.ts";
import type { Call, CallKind, Log } from "../../model/transaction.ts";
import { noPrecompiles, type ReadPrecompiles } from "./precompiles.ts";

/** Pre-order; without a trace the transaction's own call. */
export interface Frames {
  calls: Call[];
  traced: boolean;
  /** In order of execution. `ok`: of the frame. */
  emitted: { address: string; call: number; ok: boolean }[];
}

interface OuterCall {
  from: Address;
  to: Address | null;
  value: bigint;
  input: Hex;
  creates: boolean;
  ok: boolean;
}

const kinds: Record<string, CallKind> = {
  CALL: "call",
  DELEGATECALL: "delegatecall",
  STATICCALL: "staticcall",
  CALLCODE: "callcode",
  CREATE: "create",
  CREATE2: "create2",
  SELFDESTRUCT: "selfdestruct",
};

/** Frames beyond the limit are dropped; `truncated`: how many. */
export function flattenTrace(trace: Trace, outer: OuterCall, truncated: string[]): Frames {
  const root: Call = {
    index: 0,
    parent: -1,
    depth: 0,
    kind: outer.creates ? "create" : "call",
    from: outer.from,
    to: outer.to,
    value: outer.value,
    input: outer.input,
    ok: outer.ok,
  };
  const frames: Frames = { calls: [root], traced: false, emitted: [] };
  if (!("root" in trace)) return frames;
  frames.traced = true;
  walk(trace.root, root, frames, truncated);
  return frames;
}

/** With a stack of its own: a deeply nested trace must not overflow the call stack. */
function walk(rootFrame: RpcFrame, root: Call, frames: Frames, truncated: string[]): void {
  const stack: { frame: RpcFrame; call: Call; next: number }[] = [{ frame: rootFrame, call: root, next: 0 }];
  let dropped = 0;
  while (stack.length > 0) {
    const top = stack[stack.length - 1] as (typeof stack)[number];
    emit(top.frame, top.call, top.next, frames);
    const child = top.frame.calls?.[top.next];
    if (child === undefined) {
      stack.pop();
      continue;
    }
    top.next++;
    if (frames.calls.length >= limits.framesMax) dropped++;
    else {
      const call = readFrame(child, top.call, frames.calls.length);
      frames.calls.push(call);
      stack.push({ frame: child, call, next: 0 });
    }
  }
  if (dropped > 0) truncated.push(`${dropped} call frames`);
}

/** Directly before subcall `position`. */
function emit(frame: RpcFrame, call: Call, position: number, frames: Frames): void {
  for (const log of frame.logs ?? []) {
    const at = Number(readQuantity(log.position) ?? 0n);
    if (at === position) frames.emitted.push({ address: log.address.toLowerCase(), call: call.index, ok: call.ok });
  }
}

function readFrame(frame: RpcFrame, parent: Call, index: number): Call {
  const kind = kinds[frame.type.toUpperCase()] ?? "call";
  return {
    index,
    parent: parent.index,
    depth: parent.depth + 1,
    kind,
    from: readAddress(frame.from) ?? parent.from,
    to: readAddress(frame.to) ?? null,
    value: readQuantity(frame.value) ?? 0n,
    input: readHex(frame.input ?? "0x") ?? "0x",
    ok: parent.ok && frame.error === undefined,
  };
}

/**
 * By the tracer's list if it agrees with the receipt, else the only successful frame at the emitter's address. A precompile may log without
 * a frame: a call of it is enough. False: the tree is incomplete, as a log has no possible frame or too few were placed.
 */
export function tieLogs(
  logs: Log[],
  calls: readonly Call[],
  emitted: Frames["emitted"],
  precompiles: ReadPrecompiles = noPrecompiles,
): boolean {
  const standing = emitted.filter((log) => log.ok);
  if (tieInOrder(logs, standing)) return true;
  const isPrecompile = precompiles(logs);
  const frameOf = soleFrames(calls);
  const native = calls.filter(({ ok, to, kind }) => ok && kind !== "staticcall" && to !== null && isPrecompile(to));
  const coded = logs.filter(({ address }) => native.length === 0 || !isPrecompile(address));
  const placed = coded.length < logs.length && tieInOrder(coded, standing);
  let whole = placed || emitted.length === 0 || standing.length >= coded.length;
  for (const log of logs) {
    const isNative = native.length > 0 && isPrecompile(log.address);
    if (placed && !isNative) continue;
    const frame = frameOf.get(log.address) ?? (isNative && native.length === 1 ? native[0]?.index : undefined);
    whole &&= frame !== undefined || isNative;
    log.call = frame ?? -1;
  }
  return whole;
}

/** False, and nothing tied, where the lists differ. */
function tieInOrder(logs: Log[], standing: Frames["emitted"]): boolean {
  if (standing.length !== logs.length || !logs.every((log, i) => standing[i]?.address === log.address)) return false;
  logs.forEach((log, i) => {
    log.call = standing[i]?.call ?? -1;
  });
  return true;
}

/** By address; -1: several. */
function soleFrames(calls: readonly Call[]): Map<string, number> {
  const frameOf = new Map<string, number>();
  for (const call of calls) {
    if (!call.ok || call.to === null || call.kind === "staticcall") continue;
    const runsAt = call.kind === "delegatecall" || call.kind === "callcode" ? call.from : call.to;
    if (runsAt !== call.to) continue;
    frameOf.set(runsAt, frameOf.has(runsAt) ? -1 : call.index);
  }
  return frameOf;
}
