import { describe, expect, it } from "vitest";
import { readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";

const [from, to] = [`0x${"a1".repeat(20)}`, `0x${"b0".repeat(20)}`];

describe("an amount that a JSON number does not hold exactly", () => {
  it.each([
    ["value", 10 ** 18],
    ["gas", 2 ** 53],
    ["nonce", 2 ** 53],
  ])("is refused as a number with the way to write it: %s", (name, amount) => {
    expect(() => readPreviewRequest({ from, to, [name]: amount })).toThrow(
      `${name} is too large for a JSON number: write it as a text, in decimal digits or as 0x and hex digits.`,
    );
  });

  it.each(["1000000000000000000", "0xde0b6b3a7640000"])("is read as the text %s", (value) => {
    expect(readPreviewRequest({ from, to, value }).value).toBe(10n ** 18n);
  });

  it("is read as a number up to the largest that is exact", () => {
    const value = Number.MAX_SAFE_INTEGER;
    expect(readPreviewRequest({ from, to, value }).value).toBe(BigInt(value));
  });
});
