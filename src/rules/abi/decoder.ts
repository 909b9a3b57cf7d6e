import { utf8Text } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import { addressOf, addressOfWord } from "../../kernel/word.ts";
import type { AbiType, TupleType, Value } from "./abi-type.ts";
import { headWords } from "./abi-type.ts";

/** Reads the value at hex digit `at`. Made once for each type. Throws {@link malformed}. */
export type Reader = (data: string, at: number) => Value;

/** Offsets count from the digit `base`. */
type PartReader = (data: string, at: number, base: number, budget: Budget) => Value;

/** Array elements that the data may still hold. */
interface Budget {
  left: number;
}

/** One shared object: capturing a stack each time would be slow. */
export const malformed = new Error("malformed ABI data");

const zeros = "0".repeat(64);
const addressPad = "0".repeat(24);

/**
 * `start`: the first hex digit (2 after `0x`, 10 after a selector). Undefined for short data, an offset outside of it, or padding that is
 * not zero. Bytes may follow.
 */
export function decode(reader: Reader, data: string, start: number): Value[] | undefined {
  try {
    return reader(data, start) as Value[];
  } catch (error) {
    if (error === malformed) return undefined;
    throw error;
  }
}

/** The outermost tuple has no offset of its own. */
export function compileReader(type: TupleType): Reader {
  const read = tupleReader(type.items);
  // An array element takes at least one word. Many more elements than words can only come from arrays that overlap, which is an attack. The
  // budget is four elements for each word of data.
  if (hasArrays(type)) return (data, at) => read(data, at, at, { left: data.length >> 4 });
  return (data, at) => read(data, at, at, noElements);
}

const noElements: Budget = Object.freeze({ left: 0 });

function hasArrays(type: AbiType): boolean {
  return type.kind === "array" || (type.kind === "tuple" && type.items.some(hasArrays));
}

function readerOf(type: AbiType): PartReader {
  const inPlace = inPlaceReader(type);
  if (!type.dynamic) return inPlace;
  return (data, at, base, budget) => {
    const start = base + offset(data, at) * 2;
    return inPlace(data, start, start, budget);
  };
}

function inPlaceReader(type: AbiType): PartReader {
  switch (type.kind) {
    case "bytes":
      return readBytes;
    case "string":
      return (data, at) => utf8Text(readBytes(data, at).slice(2));
    case "array":
      return arrayReader(type.item, type.length);
    case "tuple":
      return tupleReader(type.items);
    default:
      return compileWordReader(type);
  }
}

export type WordType = Extract<AbiType, { kind: "uint" | "int" | "address" | "bool" | "fixed" }>;

/** Reads one word, such as a topic. */
export function compileWordReader(type: WordType): Reader {
  switch (type.kind) {
    case "uint":
      return uintReader(type.bits);
    case "int":
      return intReader(type.bits);
    case "address":
      return (data, at) => {
        if (at + 64 > data.length || !data.startsWith(addressPad, at)) throw malformed;
        return data.length === 66 ? addressOfWord(data) : addressOf(data.slice(at + 24, at + 64));
      };
    case "bool":
      return (data, at) => {
        const word = wordAt(data, at);
        if (!word.startsWith(zeros.slice(1))) throw malformed;
        if (word.endsWith("1")) return true;
        if (word.endsWith("0")) return false;
        throw malformed;
      };
    case "fixed": {
      const digits = type.size * 2;
      const pad = zeros.slice(digits);
      return (data, at) => {
        if (at + 64 > data.length || !data.startsWith(pad, at + digits)) throw malformed;
        return `0x${data.slice(at, at + digits)}`;
      };
    }
  }
}

function uintReader(bits: number): Reader {
  const pad = zeros.slice(bits / 4);
  return (data, at) => {
    if (at + 64 > data.length || !data.startsWith(pad, at)) throw malformed;
    return BigInt(`0x${data.slice(at, at + 64)}`);
  };
}

function intReader(bits: number): Reader {
  return (data, at) => {
    const word = BigInt(`0x${wordAt(data, at)}`);
    const value = BigInt.asIntN(256, word);
    if (bits < 256 && BigInt.asIntN(bits, value) !== value) throw malformed;
    return value;
  };
}

function arrayReader(item: AbiType, fixedLength: number | null): PartReader {
  const read = readerOf(item);
  const step = (item.dynamic ? 1 : item.words) * 64;
  return (data, at, _base, budget) => {
    const length = fixedLength ?? offset(data, at);
    const first = fixedLength === null ? at + 64 : at;
    if (length > limits.arrayItemsMax || first + length * step > data.length) throw malformed;
    budget.left -= length;
    if (budget.left < 0) throw malformed;
    const values: Value[] = [];
    for (let i = 0; i < length; i++) values.push(read(data, first + i * step, first, budget));
    return values;
  };
}

function tupleReader(items: readonly AbiType[]): PartReader {
  const readers = items.map(readerOf);
  const steps = items.map((item) => (item.dynamic ? 1 : item.words) * 64);
  const size = headWords(items) * 64;
  return (data, at, _base, budget) => {
    if (at + size > data.length) throw malformed;
    const values: Value[] = [];
    let head = at;
    for (let i = 0; i < readers.length; i++) {
      values.push((readers[i] as PartReader)(data, head, at, budget));
      head += steps[i] as number;
    }
    return values;
  };
}

function readBytes(data: string, at: number): string {
  const length = offset(data, at) * 2;
  if (at + 64 + length > data.length) throw malformed;
  return `0x${data.slice(at + 64, at + 64 + length)}`;
}

/** An offset or length in bytes. From 2^32 on it cannot be inside real data. */
function offset(data: string, at: number): number {
  if (at + 64 > data.length || !data.startsWith(zeros.slice(8), at)) throw malformed;
  return Number.parseInt(data.slice(at + 56, at + 64), 16);
}

function wordAt(data: string, at: number): string {
  if (at + 64 > data.length) throw malformed;
  return data.slice(at, at + 64);
}
