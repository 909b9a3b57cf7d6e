import { describe, expect, it } from "vitest";
import { canonicalJson, compareText } from "../../src/kernel/canonical.ts";
import { digestOf } from "../../src/kernel/hash.ts";

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
    expect(digestOf("é")).toBe("e9076b2429006c3cfc23780a3ab7db373ff2200f3ee9a6c58ef84bd1c9118372");
    expect([compareText("a", "b"), compareText("b", "a"), compareText("a", "a"), compareText("Z", "a")]).toEqual([
      -1, 1, 0, -1,
    ]);
    expect(["é", "z", "B", "a"].sort(compareText)).toEqual(["B", "a", "z", "é"]);
  });
});
