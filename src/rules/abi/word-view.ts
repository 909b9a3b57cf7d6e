import { utf8Text } from "../../kernel/hex.ts";
import type { Value } from "./abi-type.ts";

/** Negative offsets count from the end. */
export function isOffset(part: string | undefined): part is string {
  return part !== undefined && /^-?\d{1,5}$/.test(part);
}

/** Undefined when the value has fewer bytes. */
export function slice(value: Value | undefined, offset: number, size: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const digits = value.slice(2);
  const start = offset < 0 ? digits.length + offset * 2 : offset * 2;
  if (start < 0 || start + size * 2 > digits.length) return undefined;
  return `0x${digits.slice(start, start + size * 2)}`;
}

/** As many hex digits as the type has. */
export function bytesIn(value: Value | undefined, digits: number): string | undefined {
  return typeof value === "bigint" ? `0x${value.toString(16).padStart(digits, "0")}` : undefined;
}

export function numberIn(value: string | undefined): bigint | undefined {
  return value === undefined || value === "0x" ? undefined : BigInt(value);
}

const addressPad = `0x${"0".repeat(24)}`;

/** Undefined when the upper 12 bytes are not zero. */
export function addressInWord(value: Value | undefined): string | undefined {
  if (typeof value !== "string" || !value.startsWith(addressPad)) return undefined;
  return `0x${value.slice(26)}`;
}

/** 20 bytes, or 32 with 12 leading zeros. */
export function addressInBytes(value: Value | undefined): string | undefined {
  return typeof value === "string" && value.length === 42
    ? value
    : addressInWord(slice(value, 0, 32) === value ? value : undefined);
}

/** Undefined when too large. */
export function addressInNumber(value: Value | undefined): string | undefined {
  if (typeof value !== "bigint" || value >= 1n << 160n) return undefined;
  return `0x${value.toString(16).padStart(40, "0")}`;
}

/** Shorter bytes at the end of a word are a number; from here on they may be text. */
const wordTextBytesMin = 4;

/** Printable UTF-8 in fixed bytes, without the zeros on either side. */
export function textInBytes(value: Value | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, zeros = "", digits = ""] = /^0x((?:00)*)((?:..)*?)(?:00)*$/.exec(value) ?? [];
  if (digits === "" || (zeros !== "" && digits.length < 2 * wordTextBytesMin)) return undefined;
  const text = utf8Text(digits);
  return unprintable.test(text) ? undefined : text;
}

/** Control characters, unassigned ones, line breaks, and U+FFFD for bytes that are no UTF-8. */
const unprintable = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;

/** Undefined for what is no hex text. */
export function bytesLength(value: Value | undefined): bigint | undefined {
  return typeof value === "string" ? BigInt((value.length - 2) / 2) : undefined;
}
