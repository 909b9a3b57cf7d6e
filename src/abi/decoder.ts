import { limits } from "../kernel/limits.ts";
import type { AbiType, Value } from "./abi-type.ts";
import { headWords } from "./abi-type.ts";

/** Reads values out of hex text. Made once per type; called per log or call. Throws {@link malformed}. */
export type Reader = (data: string, at: number, base: number) => Value;

/** Thrown (one shared object: no stack is captured) when data is not an encoding of the type. */
export const malformed = new Error("malformed ABI data");

const zeros = "0".repeat(64);
const addressPad = "0".repeat(24);

/**
 * Decodes a parameter list. `start` is the position of its first hex digit (2 after `0x`, 10 after a selector).
 * Undefined when the data is too short, an offset leaves it, or a value has dirty padding. Bytes after the encoding are allowed.
 */
export function decode(reader: Reader, data: string, start: number): Value[] | undefined {
  try {
    return reader(data, start, start) as Value[];
  } catch (error) {
    if (error === malformed) return undefined;
    throw error;
  }
}

/** Compiles the reader of a parameter list (always read in place: the outermost tuple has no offset of its own). */
export function compileReader(type: AbiType & { kind: "tuple" }): Reader {
  const read = tupleReader(type.items);
  return (data, at, base) => {
    // An element takes a word at least. Arrays that overlap would hold far more than the data is long.
    elementsLeft = data.length >> 4;
    return read(data, at, base);
  };
}

/** Array elements that the list being read may still hold; reading never waits, so one count serves all readers. */
let elementsLeft = 0;

/** Reads one word at `at`; the building block for topics. */
export function compileWordReader(type: AbiType): Reader {
  return readerOf(type);
}

function readerOf(type: AbiType): Reader {
  const inPlace = inPlaceReader(type);
  if (!type.dynamic) return inPlace;
  return (data, at, base) => {
    const start = base + offset(data, at) * 2;
    return inPlace(data, start, start);
  };
}

function inPlaceReader(type: AbiType): Reader {
  switch (type.kind) {
    case "uint":
      return uintReader(type.bits);
    case "int":
      return intReader(type.bits);
    case "address":
      return (data, at) => {
        if (at + 64 > data.length || !data.startsWith(addressPad, at)) throw malformed;
        return `0x${data.slice(at + 24, at + 64)}`;
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
    case "bytes":
      return readBytes;
    case "string":
      return (data, at) => Buffer.from((readBytes(data, at, at) as string).slice(2), "hex").toString("utf8");
    case "array":
      return arrayReader(type.item, type.length);
    case "tuple":
      return tupleReader(type.items);
  }
}

function uintReader(bits: number): Reader {
  const pad = zeros.slice(bits / 4);
  return (data, at) => {
    if (at + 64 > data.length || (pad !== "" && !data.startsWith(pad, at))) throw malformed;
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

function arrayReader(item: AbiType, fixedLength: number | null): Reader {
  const read = readerOf(item);
  const step = (item.dynamic ? 1 : item.words) * 64;
  return (data, at) => {
    const length = fixedLength ?? offset(data, at);
    const first = fixedLength === null ? at + 64 : at;
    if (length > limits.arrayItemsMax || first + length * step > data.length) throw malformed;
    elementsLeft -= length;
    if (elementsLeft < 0) throw malformed;
    const values: Value[] = [];
    for (let i = 0; i < length; i++) values.push(read(data, first + i * step, first));
    return values;
  };
}

function tupleReader(items: readonly AbiType[]): Reader {
  const readers = items.map(readerOf);
  const steps = items.map((item) => (item.dynamic ? 1 : item.words) * 64);
  const size = headWords(items) * 64;
  return (data, at) => {
    if (at + size > data.length) throw malformed;
    const values: Value[] = [];
    let head = at;
    for (let i = 0; i < readers.length; i++) {
      values.push((readers[i] as Reader)(data, head, at));
      head += steps[i] as number;
    }
    return values;
  };
}

function readBytes(data: string, at: number, _base: number): Value {
  const length = offset(data, at) * 2;
  if (at + 64 + length > data.length) throw malformed;
  return `0x${data.slice(at + 64, at + 64 + length)}`;
}

/** An offset or a length: anything above 2^32 cannot be inside real data. */
function offset(data: string, at: number): number {
  if (at + 64 > data.length || !data.startsWith(zeros.slice(8), at)) throw malformed;
  return Number.parseInt(data.slice(at + 56, at + 64), 16);
}

function wordAt(data: string, at: number): string {
  if (at + 64 > data.length) throw malformed;
  return data.slice(at, at + 64);
}
