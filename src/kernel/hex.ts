import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

/** Hex text: lower case inside the program, with the prefix `0x`. The brands keep code from using a hash as an address. */
export type Hex = `0x${string}`;
export type Hash = Hex & { readonly __hash: unique symbol };

const hashPattern = /^0x[0-9a-fA-F]{64}$/;
const quantityPattern = /^(?:0x[0-9a-fA-F]+|[0-9]+)$/;

/** Reads a 32-byte hash in any letter case; undefined when the value is not one. The prefix is `0x`, never `0X`. */
export function readHash(text: unknown): Hash | undefined {
  if (typeof text !== "string" || !hashPattern.test(text)) return undefined;
  return text.toLowerCase() as Hash;
}

/**
 * Finds the transaction hash in text that people paste: with blanks or quotes around it, in upper case, without `0x`, or inside a link.
 * Undefined when there is none, or more than one.
 */
export function readPastedHash(text: string): Hash | undefined {
  if (text.length > 2_000) return undefined;
  const found = new Set<Hash>();
  for (const [, digits = ""] of text.matchAll(/(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/gi)) {
    const hash = readHash(`0x${digits}`);
    if (hash !== undefined) found.add(hash);
  }
  const [hash] = found;
  return found.size === 1 ? hash : undefined;
}

/** Reads hex text of whole bytes in any letter case, including the empty `0x`; undefined when the value is not hex. */
export function readHex(text: unknown): Hex | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length % 2 !== 0) return undefined;
  return lowerHex(text);
}

/** The same text in lower case; undefined when it is not `0x` and hex digits. */
export function lowerHex(text: string): Hex | undefined {
  // Nearly all text is lower case already.
  if (isLowerHex(text)) return text as Hex;
  const lower = text.toLowerCase();
  return isLowerHex(lower) ? (lower as Hex) : undefined;
}

/**
 * Whether text is `0x` and lower-case hex digits. All data of a transaction passes through here, so it must be fast. A table takes a
 * quarter of the time of a regular expression. Longer text is encoded to bytes and checked two at a time, which takes a third of that.
 */
function isLowerHex(text: string): boolean {
  if (!text.startsWith("0x")) return false;
  const { length } = text;
  let at = 2;
  let areDigits = 1;
  if (length > encodedFrom && length <= bytes.length) {
    encoder.encodeInto(text, bytes);
    for (; at + 1 < length; at += 2) areDigits &= digitPairs[pairs[at >> 1] as number] as number;
  }
  for (; at < length; at++) areDigits &= hexDigits[text.charCodeAt(at)] as number;
  return areDigits === 1;
}

/** For shorter text, encoding costs more than it saves. */
const encodedFrom = 96;
const encoder = new TextEncoder();
const bytes = new Uint8Array(65_536);
/** The same memory as pairs of bytes. The order of the two bytes does not matter here. */
const pairs = new Uint16Array(bytes.buffer);
/** By character code: 1 for a lower-case hex digit. */
const hexDigits = new Uint8Array(128);
/** By a pair of character codes: 1 for two such digits. */
const digitPairs = new Uint8Array(65_536);
for (const one of "0123456789abcdef") {
  hexDigits[one.charCodeAt(0)] = 1;
  for (const other of "0123456789abcdef") digitPairs[one.charCodeAt(0) * 256 + other.charCodeAt(0)] = 1;
}

/**
 * Reads a JSON-RPC quantity: `0x1a`, or a decimal string or safe integer, as some explorers answer. Undefined when it is absent or
 * malformed.
 */
export function readQuantity(value: unknown): bigint | undefined {
  if (typeof value === "string") {
    const short = shortQuantity(value);
    if (short >= 0) return BigInt(short);
    if (quantityPattern.test(value)) return BigInt(value);
  }
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return undefined;
}

/** Reads `0x` and at most twelve lower-case hex digits as a number, which is much faster than reading a bigint. −1 for any other text. */
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

/** The short form of hex text, like that of addresses: `0x1234…abcd`. Text of up to five bytes stays whole. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

const base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Bytes in base 58, as Solana and other chains write their accounts. Each leading zero byte becomes a `1`. */
export function base58(hex: Hex): string {
  const zeros = /^0x((?:00)*)/.exec(hex)?.[1] ?? "";
  let text = "";
  for (let rest = hex.length > 2 ? BigInt(hex) : 0n; rest > 0n; rest /= 58n)
    text = base58Digits[Number(rest % 58n)] + text;
  return "1".repeat(zeros.length / 2) + text;
}

/** Decodes UTF-8 from hex digits; invalid bytes become U+FFFD. It does not use Buffer, which browsers do not have. */
export function utf8Text(digits: string): string {
  return decoder.decode(hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`));
}

/** Encodes text as UTF-8 in hex. */
export function textHex(text: string): Hex {
  return `0x${bytesToHex(encoder.encode(text))}`;
}

/** A byte order mark is kept, like any other character. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The four-byte selector of calldata; undefined when there are fewer than four bytes. */
export function selectorOf(calldata: string): Hex | undefined {
  return calldata.length >= 10 ? (calldata.slice(0, 10) as Hex) : undefined;
}
