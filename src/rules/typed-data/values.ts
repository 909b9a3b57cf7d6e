import { readAddress } from "../../kernel/address.ts";
import { readHex } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import { type AbiType, typeText, type Value } from "../abi/abi-type.ts";
import { baseType, elementaryLayout, type StructTypes } from "../abi/struct-type.ts";
import { isPlainObject } from "./struct-types.ts";
import { refuseData, shownValue } from "./typed-data-error.ts";

/**
 * Reads structs in the order of the members: bigint, lower-case hex, lists. Fields outside the type are not signed, so left out. Throws
 * TypedDataError for a missing or unfit value.
 */
export class ValueReader {
  readonly #types: StructTypes;
  #left: number = limits.typedValuesMax;

  constructor(types: StructTypes) {
    this.#types = types;
  }

  struct(name: string, raw: unknown, path: string, depth = 0): Value[] {
    if (depth > limits.typedDepthMax)
      return refuseData(`${shownValue(path)} nests deeper than ${limits.typedDepthMax}`);
    if (!isPlainObject(raw)) return refuseData(`${shownValue(path)} is no object, ${name} was expected`);
    return (this.#types.get(name) ?? []).map(({ name: field, type }) => {
      if (!Object.hasOwn(raw, field)) return refuseData(`${shownValue(`${path}.${field}`)} is missing`);
      return this.#value(type, raw[field], `${path}.${field}`, depth + 1);
    });
  }

  #value(type: string, raw: unknown, path: string, depth: number): Value {
    if (--this.#left < 0) return refuseData(`there are more than ${limits.typedValuesMax} values`);
    const array = /^(.*)\[(\d*)\]$/.exec(type);
    if (array !== null) {
      const [, item = "", length = ""] = array;
      if (!Array.isArray(raw)) return refuseData(`${shownValue(path)} is no list, ${type} was expected`);
      if (length !== "" && raw.length !== Number(length))
        return refuseData(`${shownValue(path)} has ${raw.length} items, ${type} was expected`);
      return raw.map((one, i) => this.#value(item, one, `${path}[${i}]`, depth + 1));
    }
    if (this.#types.has(baseType(type))) return this.struct(type, raw, path, depth);
    return readElementary(elementaryLayout(type), raw, path);
  }
}

/** Throws TypedDataError. */
export function readElementary(type: AbiType, raw: unknown, path: string): Value {
  if (raw === undefined) return refuseData(`${shownValue(path)} is missing`);
  const value = elementary(type, raw);
  if (value === undefined)
    return refuseData(`${shownValue(path)} is ${shownValue(raw)}, which is no ${typeText(type)}`);
  return value;
}

function elementary(type: AbiType, raw: unknown): Value | undefined {
  switch (type.kind) {
    case "uint":
    case "int":
      return readInteger(type, raw);
    case "address":
      return readAddress(raw);
    case "bool":
      return typeof raw === "boolean" ? raw : undefined;
    case "string":
      return typeof raw === "string" ? raw : undefined;
    case "bytes":
      return readHex(raw);
    case "fixed": {
      const hex = readHex(raw);
      return hex?.length === 2 + type.size * 2 ? hex : undefined;
    }
    default:
      return undefined;
  }
}

/** Decimal or hex text, or a number that JSON does not round. */
function readInteger(type: AbiType & { kind: "uint" | "int" }, raw: unknown): bigint | undefined {
  const isText = typeof raw === "string" && /^(?:-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/.test(raw);
  if (!isText && typeof raw !== "bigint" && !Number.isSafeInteger(raw)) return undefined;
  const value = BigInt(raw as string | number | bigint);
  const fits = type.kind === "uint" ? BigInt.asUintN : BigInt.asIntN;
  return value === fits(type.bits, value) ? value : undefined;
}
