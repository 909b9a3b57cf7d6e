import { groupThousands, parseDecimal, readableAmount, sizeOf } from "../../../kernel/amount.ts";

/** Unix seconds; later times are no dates. */
export const yearTenThousand = 253_402_300_800n;

/** `2026-03-01`; from the year 10000 `forever`: contracts use a type's largest number. */
export function timeText(seconds: bigint): string {
  if (seconds >= yearTenThousand) return "forever";
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}

/** `2026-03-01 12:00:00Z`, UTC. */
export function clockText(seconds: bigint): string {
  const day = timeText(seconds);
  return day === "forever" ? day : isoTime(Number(seconds)).replace("T", " ");
}

/** `2026-03-01T12:00:00Z`, before the year 10000. `toISOString` costs ten times as much. */
export function isoTime(seconds: number): string {
  const day = Math.floor(seconds / 86_400);
  let date = dates.get(day);
  if (date === undefined) {
    date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    if (dates.size >= datesMax) dates.clear();
    dates.set(day, date);
  }
  const second = seconds - day * 86_400;
  const [hours, minutes] = [Math.floor(second / 3_600), Math.floor(second / 60) % 60];
  return `${date}T${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(second % 60)}Z`;
}

/** A pure cache, by day since 1970. */
const dates = new Map<number, string>();
const datesMax = 10_000;

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** `1 day 2 hours 5 seconds`. */
export function durationText(seconds: bigint): string {
  const parts = spans.flatMap(([name, size, within]) => {
    const count = within === null ? seconds / size : (seconds / size) % within;
    return count === 0n ? [] : [`${groupThousands(String(count))} ${name}${count === 1n ? "" : "s"}`];
  });
  return parts.join(" ") || "0 seconds";
}

const spans: readonly [name: string, seconds: bigint, within: bigint | null][] = [
  ["day", 86_400n, null],
  ["hour", 3_600n, 24n],
  ["minute", 60n, 60n],
  ["second", 1n, 60n],
];

/** `1.5%`, `36 h`, `1.5` without a unit. */
export function quantityText(value: bigint, { decimals, unit }: { decimals: number; unit: string | null }): string {
  return `${readableAmount(value, decimals)}${unit === null || unit === "%" ? "" : " "}${unit ?? ""}`;
}

/** `value` / `scale`, at most two digits after the point: `1.5%`. */
export function percentText(value: bigint, scale: bigint): string {
  const hundredths = (value * 10_000n) / scale;
  const fraction = (hundredths % 100n).toString().padStart(2, "0").replace(/0+$/, "");
  return `${hundredths / 100n}${fraction === "" ? "" : `.${fraction}`}%`;
}

const priceDecimals = 18;

/** Signed, six decimals; null: decimals or price unknown. */
export function usdOfAmount(units: bigint, decimals: number | null, price: string | null): number | null {
  const scaled = price === null ? undefined : parseDecimal(price, priceDecimals);
  if (decimals === null || scaled === undefined) return null;
  const unit = 10n ** BigInt(decimals + priceDecimals - 6);
  const micros = Number((sizeOf(units) * scaled + unit / 2n) / unit) / 1_000_000;
  return units < 0n ? -micros : micros;
}

/** Six decimals, rounded half up; null: unknown. Exact until the last step. */
export function usdOf(wei: bigint | null, price: string | null): number | null {
  if (wei === null || price === null) return null;
  const scaled = parseDecimal(price, priceDecimals);
  if (scaled === undefined) return null;
  const unit = 10n ** 30n;
  const micros = (wei * scaled + unit / 2n) / unit;
  return Number(micros) / 1_000_000;
}
