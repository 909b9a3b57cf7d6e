import { utf8Text } from "../../kernel/hex.ts";
import type { Value } from "./abi-type.ts";

/** Whether a part of a path is a byte offset. Negative offsets count from the end. */
export function isOffset(part: string | undefined): part is string {
  return part !== undefined && /^-?\d{1,5}$/.test(part);
}

/** `size` bytes from byte `offset` on; undefined when the value has fewer. */
export function slice(value: Value | undefined, offset: number, size: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const digits = value.slice(2);
  const start = offset < 0 ? digits.length + offset * 2 : offset * 2;
  if (start < 0 || start + size * 2 > digits.length) return undefined;
  return `0x${digits.slice(start, start + size * 2)}`;
}

/** A number as bytes, with so many hex digits as its type has. */
export function bytesIn(value: Value | undefined, digits: number): string | undefined {
  return typeof value === "bigint" ? `0x${value.toString(16).padStart(digits, "0")}` : undefined;
}

/** Bytes as an unsigned number; undefined when there are none. */
export function numberIn(value: string | undefined): bigint | undefined {
  return value === undefined || value === "0x" ? undefined : BigInt(value);
}

const addressPad = `0x${"0".repeat(24)}`;

/** The address in a 32-byte word; undefined when the upper 12 bytes are not zero. */
export function addressInWord(value: Value | undefined): string | undefined {
  if (typeof value !== "string" || !value.startsWith(addressPad)) return undefined;
  return `0x${value.slice(26)}`;
}

/** The address in bytes: 20 bytes, or a 32-byte word that begins with 12 zero bytes; undefined for anything else. */
export function addressInBytes(value: Value | undefined): string | undefined {
  return typeof value === "string" && value.length === 42
    ? value
    : addressInWord(slice(value, 0, 32) === value ? value : undefined);
}

/** A number as an address; undefined when it is too large. */
export function addressInNumber(value: Value | undefined): string | undefined {
  if (typeof value !== "bigint" || value >= 1n << 160n) return undefined;
  return `0x${value.toString(16).padStart(40, "0")}`;
}

/** Bytes at the end of a word are a number where they are fewer than this, and may be text from here on. */
const wordTextBytesMin = 4;

/** The text in fixed bytes: printable UTF-8, without the zeros that fill it up on either side; undefined where they hold something else. */
export function textInBytes(value: Value | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, zeros = "", digits = ""] = /^0x((?:00)*)((?:..)*?)(?:00)*$/.exec(value) ?? [];
  if (digits === "" || (zeros !== "" && digits.length < 2 * wordTextBytesMin)) return undefined;
  const text = utf8Text(digits);
  return unprintable.test(text) ? undefined : text;
}

/** Control characters, characters without a meaning, line breaks, and what stands for bytes that are no UTF-8. */
const unprintable = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;

/** How many bytes a value has; undefined when it is no hex text. */
export function bytesLength(value: Value | undefined): bigint | undefined {
  return typeof value === "string" ? BigInt((value.length - 2) / 2) : undefined;
}
