import { expect, it } from "vitest";
import { placeNamer } from "../../../src/tools/lint/report/sarif.ts";

const text = `rules:
  - id: supply
    where: { a: [one, two], b: }
  - name: plain
  - tx: "0x1"
  - [x, y]
empty:
last: z`;
const nameOf = placeNamer(text);

it.each<[number, number, string]>([
  [1, 1, "rules"],
  [1, 5, "rules"],
  [1, 6, ""],
  [2, 1, ""],
  [2, 3, "rules"],
  [2, 5, "rules/supply/id"],
  [2, 7, "rules/supply"],
  [2, 9, "rules/supply/id"],
  [3, 12, "rules/supply/where"],
  [3, 14, "rules/supply/where/a"],
  [3, 18, "rules/supply/where/a/0"],
  [3, 20, "rules/supply/where/a/0"],
  [3, 21, "rules/supply/where/a"],
  [3, 23, "rules/supply/where/a/1"],
  [3, 27, "rules/supply/where"],
  [3, 29, "rules/supply/where/b"],
  [3, 30, "rules/supply/where"],
  [4, 5, "rules/plain/name"],
  [5, 9, "rules/0x1/tx"],
  [6, 5, "rules/3"],
  [6, 6, "rules/3/0"],
  [6, 9, "rules/3/1"],
  [7, 1, "empty"],
  [7, 6, ""],
  [7, 7, "empty"],
  [8, 1, "last"],
  [8, 7, "last"],
  [8, 8, ""],
  [99, 1, ""],
])("the node at %i:%i is %j", (line, column, path) => {
  expect(nameOf({ line, column })).toBe(path);
});

it("keys that are written twice are read all the same", () => {
  expect(placeNamer("a: 1\na: { b: 2 }")({ line: 2, column: 6 })).toBe("a/b");
});
