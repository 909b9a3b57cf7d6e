import { textHex } from "../../kernel/hex.ts";
import type { AbiType, Value } from "./abi-type.ts";
import { headWords } from "./abi-type.ts";

/**
 * The canonical ABI encoding as hex digits without `0x`. Unwrappers compare it with what they read: another encoding of the same values is
 * opaque.
 */
export function encodeTuple(items: readonly AbiType[], values: readonly Value[]): string {
  let head = "";
  let tail = "";
  const headBytes = headWords(items) * 32;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as AbiType;
    const value = values[i] as Value;
    if (item.dynamic) {
      head += word(BigInt(headBytes + tail.length / 2));
      tail += encodeValue(item, value);
    } else head += encodeValue(item, value);
  }
  return head + tail;
}

function encodeValue(type: AbiType, value: Value): string {
  switch (type.kind) {
    case "uint":
    case "int":
      return word(BigInt.asUintN(256, value as bigint));
    case "address":
      return (value as string).slice(2).padStart(64, "0");
    case "bool":
      return word(value === true ? 1n : 0n);
    case "fixed":
      return (value as string).slice(2).padEnd(64, "0");
    case "bytes":
      return encodeBytes((value as string).slice(2));
    case "string":
      return encodeBytes(textHex(value as string).slice(2));
    case "tuple":
      return encodeTuple(type.items, value as Value[]);
    case "array": {
      const values = value as Value[];
      const body = encodeTuple(
        values.map(() => type.item),
        values,
      );
      return type.length === null ? word(BigInt(values.length)) + body : body;
    }
  }
}

function encodeBytes(digits: string): string {
  return word(BigInt(digits.length / 2)) + digits.padEnd(Math.ceil(digits.length / 64) * 64, "0");
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
