/** Exact decimal text of integer base units. No function here uses a floating-point number. */

/**
 * 2^160 - 1. Nobody has that much of a token, so a number from here on stands for "without limit" in an allowance, and for "all there
 * is" elsewhere. It is the largest amount of contracts that keep allowances beside an address in one word, as Permit2 does.
 */
export const unlimitedThreshold = (1n << 160n) - 1n;

/** In wei. */
export const oneEther = 10n ** 18n;

/** `1500000, 6` → `1.5`; no exponent, no trailing zeros, exact. Negative amounts keep their sign. */
export function decimalText(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  return `${units < 0n ? "-" : ""}${pointed(sizeOf(units).toString(), decimals)}`;
}

/** `1500000, 6` → `1.5`, of the digits of a number that is not negative. */
function pointed(size: string, decimals: number): string {
  const digits = size.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  const fraction = digits.slice(whole.length, end);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The inverse of {@link decimalText}; undefined when the text is no plain decimal or has more places than `decimals`. */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  return sign === "-" ? -units : units;
}

/**
 * For sentences: at most `figures` significant digits (rounded half up), thousands separated: `1,250.5`, `0.000123457`.
 * Integer digits are always all shown: 123,456,789 stays 123,456,789.
 */
export function readableAmount(units: bigint, decimals: number, figures = 6): string {
  const digits = sizeOf(units).toString();
  const drop = Math.min(Math.max(digits.length - figures, 0), decimals);
  const text = pointed(drop === 0 ? digits : rounded(digits, drop), decimals);
  const point = text.indexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  return `${units < 0n ? "-" : ""}${groupThousands(whole)}${text.slice(whole.length)}`;
}

/** Digits with the last `drop` of them rounded half up to zeros; there are more. */
function rounded(digits: string, drop: number): string {
  const kept = digits.slice(0, -drop);
  const up = digits.charAt(digits.length - drop) >= "5";
  return (up ? (BigInt(kept) + 1n).toString() : kept) + "0".repeat(drop);
}

/** `1234567` → `1,234,567`. */
export function groupThousands(digits: string): string {
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** An amount without its sign. */
export function sizeOf(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** For sorting: smaller ones first. */
export function compareAmounts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How many of what, for a noun that takes an s: `1 file`, `3 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
