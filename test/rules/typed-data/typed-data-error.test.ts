import { describe, expect, it } from "vitest";
import { shownValue } from "../../../src/rules/typed-data/typed-data-error.ts";

describe("a value in a refusal", () => {
  it.each<[unknown, string]>([
    [null, "nothing"],
    [undefined, "nothing"],
    [[], "a list"],
    [{}, "an object"],
    [false, "false"],
    [0, "0"],
    ["", ""],
    ["a\nb`c\\d\u00e9", "a?b?c?d?"],
    ["x".repeat(60), "x".repeat(60)],
    ["x".repeat(61), `${"x".repeat(57)}...`],
  ])("%j is shown as %s", (value, text) => {
    expect(shownValue(value)).toBe(`\`${text}\``);
  });
});
