import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText } from "../../../src/kernel/amount.ts";
import { figureOf } from "../../../src/serve/picture/figures.ts";
import {
  escapeMarkup,
  fitText,
  hasUnknownGlyphs,
  nameText,
  shortForm,
  visibleText,
  widthOf,
} from "../../../src/serve/picture/text.ts";

describe("figures", () => {
  it.each([
    ["0", "0"],
    ["0.000", "0"],
    ["2043495.674885273676574334", "2,043,496"],
    ["0.168875532937728981", "0.168876"],
    ["0.9999999", "1"],
    ["999999.9", "1,000,000"],
    ["1250.5", "1,250.5"],
    ["647096476069709322796", "6.471×10²⁰"],
    ["0.00000000000012345", "1.235×10⁻¹³"],
    ["123456789012", "123,456,789,012"],
    ["1234567890123", "1.235×10¹²"],
    ["999999999999.9", "1,000,000,000,000"],
    ["9999600000000", "1×10¹³"],
    ["0.000000001", "0.000000001"],
    ["0.00000000123456789", "0.00000000123457"],
    ["0.00000000099", "9.9×10⁻¹⁰"],
    ["0.0000000009999960", "1×10⁻⁹"],
    ["0.09999996", "0.1"],
    ["12.3456749", "12.3457"],
    ["12.34565", "12.3457"],
    ["12.345649", "12.3456"],
    ["007.50", "7.5"],
    ["1000", "1,000"],
  ])("shows %s as %s", (amount, shown) => {
    expect(figureOf(amount)).toBe(shown);
  });

  it("shortens large numbers where there is little room", () => {
    const shown = (amount: string, digits: number) => figureOf(amount, digits);
    expect([shown("2043495.67", 4), shown("999999999", 3), shown("12345678901", 4)]).toEqual([
      "2.043M",
      "1,000M",
      "12.35B",
    ]);
    expect([shown("1000000", 5), shown("999999", 5), shown("1000000000", 3)]).toEqual(["1M", "999,999", "1B"]);
    expect([shown("1234567", 6), shown("123456789012345", 3), shown("1.23456", 3)]).toEqual([
      "1,234,567",
      "1.23×10¹⁴",
      "1.23",
    ]);
  });

  it("are never further from the amount than half of the last digit that is shown", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 30n), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const amount = decimalText(units, decimals);
        const [, base = "", power = "0"] = /^([\d.,]+)(?:×10(.+))?$/.exec(figureOf(amount)) ?? [];
        const exponent = Number(
          [...power]
            .map((sign) => ("⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign) < 0 ? sign : "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)]))
            .join(""),
        );
        const shown = Number(base.replaceAll(",", "")) * 10 ** exponent;
        expect(Math.abs(shown - Number(amount)) / Number(amount)).toBeLessThanOrEqual(exponent === 0 ? 5.1e-6 : 5.1e-4);
      }),
    );
  });
});

describe("text", () => {
  it.each([
    ["a  b ", "a  b"],
    ["\u202eCDSU\u200b\n", "CDSU"],
    ["Ｕ２…ﬁ", "U2…fi"],
    ["Z\u0338\u0322\u0315", "Z\u0338"],
    ["\ud800x", "\ufffdx"],
  ])("%j is seen as %j", (text, seen) => {
    expect(visibleText(text)).toBe(seen);
  });

  it.each([
    ["", 0],
    ["il", 0.62],
    ["mW", 1.92],
    ["D+", 1.6],
    ["AB", 1.4],
    ["a1", 1.26],
    ["…", 0.95],
    ["−5", 0.84 + 0.63],
    ["×±“”–·", 0.84 * 2 + 0.52 * 2 + 0.55 + 0.35],
    ["\u2068é\u2069", 0.66],
    ["6×10⁻²⁴", 0.63 + 0.84 + 2 * 0.63 + 3 * 0.45],
    ["测", 1.1],
    ["ۿ", 0.66],
    ["\u0700", 1.1],
    ["👩‍👩‍👧‍👦", 1.1],
  ])("%j is reckoned to be %d em wide", (text, em) => {
    expect(widthOf(text, 10)).toBeCloseTo(em * 10, 9);
  });

  it.each([
    ["abc", 3 * 0.63, "abc"],
    ["abcdef", 3 * 0.63 + 0.95, "abc…"],
    ["abcdef", 3 * 0.63 + 0.94, "ab…"],
    ["ab cd", 2 * 0.63 + 0.31 + 0.95, "ab…"],
    ["“abcd”", 2 * 0.52 + 2 * 0.63 + 0.95, "“ab…”"],
    ["“abcd", 0.52 + 2 * 0.63 + 0.95, "“ab…"],
    ["abcd”", 2 * 0.63 + 0.95, "ab…"],
    ["\u2068测测测\u2069", 2 * 1.1 + 0.95, "\u2068测测…\u2069"],
  ])("%j in %d em is %j", (text, em, fitted) => {
    expect(fitText(text, 100, em * 100 + 1e-6)).toBe(fitted);
  });

  it.each([
    ["USDC", false, "USDC"],
    ["USDC", true, "“USDC”"],
    [" ", false, "?"],
    ["é", true, "“\u2068é\u2069”"],
    ["a".repeat(20), false, `${"a".repeat(12)}…`],
  ])("a name %j (of a stranger: %j) is written %j", (name, untrusted, written) => {
    expect(nameText(name, untrusted, 9)).toBe(written);
  });

  it("is drawn in its reckoned width where glyphs are not known", () => {
    expect(["aé", "…−×“”±–·⁻⁰¹²³⁴⁹\u2068\u2069", "a~ "].map(hasUnknownGlyphs)).toEqual([true, false, false]);
    expect(escapeMarkup(`<a b="c" d='e'>&`)).toBe("&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
    expect(shortForm("0x1234567890")).toBe("0x1234…7890");
  });

  it("is cut inside of its quotes", () => {
    expect(nameText("A very long name of a token", true, 9)).toMatch(/^“A very long.*…”$/);
    expect(fitText("“a very long reason”", 10, 60)).toMatch(/^“.+…”$/);
  });

  it("is never wider than asked for once it was cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 20, max: 300 }), (text, max) => {
        expect(widthOf(fitText(text, 10, max), 10)).toBeLessThanOrEqual(Math.max(max, 10));
      }),
    );
  });
});
