import { hexToBytes } from "viem/utils";

/** Hex text inside the program is lower case with the prefix `0x`. The brands stop code from using a hash as an address. */
export type Hex = `0x${string}`;
export type Hash = Hex & { readonly __hash: unique symbol };

const hashPattern = /^0x[0-9a-fA-F]{64}$/;
const hexPattern = /^0x[0-9a-f]*$/;
const quantityPattern = /^(?:0x[0-9a-fA-F]+|[0-9]+)$/;

/** Checks and lower-cases a 32-byte hash; undefined when it is not one. The prefix is `0x`, never `0X`. */
export function readHash(text: unknown): Hash | undefined {
  if (typeof text !== "string" || !hashPattern.test(text)) return undefined;
  return text.toLowerCase() as Hash;
}

/** Lower-cases and checks whole bytes of hex (the empty `0x` included); undefined when it is not hex. */
export function readHex(text: unknown): Hex | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length % 2 !== 0) return undefined;
  // Nearly all text is lower case already.
  if (hexPattern.test(text)) return text as Hex;
  const lower = text.toLowerCase();
  return hexPattern.test(lower) ? (lower as Hex) : undefined;
}

/** A JSON-RPC quantity (`0x1a`, or a decimal string or safe integer as some explorers answer) as bigint; undefined when absent or malformed. */
export function readQuantity(value: unknown): bigint | undefined {
  if (typeof value === "string") {
    const short = shortQuantity(value);
    if (short >= 0) return BigInt(short);
    if (quantityPattern.test(value)) return BigInt(value);
  }
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return undefined;
}

/** `0x` and at most twelve lower-case hex digits as a number, which costs a fraction of what reading a bigint does; -1: it is no such text. */
function shortQuantity(text: string): number {
  if (text.length < 3 || text.length > 14 || !text.startsWith("0x")) return -1;
  let value = 0;
  for (let at = 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = code < 58 ? code - 48 : code - 87;
    if (digit < 0 || digit > 15 || (code > 57 && digit < 10)) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Number of bytes in a hex string. */
export function byteLength(hex: string): number {
  return (hex.length - 2) >> 1;
}

/** The text that whole bytes of hex are in UTF-8, with U+FFFD for what is none. It needs no Buffer, which browsers do not have. */
export function utf8Text(digits: string): string {
  return decoder.decode(hexToBytes(`0x${digits}`));
}

/** A byte order mark is a character like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The four-byte selector of calldata, or undefined when there are fewer than four bytes. */
export function selectorOf(calldata: string): Hex | undefined {
  return calldata.length >= 10 ? (calldata.slice(0, 10) as Hex) : undefined;
}
