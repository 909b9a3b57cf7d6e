import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText } from "../../src/kernel/amount.ts";
import { figureOf } from "../../src/picture/figures.ts";
import { fitText, nameText, widthOf } from "../../src/picture/text.ts";

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
  ])("shows %s as %s", (amount, shown) => {
    expect(figureOf(amount)).toBe(shown);
  });

  it("shortens large numbers where there is little room", () => {
    expect([figureOf("2043495.67", 4), figureOf("999999999", 3), figureOf("12345678901", 4)]).toEqual([
      "2.043M",
      "1,000M",
      "12.35B",
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
