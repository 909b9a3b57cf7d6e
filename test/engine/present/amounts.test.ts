import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime, usdOf } from "../../../src/engine/present/amounts/measure.ts";
import { decimalText, parseDecimal, readableAmount } from "../../../src/kernel/amount.ts";
import { readQuantity } from "../../../src/kernel/hex.ts";

const units = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n });
const places = fc.nat(77);

describe("exact amounts", () => {
  it("parse back to the last unit, without exponent, zeros at the end or a dot at the end", () => {
    fc.assert(
      fc.property(units, places, (value, decimals) => {
        const text = decimalText(value, decimals);
        expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        expect(parseDecimal(text, decimals)).toBe(value);
      }),
    );
  });

  it.each([
    ["1.23", 1],
    ["1e18", 18],
    ["", 0],
    [".5", 1],
    ["5.", 1],
    ["0x5", 0],
    [" 5", 0],
  ])("refuse to parse %j at %i places", (text, decimals) => {
    expect(parseDecimal(text, decimals)).toBeUndefined();
  });
});

describe("quantities", () => {
  it("are read in any size and letter case", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), (value) => {
        const digits = value.toString(16);
        expect(readQuantity(`0x${digits}`)).toBe(value);
        expect(readQuantity(`0x${digits.toUpperCase()}`)).toBe(value);
        expect(readQuantity(`0x00${digits}`)).toBe(value);
        expect(readQuantity(value.toString())).toBe(value);
      }),
    );
  });

  it.each(["", "0x", "0xg1", "0x1:", "0x 1", "0X1", "0x1`", "-0x1", "1.5"])("refuse %j", (text) => {
    expect(readQuantity(text)).toBeUndefined();
  });
});

describe("a time", () => {
  it("is written as ISO 8601 says, to the second", () => {
    fc.assert(
      fc.property(fc.nat(253_402_300_799), (seconds) => {
        expect(isoTime(seconds)).toBe(new Date(seconds * 1000).toISOString().replace(".000Z", "Z"));
      }),
    );
  });
});

describe("amounts in sentences", () => {
  it("are rounded half up at six digits, within the decimals of the token", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), places, (value, decimals) => {
        const step = 10n ** BigInt(Math.min(Math.max(value.toString().length - 6, 0), decimals));
        const told = parseDecimal(readableAmount(value, decimals).replaceAll(",", ""), decimals);
        expect(told).toBe(((value + step / 2n) / step) * step);
      }),
    );
  });

  it.each([
    [1_250_500_000n, 6, "1,250.5"],
    [123_456_789_123n, 6, "123,457"],
    [123_456_789_123_456n, 6, "123,456,789"],
    [999_999_500_000n, 6, "1,000,000"],
    [123_456_789n, 18, "0.000000000123457"],
    [1n, 18, "0.000000000000000001"],
    [0n, 18, "0"],
    [10n ** 24n, 18, "1,000,000"],
    [1_234_567n, 0, "1,234,567"],
    [-1_500_000n, 6, "-1.5"],
  ])("%s at %i places reads %s", (value, decimals, expected) => {
    expect(readableAmount(value, decimals)).toBe(expected);
  });

  it("keep six significant digits and every digit before the dot", () => {
    fc.assert(
      fc.property(units, places, (value, decimals) => {
        const text = readableAmount(value, decimals).replaceAll(",", "");
        const [whole = "", fraction = ""] = text.replace("-", "").split(".");
        const significant = `${whole}${fraction}`.replace(/^0+/, "").replace(/0+$/, "");
        if (fraction !== "") expect(significant.length).toBeLessThanOrEqual(6);
        // The shown amount differs by at most half a unit of its last digit.
        const shown = parseDecimal(text, decimals) as bigint;
        const off = shown > value ? shown - value : value - shown;
        const size = value < 0n ? -value : value;
        expect(off * 1_000_000n).toBeLessThanOrEqual(decimals === 0 ? 0n : size * 5n);
        expect(text.replace("-", "")).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
      }),
    );
  });
});

describe("usdOf", () => {
  it.each([
    [10n ** 18n, "3000.12345678", 3000.123457],
    [1n, "3000", 0],
    [166_666_667n, "3000", 0.000001],
    [0n, "3000", 0],
    [21_000n * 10n ** 7n, "2500.5", 0.000525],
    [10n ** 18n, "0", 0],
  ])("%s wei at %s is %d", (wei, price, expected) => {
    expect(usdOf(wei, price)).toBe(expected);
  });

  it("is unknown if the fee or the price is unknown", () => {
    expect([usdOf(null, "3000"), usdOf(1n, null), usdOf(1n, "1e3"), usdOf(1n, `0.${"1".repeat(19)}`)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
