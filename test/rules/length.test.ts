import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/shared.ts";

const folder = join(root, "rules");
const lengths = globSync("*/*.yaml", { cwd: folder }).map((path) => ({
  path,
  lines: readFileSync(join(folder, path), "utf8").trimEnd().split("\n").length,
}));

it("no rule file is so long that nobody reads it, and all together stay what people can keep", () => {
  expect(lengths.length).toBeGreaterThan(200);
  expect(lengths.filter(({ lines }) => lines >= 1_050)).toEqual([]);
  expect(lengths.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(40_000);
});
