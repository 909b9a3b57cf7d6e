import { describe, expect, it } from "vitest";
import { canonicalJson, compareText } from "../../src/kernel/canonical.ts";
import { sha256Hex } from "../../src/kernel/hash.ts";

describe("canonical JSON", () => {
  it.each([
    [{ b: 1, a: [2n, null, undefined, "x"], c: undefined, "": true }, '{"":true,"a":["2",null,null,"x"],"b":1}'],
    [{ Z: 1, a: 2, A: 3 }, '{"A":3,"Z":1,"a":2}'],
    [[], "[]"],
    [{}, "{}"],
    [{ a: undefined }, "{}"],
    [undefined, "null"],
    [null, "null"],
    ['"', '"\\""'],
    [1.5, "1.5"],
    [false, "false"],
  ])("%# is written", (value, text) => expect(canonicalJson(value)).toBe(text));

  it("is hashed as UTF-8, and texts are ordered by code unit", () => {
    expect(sha256Hex("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
    expect([compareText("a", "b"), compareText("b", "a"), compareText("a", "a"), compareText("Z", "a")]).toEqual([
      -1, 1, 0, -1,
    ]);
    expect(["é", "z", "B", "a"].sort(compareText)).toEqual(["B", "a", "z", "é"]);
  });
});
