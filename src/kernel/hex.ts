import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

/** Lower case, with `0x`. The brands keep a hash from being used as an address. */
export type Hex = `0x${string}`;
export type Hash = Hex & { readonly __hash: unique symbol };

const hashPattern = /^0x[0-9a-fA-F]{64}$/;
const quantityPattern = /^(?:0x[0-9a-fA-F]+|[0-9]+)$/;

/** 32 bytes in any letter case; the prefix is never `0X`. */
export function readHash(text: unknown): Hash | undefined {
  if (typeof text !== "string" || !hashPattern.test(text)) return undefined;
  return text.toLowerCase() as Hash;
}

/** The transaction hash in pasted text (blanks, quotes, upper case, no `0x`, a link). Undefined for none or several. */
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

/** Whole bytes in any letter case, also the empty `0x`. */
export function readHex(text: unknown): Hex | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length % 2 !== 0) return undefined;
  return lowerHex(text);
}

/** Undefined when it is not `0x` and hex digits. */
export function lowerHex(text: string): Hex | undefined {
  // Nearly all text is lower case already.
  if (isLowerHex(text)) return text as Hex;
  const lower = text.toLowerCase();
  return isLowerHex(lower) ? (lower as Hex) : undefined;
}

/**
 * All data of a transaction passes here. A table takes a quarter of the time of a regular expression; longer text is encoded and checked
 * two bytes at a time, a third of that.
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

/** Below this, encoding costs more than it saves. */
const encodedFrom = 96;
const encoder = new TextEncoder();
const bytes = new Uint8Array(65_536);
/** The same memory by pairs; the order inside a pair does not matter. */
const pairs = new Uint16Array(bytes.buffer);
/** By character code: 1 for a lower-case hex digit. */
const hexDigits = new Uint8Array(128);
/** By a pair of character codes: 1 for two such digits. */
const digitPairs = new Uint8Array(65_536);
for (const one of "0123456789abcdef") {
  hexDigits[one.charCodeAt(0)] = 1;
  for (const other of "0123456789abcdef") digitPairs[one.charCodeAt(0) * 256 + other.charCodeAt(0)] = 1;
}

/** A JSON-RPC quantity (`0x1a`), or a decimal string or safe integer, as some explorers answer. */
export function readQuantity(value: unknown): bigint | undefined {
  if (typeof value === "string") {
    const short = shortQuantity(value);
    if (short >= 0) return BigInt(short);
    if (quantityPattern.test(value)) return BigInt(value);
  }
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return undefined;
}

/** `0x` and at most twelve lower-case digits, much faster than a bigint; −1 for other text. */
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

export function byteLength(hex: string): number {
  return (hex.length - 2) >> 1;
}

/** `0x1234…abcd`; up to five bytes stay whole. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

const base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** As Solana writes accounts: each leading zero byte becomes a `1`. */
export function base58(hex: Hex): string {
  const zeros = /^0x((?:00)*)/.exec(hex)?.[1] ?? "";
  let text = "";
  for (let rest = hex.length > 2 ? BigInt(hex) : 0n; rest > 0n; rest /= 58n)
    text = base58Digits[Number(rest % 58n)] + text;
  return "1".repeat(zeros.length / 2) + text;
}

/** Invalid bytes become U+FFFD. Buffer is missing in browsers. */
export function utf8Text(digits: string): string {
  return decoder.decode(hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`));
}

export function textHex(text: string): Hex {
  return `0x${bytesToHex(encoder.encode(text))}`;
}

/** Keeps a byte order mark. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Undefined for fewer than four bytes. */
export function selectorOf(calldata: string): Hex | undefined {
  return calldata.length >= 10 ? (calldata.slice(0, 10) as Hex) : undefined;
}
