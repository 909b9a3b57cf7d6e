import type { Value } from "./abi-type.ts";

/** Whether a path's part is a byte offset; negative ones count from the end. */
export function isOffset(part: string | undefined): part is string {
  return part !== undefined && /^-?\d{1,5}$/.test(part);
}

/** `size` bytes from `offset` on; undefined when they are not all there. */
export function slice(value: Value | undefined, offset: number, size: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const digits = value.slice(2);
  const start = offset < 0 ? digits.length + offset * 2 : offset * 2;
  if (start < 0 || start + size * 2 > digits.length) return undefined;
  return `0x${digits.slice(start, start + size * 2)}`;
}

/** A number as the bytes that its type has. */
export function bytesIn(value: Value | undefined, digits: number): string | undefined {
  return typeof value === "bigint" ? `0x${value.toString(16).padStart(digits, "0")}` : undefined;
}

export function numberIn(value: string | undefined): bigint | undefined {
  return value === undefined || value === "0x" ? undefined : BigInt(value);
}

const addressPad = `0x${"0".repeat(24)}`;

/** The address in a 32-byte word; undefined when the upper 12 bytes are not zero. */
export function addressInWord(value: Value | undefined): string | undefined {
  if (typeof value !== "string" || !value.startsWith(addressPad)) return undefined;
  return `0x${value.slice(26)}`;
}

/** The address that bytes are, alone or with 12 zeros before it; undefined where they are anything else. */
export function addressInBytes(value: Value | undefined): string | undefined {
  return typeof value === "string" && value.length === 42
    ? value
    : addressInWord(slice(value, 0, 32) === value ? value : undefined);
}

/** The address that a number is; undefined when it is too large for one. */
export function addressInNumber(value: Value | undefined): string | undefined {
  if (typeof value !== "bigint" || value >= 1n << 160n) return undefined;
  return `0x${value.toString(16).padStart(40, "0")}`;
}

export function bytesLength(value: Value | undefined): bigint | undefined {
  return typeof value === "string" ? BigInt((value.length - 2) / 2) : undefined;
}
