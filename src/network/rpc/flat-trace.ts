import { readQuantity } from "../../kernel/hex.ts";
import type { RpcFrame } from "../../model/case-file.ts";
import { type JsonObject, readObject } from "../http/json-object.ts";
import { frameDepthMax } from "./call-frame.ts";
import { isAddress, isHex, quantityHex } from "./rpc-objects.ts";

/**
 * Builds the call tree out of a `trace_transaction` answer: a flat list whose `traceAddress` is the path from the root
 * (OpenEthereum's trace module). undefined when a piece is missing or is not what it should be.
 */
export function buildCallTree(value: unknown, sender: string): RpcFrame | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const frames = new Map<string, RpcFrame>();
  for (const item of sortByAddress(value) ?? []) {
    const frame = readFrame(item.source);
    if (frame === undefined) return undefined;
    const path = item.address.join(".");
    if (frames.has(path) || !attach(frame, item.address, frames)) return undefined;
    frames.set(path, frame);
  }
  const root = frames.get("");
  return root !== undefined && root.from.toLowerCase() === sender.toLowerCase() ? root : undefined;
}

/** Puts a frame under its parent. False when the parent, or a sibling before it, is missing. */
function attach(frame: RpcFrame, address: readonly number[], frames: ReadonlyMap<string, RpcFrame>): boolean {
  if (address.length === 0) return true;
  const parent = frames.get(address.slice(0, -1).join("."));
  if (parent === undefined) return false;
  parent.calls ??= [];
  return parent.calls.push(frame) - 1 === address.at(-1);
}

interface FlatItem {
  address: number[];
  source: JsonObject;
}

/** Parents before children, siblings in order. undefined when an item has no usable path */
function sortByAddress(items: readonly unknown[]): FlatItem[] | undefined {
  const read: FlatItem[] = [];
  for (const value of items) {
    const source = readObject(value);
    const address = source?.traceAddress;
    if (source === undefined || !Array.isArray(address) || address.length > frameDepthMax) return undefined;
    if (!address.every((step) => Number.isSafeInteger(step) && step >= 0)) return undefined;
    read.push({ address, source });
  }
  return read.sort((a, b) => compareAddresses(a.address, b.address));
}

function compareAddresses(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function readFrame(source: JsonObject): RpcFrame | undefined {
  const action = readObject(source.action);
  if (action === undefined) return undefined;
  const result = readObject(source.result) ?? {};
  const frame = readAction(source.type, action, result);
  if (frame === undefined) return undefined;
  const { error } = source;
  if (typeof error === "string" && error !== "") frame.error = error === "Reverted" ? "execution reverted" : error;
  return frame;
}

/** The frame without its outcome, in callTracer's words. */
function readAction(type: unknown, action: JsonObject, result: JsonObject): RpcFrame | undefined {
  const { from, value } = action;
  if (type === "call" && isAddress(from)) {
    const kind = typeof action.callType === "string" ? action.callType.toUpperCase() : "CALL";
    return makeFrame(kind, from, { to: action.to, value, input: action.input, output: result.output });
  }
  if (type === "create" && isAddress(from)) {
    const kind = action.creationMethod === "create2" ? "CREATE2" : "CREATE";
    return makeFrame(kind, from, { to: result.address, value, input: action.init, output: result.code });
  }
  if ((type === "suicide" || type === "selfdestruct") && isAddress(action.address)) {
    return makeFrame("SELFDESTRUCT", action.address, { to: action.refundAddress, value: action.balance });
  }
  return undefined;
}

function makeFrame(type: string, from: string, fields: Record<string, unknown>): RpcFrame {
  const frame: RpcFrame = { type, from };
  const value = readQuantity(fields.value);
  if (isAddress(fields.to)) frame.to = fields.to;
  if (value !== undefined) frame.value = quantityHex(value);
  if (isHex(fields.input)) frame.input = fields.input;
  if (isHex(fields.output)) frame.output = fields.output;
  return frame;
}
