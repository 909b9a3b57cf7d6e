import type { Value } from "../../abi/abi-type.ts";
import { readAddress, zeroAddress } from "../../kernel/address.ts";
import { type ConstantScope, isOwnPath, resolve } from "../descriptor/constant.ts";
import { isObject } from "../descriptor/json.ts";
import { type Part, unsupported } from "../descriptor/part.ts";
import type { Field } from "./field-list.ts";
import { type CallValue, locate } from "./path.ts";
import type { CaptureScope } from "./value.ts";

/** What must hold of one value of a call, and values that an example may try. */
export interface Condition {
  slot: string | null;
  /** Elements that lists need so that the value is there. */
  elements: number;
  where: unknown;
  candidates: readonly Value[];
}

/** A word that holds an address, for examples. */
const addressWord = `0x${"00".repeat(12)}${"10".repeat(20)}`;

const uintMax = (1n << 256n) - 1n;

/** The value is there at all; nothing where it always is. */
export function isThere({ path, slot, elements, loose }: CallValue): Condition[] {
  const where = { "!=": [{ var: path }, "none"] };
  return loose ? [{ slot, elements, where, candidates: [addressWord] }] : [];
}

/** Neither zero nor missing: sentences tell no zero amounts, addresses and times. */
export function isSome({ path, slot, elements, type }: CallValue): Condition[] {
  const where =
    type === "address"
      ? { "!=": [{ var: path }, zeroAddress] }
      : type === "string"
        ? { "!=": [{ var: path }, ""] }
        : { uint_gt: [{ var: path }, "0"] };
  return [{ slot, elements, where, candidates: type === "address" ? [addressWord] : [] }];
}

/** The value is one of these. */
export function isAmong(at: CallValue, values: readonly Value[]): Condition {
  const parts = values.map((value) => equals(at, value));
  const { slot, elements } = at;
  return { slot, elements, where: parts.length === 1 ? parts[0] : { or: parts }, candidates: values };
}

/** The value is there, and none of these. */
export function isNoneOf(at: CallValue, values: readonly Value[]): Condition[] {
  const { slot, elements } = at;
  const parts = values.map((value) => ({ slot, elements, where: { "!": equals(at, value) }, candidates: [value] }));
  return [...isThere(at), ...parts];
}

function equals({ path, type }: CallValue, value: Value): unknown {
  const read = { var: path };
  if (type === "uint" || type === "int") return { [`${type}_eq`]: [read, String(value)] };
  if (type === "address") return { addr_eq: [read, value] };
  return { "==": [read, value] };
}

/** A literal of a descriptor (number, decimal or hex text, word) as a value of that type; undefined when it is none. */
export function readLiteral(raw: unknown, type: CallValue["type"]): Value | undefined {
  const text = typeof raw === "number" || typeof raw === "boolean" ? String(raw) : raw;
  if (typeof text !== "string" || text.length > 400) return undefined;
  switch (type) {
    case "uint":
    case "int": {
      if (!/^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text)) return undefined;
      if (typeof raw === "number" && !Number.isSafeInteger(raw)) return undefined;
      const number = BigInt(text);
      return number > uintMax || (number < 0n && type === "uint") ? undefined : number;
    }
    case "address":
      return readAddress(text);
    case "bool":
      return /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : undefined;
    case "bytes":
      return /^0x(?:[0-9a-fA-F]{2}){0,64}$/.test(text) ? text.toLowerCase() : undefined;
    case "string":
      return /^[\x20-\x7e]{0,100}$/.test(text) ? text : undefined;
    default:
      return undefined;
  }
}

/** What the rule `visible` of a field asks for. */
export interface Visibility {
  /** Never shown; the call must be so, or the descriptor is not about it (`mustMatch`, `mustBe` in version 2). */
  musts: Condition[];
  /** Shown only when this holds (`ifNotIn`). */
  shown: Condition[];
}

const valuesMax = 32;

/** Reads `visible` (ERC-7730 "Field format specification"). Throws UnsupportedError. */
export function readVisibility({ part, path }: Field, scope: CaptureScope): Visibility {
  const visible = part.get("visible");
  if (visible === undefined || visible.value === "always" || visible.value === "optional")
    return { musts: [], shown: [] };
  if (!isObject(visible.value)) unsupported("a rule of visibility that is none", visible);
  const must = visible.get("mustMatch") ?? visible.get("mustBe");
  const not = visible.get("ifNotIn");
  if (must === undefined && not === undefined) unsupported("a rule of visibility that is none", visible);
  const at = locate(path, scope.item, "uint");
  if (at.slot === null) unsupported("a condition on a value that no example can choose", visible);
  return {
    musts: must === undefined ? [] : [isAmong(at, readValues(must, at, scope))],
    shown: not === undefined ? [] : isNoneOf(at, readValues(not, at, scope)),
  };
}

function readValues(list: Part, at: CallValue, scope: ConstantScope): Value[] {
  const parts = list.entries().map(([, part]) => part);
  if (!Array.isArray(list.value) || parts.length === 0 || parts.length > valuesMax)
    unsupported("a list of values that is none, or too long", list);
  return parts.map((part) => {
    const raw = part.take();
    const value = readLiteral(isOwnPath(raw) ? resolve(raw, part, scope) : raw, at.type);
    if (value === undefined) unsupported("a value of another type than its field", part);
    return value;
  });
}
