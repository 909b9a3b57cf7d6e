import { describe, expect, it } from "vitest";
import {
  compareAmounts,
  counted,
  decimalText,
  groupThousands,
  isSpeckOf,
  parseDecimal,
  readableAmount,
  readableInteger,
  sizeOf,
  unlimitedThreshold,
} from "../../src/kernel/amount.ts";

describe("an amount", () => {
  it.each<[bigint, number, string]>([
    [1_500_000n, 6, "1.5"],
    [1n, 6, "0.000001"],
    [0n, 6, "0"],
    [1_000_000n, 6, "1"],
    [10_000_000n, 6, "10"],
    [123n, 0, "123"],
    [-5n, 0, "-5"],
    [-1_500_000n, 6, "-1.5"],
    [-1n, 1, "-0.1"],
    [100n, 2, "1"],
    [101n, 2, "1.01"],
    [110n, 2, "1.1"],
    [1_000n, 1, "100"],
    [0n, 1, "0"],
  ])("of %d with %d decimals is %s, and back", (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text);
    expect(parseDecimal(text, decimals)).toBe(units);
  });

  it.each([
    ["1.5", 1, 15n],
    ["1.5", 3, 1500n],
    ["-0.5", 1, -5n],
    ["007", 0, 7n],
    ["1.55", 1, undefined],
    ["1.", 1, undefined],
    [".5", 1, undefined],
    ["1e5", 9, undefined],
    ["+1", 0, undefined],
    ["1,000", 0, undefined],
    ["", 0, undefined],
    ["--1", 0, undefined],
  ])("%j with %d decimals is %s units", (text, decimals, units) => expect(parseDecimal(text, decimals)).toBe(units));

  it.each<[bigint, string]>([
    [0n, "0"],
    [-1_234n, "-1,234"],
    [10n ** 20n - 1n, "99,999,999,999,999,999,999"],
    [10n ** 20n, "100 × 10^18"],
    [-4_076_563_319_382_236_432_138_553_457n, "-4,076,563,319 × 10^18"],
    [1_408_738_146_928_651_491_954n, "1,408.74 × 10^18"],
    [-288n * 10n ** 46n, "-2.88 × 10^48"],
    [1_235n * 10n ** 40n, "1.24 × 10^43"],
    [9_995n * 10n ** 40n, "1 × 10^44"],
  ])("a whole number %d is %s in a sentence", (value, text) => expect(readableInteger(value)).toBe(text));

  it.each<[bigint, number, boolean]>([
    [0n, 18, false],
    [10n ** 9n - 1n, 18, true],
    [1n - 10n ** 9n, 18, true],
    [10n ** 9n, 18, false],
    [1n, 10, true],
    [1n, 9, false],
  ])("%d with %d decimals is little else than zeros: %s", (units, decimals, speck) => {
    expect(isSpeckOf(units, decimals)).toBe(speck);
  });

  it.each<[bigint, number, string]>([
    [123_457n, 9, "0.000123457"],
    [1_234_564n, 6, "1.23456"],
    [1_234_565n, 6, "1.23457"],
    [1_234_566n, 6, "1.23457"],
    [999_999_5n, 6, "10"],
    [999_999_4n, 6, "9.99999"],
    [1_250_500_000n, 6, "1,250.5"],
    [123_456_789n, 0, "123,456,789"],
    [123_456_789_900n, 3, "123,456,790"],
    [123_456_789_400n, 3, "123,456,789"],
    [-1_234_567n, 6, "-1.23457"],
    [-1_000n, 0, "-1,000"],
    [999n, 0, "999"],
    [1_000n, 0, "1,000"],
    [0n, 18, "0"],
    [100_000n, 6, "0.1"],
  ])("of %d with %d decimals reads %s", (units, decimals, text) => expect(readableAmount(units, decimals)).toBe(text));

  it("has as many figures as are asked for", () => {
    expect(readableAmount(123_456n, 6, 2)).toBe("0.12");
    expect(readableAmount(125_456n, 6, 2)).toBe("0.13");
  });

  it("is without limit from the largest number of 160 bits on", () => {
    expect(unlimitedThreshold).toBe(2n ** 160n - 1n);
    expect([groupThousands("123"), groupThousands("1234"), groupThousands("1234567")]).toEqual([
      "123",
      "1,234",
      "1,234,567",
    ]);
  });
});

it("the size of an amount has no sign", () => {
  expect([0n, 1n, -1n, 2n ** 255n, -(2n ** 255n)].map(sizeOf)).toEqual([0n, 1n, 1n, 2n ** 255n, 2n ** 255n]);
});

describe("amounts in order", () => {
  it("go from the smallest to the largest", () => {
    expect([3n, -1n, 0n, 2n ** 70n, 3n].sort(compareAmounts)).toEqual([-1n, 0n, 3n, 3n, 2n ** 70n]);
    expect(compareAmounts(1n, 1n)).toBe(0);
  });
});

describe("how many", () => {
  it.each([
    [0, "0 files"],
    [1, "1 file"],
    [2, "2 files"],
  ])("%d is told with its noun", (count, text) => expect(counted(count, "file")).toBe(text));
});
