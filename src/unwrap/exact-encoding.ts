import { type AbiType, headWords, type Value } from "../abi/abi-type.ts";
import { textHex } from "../kernel/hex.ts";

/** ERC-8021 transaction attribution: data after the calldata that ends with this marker belongs to no call. */
const attributionMarker = "8021".repeat(8);

/**
 * Whether hex digits are exactly the canonical encoding of the values that were read from them. Behind it there may be an ERC-8021
 * suffix, and `suffix` bytes at most of anything. Where every part lies in its place, its value was read from there, and nothing but
 * what the reader lets pass stands for it: offsets, padding and text are what remains to be looked at. The encoding is never written
 * out: values that overlap in the data would take far more room than it.
 */
export function isExact(actual: string, items: readonly AbiType[], values: readonly Value[], suffix = 0): boolean {
  const end = endOfList(actual, 0, items, values);
  return end >= 0 && (actual.length <= end + suffix * 2 || actual.endsWith(attributionMarker));
}

/** Where the canonical encoding of a parameter list, which starts at a digit, ends; -1: the digits are another one. */
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
      // A value of fixed size has no offset and no length that could be others.
      head = endOf(digits, head, item, value);
    }
  }
  return tail;
}

/** The same for one value, wherever it stands. */
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

/** `length`: of the body, in digits. */
function endOfBytes(digits: string, at: number, length: number): number {
  const end = at + 64 + length;
  const pad = (64 - (length % 64)) % 64;
  return holdsNumber(digits, at, length / 2) && digits.startsWith(zeros.slice(0, pad), end) ? end + pad : -1;
}

/** Bytes that are no UTF-8 were read as others. */
function endOfText(digits: string, at: number, body: string): number {
  return digits.startsWith(body, at + 64) ? endOfBytes(digits, at, body.length) : -1;
}

/** Whether a word holds a length or an offset; of what was read it is less than 2^32. */
function holdsNumber(digits: string, at: number, value: number): boolean {
  return digits.startsWith(numberPad, at) && Number.parseInt(digits.slice(at + 56, at + 64), 16) === value;
}

const zeros = "0".repeat(64);
const numberPad = zeros.slice(8);
