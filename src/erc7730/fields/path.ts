import type { AbiType } from "../../abi/abi-type.ts";
import type { FunctionItem } from "../../abi/signature.ts";
import { compilePath, type PathType } from "../../ruleset/compile/path.ts";
import { unsupported } from "../descriptor/part.ts";

/** A value of the call, as the rule language reads it. */
export interface CallValue {
  /** Path of the rule language. */
  path: string;
  type: PathType;
  /** The value may be missing although the call decodes: an element of a list, a part of bytes. */
  loose: boolean;
  /** Where an example writes the value: `order.hops.*`, `@value`; null where it cannot be chosen. */
  slot: string | null;
  /** Elements of lists and bytes that an example needs. */
  elements: number;
  bytes: number;
}

/** What the format makes of a part of bytes. */
type View = "address" | "uint";

const charsMax = 200;
/** Elements that an example writes out. */
const elementsMax = 8;
const bytesMax = 256;

const container: Readonly<Record<string, CallValue>> = {
  "@.from": { path: "call.from", type: "address", loose: false, slot: null, elements: 0, bytes: 0 },
  "@.to": { path: "call.to", type: "address", loose: false, slot: null, elements: 0, bytes: 0 },
  "@.value": { path: "call.value", type: "uint", loose: false, slot: "@value", elements: 0, bytes: 0 },
};

/**
 * An ERC-7730 path in the rule language ("Path references"): `#.params.path.[-1]` is `args.params.path.-1`. `view` says what a
 * slice of bytes or of a number is read as. Throws UnsupportedError.
 */
export function locate(path: unknown, item: FunctionItem, view: View): CallValue {
  if (typeof path !== "string" || path === "" || path.length > charsMax) unsupported("a field without a path");
  const known = Object.hasOwn(container, path) ? container[path] : undefined;
  if (known !== undefined) return known;
  if (/^[@$]/.test(path)) unsupported("a path that does not lead into the call");
  const start: Step = { layout: item.inputs, parts: ["args"], slot: [], loose: false, elements: 0, bytes: 0 };
  const end = segmentsOf(path).reduce<Step>((step, segment) => follow(step, segment, view), start);
  const casts = view === "address" && (end.layout?.kind === "uint" || isWord(end.layout));
  const parts = casts ? [...end.parts, "address"] : end.parts;
  return {
    path: parts.join("."),
    type: typeOf(parts.join("."), item),
    loose: end.loose || casts,
    slot: end.layout === null ? null : end.slot.join("."),
    elements: end.elements,
    bytes: end.bytes,
  };
}

/** One spelling for equal paths: `#.a[0].b` and `a.[0].b` are one. */
export function plainPath(path: string): string {
  return /^[@$]/.test(path) ? path : segmentsOf(path).join(".");
}

function segmentsOf(path: string): string[] {
  return path
    .replace(/^#\.?/, "")
    .replace(/(\w)\[/g, "$1.[")
    .split(".");
}

interface Step {
  /** Null behind a slice, where nothing can follow. */
  layout: AbiType | null;
  parts: string[];
  slot: string[];
  loose: boolean;
  elements: number;
  bytes: number;
}

function follow(step: Step, segment: string, view: View): Step {
  const { layout } = step;
  if (layout === null) unsupported("a path that goes on behind a slice");
  if (layout.kind === "tuple") return member(step, layout, segment);
  if (layout.kind === "array") return element(step, layout, segment);
  return slice(step, layout, segment, view);
}

function member(step: Step, layout: AbiType & { kind: "tuple" }, name: string): Step {
  const inner = layout.items[layout.names.indexOf(name)];
  if (inner === undefined) unsupported("a path that the signature does not have");
  return { ...step, layout: inner, parts: [...step.parts, name], slot: [...step.slot, name] };
}

function element(step: Step, layout: AbiType & { kind: "array" }, segment: string): Step {
  if (segment === "length") return { ...step, layout: null, parts: [...step.parts, "length"] };
  if (segment === "[]") unsupported("every element of an array");
  if (/^\[-?\d*:-?\d*\]$/.test(segment)) unsupported("a part of an array");
  const [, text] = /^\[(-?\d{1,4})\]$/.exec(segment) ?? [];
  if (text === undefined) unsupported("a path that the signature does not have");
  const index = Number(text);
  const needed = index < 0 ? -index : index + 1;
  if (needed > elementsMax) unsupported(`an element beyond the ${elementsMax} that an example has`);
  if (layout.length !== null && needed > layout.length) unsupported("a path that the signature does not have");
  return {
    ...step,
    layout: layout.item,
    parts: [...step.parts, String(index)],
    slot: [...step.slot, "*"],
    loose: step.loose || layout.length === null,
    elements: Math.max(step.elements, needed),
  };
}

/** Bytes of a number, a word or bytes: the end is exclusive, negative places count from the end. */
function slice(step: Step, layout: AbiType, segment: string, view: View): Step {
  const [, from, to] = /^\[(-?\d{1,3})?:(-?\d{1,3})?\]$/.exec(segment) ?? [];
  if (from === undefined && to === undefined) unsupported("a path that the signature does not have");
  const width = layout.kind === "uint" ? layout.bits / 8 : layout.kind === "fixed" ? layout.size : null;
  if (width === null && layout.kind !== "bytes") unsupported("a slice of a value that has no bytes");
  const place = (text: string) => (width !== null && text.startsWith("-") ? width + Number(text) : Number(text));
  const start = place(from ?? "0");
  const end = to === undefined ? (width ?? (start < 0 ? 0 : null)) : place(to);
  const bare = to !== undefined && Number(to) === 0;
  const size = end === null || bare || (start < 0 && end > 0) || (start >= 0 && end < 0) ? 0 : end - start;
  if (size < 1 || size > 32 || (width !== null && (start < 0 || start + size > width)))
    unsupported("a slice that is not one number or address");
  if (view === "address" && size !== 20) unsupported("a slice that is not one number or address");
  const read = view === "address" ? ["addressAt", String(start)] : ["uintAt", String(start), String(size)];
  const bytes = Math.max(step.bytes, start < 0 ? -start : start + size);
  if (bytes > bytesMax) unsupported(`bytes beyond the ${bytesMax} that an example has`);
  return { ...step, layout: null, parts: [...step.parts, ...read], loose: step.loose || width === null, bytes };
}

function isWord(layout: AbiType | null): boolean {
  return layout?.kind === "fixed" && layout.size === 32;
}

function typeOf(path: string, item: FunctionItem): PathType {
  const scope = { args: item.inputs, input: null, item: null, legs: [], anchor: "call" as const, contracts: new Map() };
  try {
    return compilePath(path, scope).type;
  } catch {
    unsupported("a path that the signature does not have");
  }
}
