import type { Value } from "../../abi/abi-type.ts";
import { readAddress, zeroAddress } from "../../kernel/address.ts";
import type { CallValue } from "./path.ts";

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
