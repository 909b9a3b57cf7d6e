import { type Address, readAddress } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import { type AbiType, type TupleType, typeText, type Value } from "../../../rules/abi/abi-type.ts";
import { encodeTuple } from "../../../rules/abi/encoder.ts";
import type { FunctionItem } from "../../../rules/abi/signature.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import { type GivenNames, plainValue } from "./given-names.ts";

/** `at`: from the example's `given`. */
export class GivenError extends Error {
  readonly at: DocumentPath;
  readonly key: boolean;
  readonly suggestion: string | undefined;

  constructor(at: DocumentPath, message: string, options: { suggestion?: string | undefined; key?: boolean } = {}) {
    super(message);
    this.name = "GivenError";
    this.at = at;
    this.key = options.key ?? false;
    this.suggestion = options.suggestion;
  }
}

/** Arguments by name or in a list, as positional values; missing ones get the simplest value. Throws {@link GivenError}. */
export function readArguments(type: TupleType, raw: unknown, names: GivenNames, at: DocumentPath): Value[] {
  if (raw === null || raw === undefined) return type.items.map((item) => plainValue(item, 0));
  if (Array.isArray(raw)) {
    if (raw.length !== type.items.length)
      throw new GivenError(at, `${type.items.length} values were expected, ${raw.length} are given`);
    return type.items.map((item, i) => readValue(item, raw[i], names, [...at, i]));
  }
  if (typeof raw !== "object")
    throw new GivenError(at, `${shown(raw)} is one value, the arguments by name were expected`);
  const given = raw as Record<string, unknown>;
  refuseOthers(given, type.names, at, "argument");
  return type.items.map((item, i) => {
    const name = type.names[i] as string;
    return Object.hasOwn(given, name) ? readValue(item, given[name], names, [...at, name]) : plainValue(item, 0);
  });
}

/** Arguments by name; a step's input has no selector. Throws {@link GivenError}. */
export function encodeCall(item: FunctionItem, raw: unknown, names: GivenNames, at: DocumentPath): string {
  return (item.step ? "0x" : item.hash) + encodeTuple(item.inputs.items, readArguments(item.inputs, raw, names, at));
}

/** `{ function: { args } }`. Throws {@link GivenError}. */
export function readCall(raw: unknown, names: GivenNames, at: DocumentPath): string {
  const [name, args] = soleEntry(raw, at, "a call is one function with its arguments");
  const item = names.item(name);
  const inner = [...at, name];
  if (item !== undefined && item.kind !== "event") return encodeCall(item, args, names, inner);
  const suggestion = names.suggest(name);
  throw new GivenError(inner, `\`${name}\` is no function of this file`, { key: true, suggestion });
}

/** Throws {@link GivenError} with the message unless there is exactly one key. */
export function soleEntry(raw: unknown, at: DocumentPath, message: string): [string, unknown] {
  const entries = raw !== null && typeof raw === "object" && !Array.isArray(raw) ? Object.entries(raw) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) throw new GivenError(at, message);
  return entry;
}

/** Throws {@link GivenError}. */
export function refuseOthers(raw: object, known: readonly string[], at: DocumentPath, what: string): void {
  const name = Object.keys(raw).find((key) => !known.includes(key));
  if (name === undefined) return;
  const suggestion = suggest(name, known);
  throw new GivenError([...at, name], `\`${name}\` is no ${what}`, { key: true, suggestion });
}

/** Throws {@link GivenError}. */
export function readParty(raw: unknown, names: GivenNames, at: DocumentPath): Address {
  const address = names.address(raw);
  if (address !== undefined) return address;
  throw new GivenError(at, `${shown(raw)} names no address`, {
    suggestion: typeof raw === "string" ? names.suggest(raw) : undefined,
  });
}

/** Decimal or hex text of any size, or a small plain integer. Throws {@link GivenError}. */
export function readInteger(raw: unknown, at: DocumentPath): bigint {
  if (typeof raw === "bigint") return raw;
  if (typeof raw === "number" && Number.isSafeInteger(raw)) return BigInt(raw);
  if (typeof raw === "string" && /^(?:-?\d+|0x[0-9a-fA-F]+)$/.test(raw)) return BigInt(raw);
  const units = '; a whole number of the token\'s smallest unit was expected: 1 USDC is `"1000000"`';
  const isAmount = /^\d+(?:[.,]\d+)? *[A-Za-z]*$/.test(String(raw));
  throw new GivenError(at, `${shown(raw)} is no integer${isAmount ? units : ""}`);
}

function readValue(type: AbiType, raw: unknown, names: GivenNames, at: DocumentPath): Value {
  switch (type.kind) {
    case "uint":
    case "int":
      return readNumber(type, raw, names, at);
    case "address":
      return readParty(raw, names, at);
    case "bool":
      if (typeof raw !== "boolean") throw new GivenError(at, `${shown(raw)} is no bool`);
      return raw;
    case "string":
      if (raw !== null && typeof raw === "object") throw new GivenError(at, `${shown(raw)} is no text`);
      return String(raw);
    case "fixed":
      return readFixed(type.size, raw, names, at);
    case "bytes":
      return readBytes(raw, names, at);
    case "tuple":
      return readArguments(type, raw, names, at);
    case "array": {
      if (!Array.isArray(raw) || (type.length !== null && raw.length !== type.length))
        throw new GivenError(at, `a list was expected for ${typeText(type)}`);
      return raw.map((item, i) => readValue(type.item, item, names, [...at, i]));
    }
  }
}

/** `max`: the largest value. A name: the address as a number, as in packed arguments. */
function readNumber(
  type: AbiType & { kind: "uint" | "int" },
  raw: unknown,
  names: GivenNames,
  at: DocumentPath,
): bigint {
  const bits = type.kind === "uint" ? type.bits : type.bits - 1;
  if (raw === "max") return (1n << BigInt(bits)) - 1n;
  const address = typeof raw === "string" && !/^(?:-?\d|0x)/.test(raw) ? names.address(raw) : undefined;
  const value = address === undefined ? readInteger(raw, at) : BigInt(address);
  if (value !== (type.kind === "uint" ? BigInt.asUintN : BigInt.asIntN)(type.bits, value))
    throw new GivenError(at, `${shown(raw)} does not fit ${typeText(type)}`);
  return value;
}

/** Hex of this size, or a name: the address in the low bytes. */
function readFixed(size: number, raw: unknown, names: GivenNames, at: DocumentPath): string {
  const hex = readHex(raw);
  if (hex !== undefined && hex.length === 2 + size * 2) return hex;
  const address = readAddress(raw) ?? names.address(raw);
  if (address !== undefined && size >= 20) return `0x${address.slice(2).padStart(size * 2, "0")}`;
  throw new GivenError(at, `${shown(raw)} is no ${size} bytes of hex`);
}

/** Hex, a list of hex and names (packed paths), or a call. */
function readBytes(raw: unknown, names: GivenNames, at: DocumentPath): string {
  if (Array.isArray(raw))
    return `0x${raw.map((part, i) => (readHex(part) ?? readParty(part, names, [...at, i])).slice(2)).join("")}`;
  if (raw !== null && typeof raw === "object") return readCall(raw, names, at);
  return readData(raw, at);
}

/** Throws {@link GivenError}. */
export function readData(raw: unknown, at: DocumentPath): string {
  const hex = readHex(raw);
  if (hex === undefined) throw new GivenError(at, `${shown(raw)} is no hex`);
  return hex;
}

/** A JSON-RPC quantity. */
export function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

export function shown(raw: unknown): string {
  if (raw === null || raw === undefined) return "nothing";
  if (Array.isArray(raw)) return "a list";
  return typeof raw === "object" ? "a mapping" : `\`${String(raw)}\``;
}
