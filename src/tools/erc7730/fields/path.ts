import type { AbiType } from "../../../rules/abi/abi-type.ts";
import type { PathType } from "../../../rules/ruleset/compile/paths/fixed-paths.ts";
import { unsupported } from "../descriptor/part.ts";
import type { ActItem } from "../function-text.ts";

/** A value as the rule language reads it. */
export interface CallValue {
  /** With `each`: from one element of that array. */
  path: string;
  /** Every element of it; null: one value. */
  each: string | null;
  type: PathType;
  /** May be missing although the call decodes: an element of a list, or a part of bytes. */
  loose: boolean;
  /** Where an example sets it: `order.hops.*`, `@value`; null: nowhere. */
  slot: string | null;
  /** Of lists in an example. */
  elements: number;
  /** Of byte values in an example. */
  bytes: number;
}

/** How a slice of bytes or of a number is read. */
type View = "address" | "uint";

const charsMax = 200;
/** Elements of a list in an example. */
const elementsMax = 8;
const bytesMax = 512;
const noSuchPath = "a path that the signature does not have";

const always = { loose: false, elements: 0, bytes: 0, each: null };
/** ERC-7730 container paths. */
const ofCall: ReadonlyMap<string, CallValue> = new Map([
  ["@.from", { path: "call.from", type: "address", slot: null, ...always }],
  ["@.to", { path: "call.to", type: "address", slot: null, ...always }],
  ["@.value", { path: "call.value", type: "uint", slot: "@value", ...always }],
]);

/** The signer, and the contract that checks the signature. */
const ofMessage: ReadonlyMap<string, CallValue> = new Map([
  ["@.from", { path: "subject", type: "address", slot: null, ...always }],
  ["@.to", { path: "domain.verifyingContract", type: "address", slot: null, ...always }],
]);

/** ERC-7730 "Path references": `#.params.path.[-1]` is `args.params.path.-1`. Throws UnsupportedError. */
export function locate(path: unknown, item: ActItem, view: View): CallValue {
  if (typeof path !== "string" || path === "" || path.length > charsMax) unsupported("a field without a path");
  const known = (item.kind === "message" ? ofMessage : ofCall).get(path);
  if (known !== undefined) return known;
  if (/^[@$]/.test(path)) unsupported("a path that does not lead into the call");
  const start: Step = { layout: item.inputs, parts: ["args"], ...always };
  let step = segmentsOf(path).reduce((last, segment) => follow(last, segment, view), start);
  // A path to a whole list means each of its elements.
  if (typeof step.layout !== "string" && step.layout.kind === "array") step = follow(step, "[]", view);
  const { layout, parts, ...needs } = step;
  if (typeof layout === "string") return { path: parts.join("."), type: layout, slot: null, ...needs };
  const slot =
    needs.each === null
      ? parts
          .slice(1)
          .map((part) => (/^-?\d/.test(part) ? "*" : part))
          .join(".")
      : null;
  if (view === "address" && (layout.kind === "uint" || layout.kind === "fixed")) {
    const held = addressIn(layout);
    if (held !== undefined)
      return {
        path: [...parts, ...held.view].join("."),
        type: "address",
        slot,
        ...needs,
        loose: needs.loose || held.loose,
      };
  }
  const type = layout.kind === "fixed" ? "bytes" : layout.kind;
  return { path: parts.join("."), type, slot, ...needs };
}

/**
 * Reads an address from a number or fixed bytes; undefined for other types. `loose`: perhaps no address: flags above it, or 32 bytes of
 * another chain.
 */
function addressIn(layout: AbiType): { view: readonly string[]; loose: boolean } | undefined {
  if (layout.kind === "uint")
    return layout.bits < 160
      ? { view: ["address"], loose: true }
      : { view: ["addressAt", String(layout.bits / 8 - 20)], loose: false };
  if (layout.kind !== "fixed") return undefined;
  if (layout.size === 20) return { view: ["addressAt", "0"], loose: false };
  return layout.size === 32 ? { view: ["address"], loose: true } : undefined;
}

/** Equal paths, one spelling: `#.a[0].b` and `a.[0].b`. */
export function plainPath(path: string): string {
  return /^[@$]/.test(path) ? path : segmentsOf(path).join(".");
}

/** A path that starts at the call, its container or the descriptor stays as it is. */
export function joinPath(group: string, path: string): string {
  return group === "" || /^[#@$]/.test(path) ? path : `${group}.${path}`;
}

function segmentsOf(path: string): string[] {
  return path
    .replace(/^#\.?/, "")
    .replace(/(\w)\[/g, "$1.[")
    .split(".");
}

interface Step extends Pick<CallValue, "loose" | "elements" | "bytes" | "each"> {
  /** After a slice or a length it is only a view, and no segment can follow. */
  layout: AbiType | View;
  parts: string[];
}

function follow(step: Step, segment: string, view: View): Step {
  const { layout, parts } = step;
  if (typeof layout === "string") unsupported("a path that goes on behind a slice");
  if (layout.kind === "array") return element(step, layout, segment, view);
  if (layout.kind !== "tuple") return slice(step, layout, segment, view);
  const inner = layout.items[layout.names.indexOf(segment)];
  if (inner === undefined) unsupported(noSuchPath);
  return { ...step, layout: inner, parts: [...parts, segment] };
}

function element(step: Step, layout: AbiType & { kind: "array" }, segment: string, view: View): Step {
  if (segment === "length") return { ...step, layout: "uint", parts: [...step.parts, "length"] };
  // A path to a member of a list means that member of each element.
  if (layout.item.kind === "tuple" && /^[A-Za-z_]/.test(segment))
    return follow(element(step, layout, "[]", view), segment, view);
  if (segment === "[]") {
    if (step.each !== null) unsupported("arrays inside of an array");
    return { ...step, layout: layout.item, parts: ["item"], each: step.parts.join(".") };
  }
  if (/^\[-?\d*:-?\d*\]$/.test(segment)) unsupported("a part of an array");
  const [, text] = /^\[(-?\d{1,4})\]$/.exec(segment) ?? [];
  if (text === undefined) unsupported(noSuchPath);
  const index = Number(text);
  const needed = index < 0 ? -index : index + 1;
  if (needed > elementsMax) unsupported(`an element beyond the ${elementsMax} that an example has`);
  if (layout.length !== null && needed > layout.length) unsupported(noSuchPath);
  const parts = [...step.parts, String(index)];
  const loose = step.loose || layout.length === null;
  return { ...step, layout: layout.item, parts, loose, elements: Math.max(step.elements, needed) };
}

/** Slices a number, fixed bytes or bytes. The end is exclusive; negative positions count from the end. */
function slice(step: Step, layout: AbiType, segment: string, view: View): Step {
  const [, from, to] = /^\[(-?\d{1,3})?:(-?\d{1,3})?\]$/.exec(segment) ?? [];
  if (from === undefined && to === undefined) unsupported(noSuchPath);
  const width = layout.kind === "uint" ? layout.bits / 8 : layout.kind === "fixed" ? layout.size : null;
  if (width === null && layout.kind !== "bytes") unsupported("a slice of a value that has no bytes");
  const place = (text: string) => (width !== null && text.startsWith("-") ? width + Number(text) : Number(text));
  const start = place(from ?? "0");
  const end = to === undefined ? (width ?? 0) : place(to);
  const size = end - start;
  // The length of bytes is not known, so a slice that starts from the end must also end there.
  const crosses = start < 0 && to !== undefined && end >= 0;
  const leaves = width !== null && (start < 0 || end > width);
  if (size < 1 || size > 32 || crosses || leaves || (view === "address" && size !== 20 && size !== 32))
    unsupported("a slice that is not one number or address");
  // In a 32-byte word, the address is at the end.
  const read = view === "address" ? ["addressAt", String(end - 20)] : ["uintAt", String(start), String(size)];
  const bytes = start < 0 ? -start : end;
  if (bytes > bytesMax) unsupported(`bytes beyond the ${bytesMax} that an example has`);
  return { ...step, layout: view, parts: [...step.parts, ...read], loose: step.loose || width === null, bytes };
}
