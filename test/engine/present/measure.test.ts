import { describe, expect, it } from "vitest";
import {
  clockText,
  durationText,
  percentText,
  quantityText,
  timeText,
  usdOf,
  usdOfAmount,
} from "../../../src/engine/present/amounts/measure.ts";

describe("measures", () => {
  it.each([
    [0n, "1970-01-01", "1970-01-01 00:00:00Z"],
    [1_772_366_400n, "2026-03-01", "2026-03-01 12:00:00Z"],
    [253_402_300_799n, "9999-12-31", "9999-12-31 23:59:59Z"],
    [253_402_300_800n, "forever", "forever"],
    [2n ** 256n - 1n, "forever", "forever"],
  ])("second %i is %s, to the clock %s", (seconds, day, clock) => {
    expect([timeText(seconds), clockText(seconds)]).toEqual([day, clock]);
  });

  it.each([
    [0n, "0 seconds"],
    [1n, "1 second"],
    [59n, "59 seconds"],
    [60n, "1 minute"],
    [3_599n, "59 minutes 59 seconds"],
    [3_600n, "1 hour"],
    [86_399n, "23 hours 59 minutes 59 seconds"],
    [86_400n, "1 day"],
    [90_061n, "1 day 1 hour 1 minute 1 second"],
    [172_802n, "2 days 2 seconds"],
    [86_400_000n, "1,000 days"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it.each([
    [15n, { decimals: 1, unit: "%" }, "1.5%"],
    [36n, { decimals: 0, unit: "h" }, "36 h"],
    [1_500n, { decimals: 0, unit: null }, "1,500"],
  ])("%i of %j is %s", (value, measure, text) => {
    expect(quantityText(value, measure)).toBe(text);
  });

  it.each([
    [1n, 2n, "50%"],
    [15n, 1_000n, "1.5%"],
    [1n, 3n, "33.33%"],
    [1n, 10_000n, "0.01%"],
    [9n, 1_000_000n, "0%"],
    [5n, 1n, "500%"],
    [1_005n, 1_000n, "100.5%"],
  ])("%i of %i is %s", (value, scale, text) => {
    expect(percentText(value, scale)).toBe(text);
  });

  it.each([
    [1_500_000n, 6, "2", 3],
    [-1_500_000n, 6, "2", -3],
    [0n, 6, "2", 0],
    [1n, 6, "0.5", 0.000001],
    [1n, 6, "0.499999999999999999", 0],
    [-1n, 6, "0.5", -0.000001],
    [1n, 0, "0.123456789", 0.123457],
    [1n, null, "2", null],
    [1n, 6, null, null],
    [1n, 6, "1e3", null],
  ])("%s units of %s decimals at %s are %s dollars", (units, decimals, price, usd) => {
    expect(usdOfAmount(units, decimals, price)).toBe(usd);
  });

  it.each([
    [10n ** 18n, "3012.5", 3012.5],
    [5n * 10n ** 11n, "1", 0.000001],
    [5n * 10n ** 11n - 1n, "1", 0],
    [null, "1", null],
    [1n, null, null],
    [1n, "x", null],
  ])("%s wei at %s are %s dollars", (wei, price, usd) => {
    expect(usdOf(wei, price)).toBe(usd);
  });
});
