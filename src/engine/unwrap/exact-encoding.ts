import { textHex } from "../../kernel/hex.ts";
import { type AbiType, headWords, type Value } from "../../rules/abi/abi-type.ts";
import { attributionMarker } from "./attribution.ts";

/**
 * Whether hex digits are exactly the canonical encoding of the values that were read from them. An ERC-8021 suffix may follow, or up to
 * `suffix` other bytes. If every part is at its canonical place, the values were read from there. So only what the reader tolerates is
 * checked: offsets, padding and text. The encoding itself is never written out, because values that overlap in the data would need far more
 * memory than the data.
 */
export function isExact(actual: string, items: readonly AbiType[], values: readonly Value[], suffix = 0): boolean {
  const end = endOfList(actual, 0, items, values);
  return end >= 0 && (actual.length <= end + suffix * 2 || actual.endsWith(attributionMarker));
}

/**
 * The position where the canonical encoding of a parameter list ends that starts at `start`, in digits; -1: the digits are no canonical
 * encoding.
 */
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
      // A value of fixed size has no offset or length that could differ.
      head = endOf(digits, head, item, value);
    }
  }
  return tail;
}

/** As {@link endOfList}, for one value that starts at `at`. */
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

/** The end of dynamic bytes. `length`: of their content, in digits. */
function endOfBytes(digits: string, at: number, length: number): number {
  const end = at + 64 + length;
  const pad = (64 - (length % 64)) % 64;
  return holdsNumber(digits, at, length / 2) && digits.startsWith(zeros.slice(0, pad), end) ? end + pad : -1;
}

/** The end of a text; -1 where its bytes are not valid UTF-8, since they were read as other characters. */
function endOfText(digits: string, at: number, body: string): number {
  return digits.startsWith(body, at + 64) ? endOfBytes(digits, at, body.length) : -1;
}

/** Whether a word is exactly this length or offset. Lengths and offsets that could be read are below 2^32. */
function holdsNumber(digits: string, at: number, value: number): boolean {
  return digits.startsWith(numberPad, at) && Number.parseInt(digits.slice(at + 56, at + 64), 16) === value;
}

const zeros = "0".repeat(64);
const numberPad = zeros.slice(8);
