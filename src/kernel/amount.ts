/** Exact decimal text of amounts in base units, without floating point. */

/**
 * 2^160 − 1, the largest allowance of contracts such as Permit2. Nobody has so much of a token, so from here on an allowance is
 * "unlimited".
 */
export const unlimitedThreshold = (1n << 160n) - 1n;

/** In wei. */
export const oneEther = 10n ** 18n;

/** `1500000` with 6 decimals is `1.5`: exact, without exponent or trailing zeros. */
export function decimalText(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  return `${units < 0n ? "-" : ""}${pointed(sizeOf(units).toString(), decimals)}`;
}

function pointed(size: string, decimals: number): string {
  const digits = size.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  const fraction = digits.slice(whole.length, end);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Undefined when the text is no plain decimal, or has more than `decimals` places. */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  return sign === "-" ? -units : units;
}

/** For sentences: at most `figures` significant digits, rounded half up, `1,250.5`. All digits before the point are shown. */
export function readableAmount(units: bigint, decimals: number, figures = 6): string {
  const digits = sizeOf(units).toString();
  const drop = Math.min(Math.max(digits.length - figures, 0), decimals);
  const text = pointed(drop === 0 ? digits : rounded(digits, drop), decimals);
  const point = text.indexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  return `${units < 0n ? "-" : ""}${groupThousands(whole)}${text.slice(whole.length)}`;
}

/** Rounds half up, the last `drop` digits to zeros. There must be more digits. */
function rounded(digits: string, drop: number): string {
  const kept = digits.slice(0, -drop);
  const up = digits.charAt(digits.length - drop) >= "5";
  return (up ? (BigInt(kept) + 1n).toString() : kept) + "0".repeat(drop);
}

/** `1234567` → `1,234,567`. */
export function groupThousands(digits: string): string {
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/**
 * For sentences: grouped digits. Above 20 of them in units of 10^18, which most tokens count in (`4,076,563,319 × 10^18`); far above, `1.46 ×
 * 10^48`.
 */
export function readableInteger(value: bigint): string {
  const digits = sizeOf(value).toString();
  const sign = value < 0n ? "-" : "";
  if (digits.length <= digitsMax) return sign + groupThousands(digits);
  if (digits.length <= digitsMax + usualDecimals)
    return `${readableAmount(value, usualDecimals)} × 10^${usualDecimals}`;
  const head = rounded(digits.slice(0, figuresOfLong + 1), 1).slice(0, -1);
  const exponent = digits.length - 1 + head.length - figuresOfLong;
  return `${sign}${pointed(head.slice(0, figuresOfLong), figuresOfLong - 1)} × 10^${exponent}`;
}

/** Nobody reads more digits. */
const digitsMax = 20;
const figuresOfLong = 3;
const usualDecimals = 18;

/** Whether an amount in whole units would be more zeros than figures: nine and more after the point. */
export function isSpeckOf(units: bigint, decimals: number): boolean {
  return units !== 0n && decimals > zerosMax && sizeOf(units) < 10n ** BigInt(decimals - zerosMax);
}

const zerosMax = 9;

export function sizeOf(units: bigint): bigint {
  return units < 0n ? -units : units;
}

export function compareAmounts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
