import { expect, it } from "vitest";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { toldElements } from "../../../src/rules/ruleset/capture-parts.ts";

type Column = Value | undefined;
type Field = Parameters<typeof toldElements>[0];

/** The values that are told for elements. `when`: no condition, or the condition that they are more than 2. */
function told(each: Column[] | Column | null, when: Field["when"] = null): unknown[] {
  const get = (value: Column) => () => value;
  const elements = Array.isArray(each) && each.every((one) => one === undefined || Array.isArray(one));
  const source = elements
    ? { kind: "zip", gets: (each as Column[]).map(get) }
    : { kind: "array", get: get(each as Column) };
  const found = toldElements({ each: each === null ? null : source, when } as Field, { args: "whole" } as never);
  return [found.told.map((one) => ("item" in one ? one.item : one.args)), found.more];
}

const big: Field["when"] = (context) => (context as unknown as { item: bigint }).item > 2n;

it.each<[string, Column[] | Column | null, unknown[]]>([
  ["no array", null, [["whole"], 0]],
  ["an array that is not there", undefined, [[], 0]],
  ["what is no array", 5n, [[], 0]],
  ["one element", [1n], [[1n], 0]],
  ["as many as are told", [1n, 2n, 3n, 4n], [[1n, 2n, 3n, 4n], 0]],
  ["one more", [1n, 2n, 3n, 4n, 5n], [[1n, 2n, 3n, 4n], 1]],
  [
    "parallel arrays",
    [
      [1n, 2n],
      ["a", "b"],
    ],
    [
      [
        [1n, "a"],
        [2n, "b"],
      ],
      0,
    ],
  ],
  ["empty ones", [[], []], [[], 0]],
  ["a shorter one", [[1n, 2n], ["a"]], [[], 0]],
  ["a longer one", [[1n], ["a", "b"]], [[], 0]],
  ["a first one that is not there", [undefined, ["a"]], [[], 0]],
  ["a second one that is not there", [[1n], undefined], [[], 0]],
])("of %s", (_what, each, expected) => {
  expect(told(each)).toEqual(expected);
});

it("are those for which the condition holds, and so are those that are counted", () => {
  expect(told([1n, 2n, 3n, 4n], big)).toEqual([[3n, 4n], 0]);
  expect(told([1n, 3n, 4n, 5n, 6n, 7n, 8n], big)).toEqual([[3n, 4n, 5n, 6n], 2]);
});
