import { readAddress, zeroAddress } from "../../../kernel/address.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import { readConstant } from "../descriptor/constant.ts";
import { type DescriptorPart, unsupported } from "../descriptor/part.ts";
import { type Field, hide } from "./field.ts";
import { type CallValue, locate } from "./path.ts";

export interface Condition {
  at: CallValue;
  /** undefined: always true. */
  where?: unknown;
  /** May meet it in an example. */
  candidates: readonly Value[];
}

/** A word with an address, for examples. */
const addressWord = `0x${"00".repeat(12)}${"10".repeat(20)}`;

const uintMax = (1n << 256n) - 1n;

/** Compared with a literal by `==` or `!=`: one is true of an existing value, none of a missing one. */
export function isThere(at: CallValue): Condition {
  if (!at.loose) return { at, candidates: [] };
  const compared = [{ var: at.path }, literals[at.type] ?? "0"];
  return { at, where: { or: [{ "==": compared }, { "!=": compared }] }, candidates: [addressWord] };
}

const literals: Partial<Record<CallValue["type"], Value>> = {
  address: zeroAddress,
  bool: true,
  bytes: "0x",
  string: "",
};

/** The value is not zero and not missing: sentences state no zero amounts, addresses and times. */
export function isSome(at: CallValue): Condition {
  const read = { var: at.path };
  if (at.type === "address") return { at, where: { "!=": [read, zeroAddress] }, candidates: [addressWord] };
  return { at, where: at.type === "string" ? { "!=": [read, ""] } : { ">": [read, "0"] }, candidates: [] };
}

export function isAmong(at: CallValue, values: readonly Value[]): Condition {
  const parts = values.map((value) => equals(at, value));
  return { at, where: parts.length === 1 ? parts[0] : { or: parts }, candidates: values };
}

/** Exists and is none of these. */
export function isNoneOf(at: CallValue, values: readonly Value[]): Condition[] {
  return [isThere(at), ...values.map((value) => ({ at, where: { "!": equals(at, value) }, candidates: [value] }))];
}

function equals({ path, type }: CallValue, value: Value): unknown {
  const read = { var: path };
  return { "==": [read, type === "uint" || type === "int" ? String(value) : value] };
}

/** A number, decimal or hex text, or word, as the type; undefined when it does not fit. */
export function readLiteral(raw: string | number | boolean, type: CallValue["type"]): Value | undefined {
  const text = String(raw);
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

/** Values of a `visible` rule. */
const valuesMax = 32;

/** A condition on a field that is never shown, for the descriptor to apply. Throws UnsupportedError. */
export function readMust(field: Field, must: DescriptorPart): Condition {
  const [at, values] = readListed(field, must);
  if (at.slot === null) unsupported("a condition on a value that no example can choose", field.part.get("visible"));
  const condition = isAmong(at, values);
  hide(field.part);
  return condition;
}

/** ERC-7730 "Field format specification". Throws UnsupportedError. */
export function readShown(field: Field): Condition[] {
  const visible = field.part.get("visible");
  if (visible === undefined || visible.value === "always" || visible.value === "optional") return [];
  const hidden = visible.get("ifNotIn") ?? unsupported("a rule of visibility that is none", visible);
  return isNoneOf(...readListed(field, hidden));
}

/** The place, and the values of its `visible` rule. Throws UnsupportedError. */
function readListed({ path, scope }: Field, list: DescriptorPart): [at: CallValue, values: Value[]] {
  const at = locate(path, scope.item, "uint");
  const parts = list.elements() ?? [];
  if (parts.length === 0 || parts.length > valuesMax) unsupported("a list of values that is none, or too long", list);
  const wrong = "a value of another type than its field";
  return [at, parts.map((one) => readLiteral(readConstant(one, scope), at.type) ?? unsupported(wrong, one))];
}
