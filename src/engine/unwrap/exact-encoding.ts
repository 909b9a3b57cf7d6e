import { textHex } from "../../kernel/hex.ts";
import { type AbiType, headWords, type Value } from "../../rules/abi/abi-type.ts";
import { attributionMarker } from "./attribution.ts";

/**
 * Canonical encoding of the values; an ERC-8021 suffix or up to `suffix` bytes may follow. Checks offsets, padding and text, which the
 * reader tolerates. Never re-encodes: overlapping values would need far more memory.
 */
export function isExact(actual: string, items: readonly AbiType[], values: readonly Value[], suffix = 0): boolean {
  const end = endOfList(actual, 0, items, values);
  return end >= 0 && (actual.length <= end + suffix * 2 || actual.endsWith(attributionMarker));
}

/** In digits; -1: not canonical. */
function endOfList(digits: string, start: number, items: readonly AbiType[], values: readonly Value[]): number {
  let head = start;
  let tail = start + headWords(items) * 64;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as AbiType;
    const value = values[i] as Value;
    if (item.dynamic) {
      if (!holdsNumber(digits, head, (tail - start) / 2)) return -1;
      head += 64;
      tail = endOf(digits, tail, item, value);
      if (tail < 0) return -1;
    } else {
      // Fixed size: no offset or length.
      head = endOf(digits, head, item, value);
    }
  }
  return tail;
}

/** One value. */
function endOf(digits: string, at: number, type: AbiType, value: Value): number {
  switch (type.kind) {
    case "bytes":
      return endOfBytes(digits, at, (value as string).length - 2);
    case "string":
      return endOfText(digits, at, textHex(value as string).slice(2));
    case "tuple":
      return endOfList(digits, at, type.items, value as Value[]);
    case "array": {
      const values = value as Value[];
      const items = values.map(() => type.item);
      if (type.length !== null) return endOfList(digits, at, items, values);
      return holdsNumber(digits, at, values.length) ? endOfList(digits, at + 64, items, values) : -1;
    }
    default:
      return at + 64;
  }
}

/** `length`: in digits. */
function endOfBytes(digits: string, at: number, length: number): number {
  const end = at + 64 + length;
  const pad = (64 - (length % 64)) % 64;
  return holdsNumber(digits, at, length / 2) && digits.startsWith(zeros.slice(0, pad), end) ? end + pad : -1;
}

/** -1: invalid UTF-8, which was read as other characters. */
function endOfText(digits: string, at: number, body: string): number {
  return digits.startsWith(body, at + 64) ? endOfBytes(digits, at, body.length) : -1;
}

/** Readable ones are below 2^32. */
function holdsNumber(digits: string, at: number, value: number): boolean {
  return digits.startsWith(numberPad, at) && Number.parseInt(digits.slice(at + 56, at + 64), 16) === value;
}

const zeros = "0".repeat(64);
const numberPad = zeros.slice(8);
