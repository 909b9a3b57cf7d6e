import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { allCodes } from "../../../src/tools/lint/codes/codes.ts";
import { root } from "../../support/shared.ts";
import { lintTexts, placeOf } from "./lint-text.ts";

const names = ["standards/erc20", "standards/flow", "accounts/safe", "accounts/erc4337", "lending/aave-v3"];
const texts = names.map((name) => ({
  stem: name.split("/")[1] as string,
  text: readFileSync(join(root, "rules", `${name}.yaml`), "utf8"),
}));

/** Wrong pieces as authors write them: other words of the file, a value of the wrong kind, nothing at all. */
const wrong = fc.constantFrom(
  "",
  "x",
  "3",
  "[]",
  "{}",
  "null",
  '"',
  "'",
  "{",
  "0xAB",
  "*",
  "&a",
  "any",
  "subject",
  "args.x",
  "zero",
  "- ",
  "true",
  "\t",
  "\u0000",
  "…",
);
const mutation = fc.record({
  file: fc.constantFrom(...texts),
  at: fc.nat(),
  length: fc.constantFrom(0, 1, 1, 1, 2),
  piece: fc.option(wrong),
  other: fc.nat(),
});

/** Replaces some words of a file by a wrong piece, or by another word of it. */
function mutate(
  text: string,
  { at, length, piece, other }: { at: number; length: number; piece: string | null; other: number },
): string {
  const words = text.split(/(\s+|[,:{}[\]"]+)/);
  words.splice(at % words.length, length, piece ?? (words[other % words.length] as string));
  return words.join("");
}

function isInside({ range: { start, end } }: Diagnostic, text: string): boolean {
  const lines = text.split("\n");
  const ordered = end.line > start.line || (end.line === start.line && end.column >= start.column);
  return (
    ordered &&
    start.line >= 1 &&
    start.line <= lines.length &&
    start.column >= 1 &&
    start.column <= (lines[start.line - 1] ?? "").length + 1
  );
}

describe("a rule file with a mistake anywhere", { timeout: 240_000 }, () => {
  it("is linted without a crash, with known codes at places inside the file, the same each time", () => {
    const codes = new Set(allCodes());
    fc.assert(
      fc.property(mutation, ({ file, ...change }) => {
        const text = mutate(file.text, change);
        const found = lintTexts({ [file.stem]: text });
        expect(found.filter((one) => one.code === "RL901").map((one) => one.help)).toEqual([]);
        expect(found.filter((one) => !codes.has(one.code) || !isInside(one, text)).map(placeOf)).toEqual([]);
        expect(found.filter((one) => one.message === "" || /undefined|\[object|NaN/.test(one.message))).toEqual([]);
        expect(lintTexts({ [file.stem]: text })).toEqual(found);
      }),
      { numRuns: 40 },
    );
  });
});
