import { describe, expect, it } from "vitest";
import { KeyFilter } from "../../../src/engine/match/key-filter.ts";

describe("the filter of known keys", () => {
  it.each(["0123", "9abc", "def0", "ffff", "0000"])("may have a key that begins with %s, and no other", (digits) => {
    const filter = new KeyFilter([`0x${digits}5678`]);
    expect(filter.mayHave(`0x${digits}ffff`)).toBe(true);
    const others = [0, 1, 2, 3].map((at) => {
      const other = ((Number.parseInt(digits[at] as string, 16) + 1) % 16).toString(16);
      return `0x${digits.slice(0, at)}${other}${digits.slice(at + 1)}5678`;
    });
    expect(others.map((key) => filter.mayHave(key))).toEqual([false, false, false, false]);
  });

  it("has none where there are none", () => {
    expect(new KeyFilter([]).mayHave("0x00000000")).toBe(false);
  });
});
