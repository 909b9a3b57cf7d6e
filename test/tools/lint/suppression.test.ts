import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { applySuppressions } from "../../../src/tools/lint/lint.ts";
import { lintTexts, placeOf } from "./lint-text.ts";

const text = (above: string, ...fields: string[]) => `protocol: market
name: Market
kind: standard
abi:
${above}  move: "function move()"
${fields.map((field) => `${field}\n`).join("")}`;

function found(above: string): string[] {
  return lintTexts({ market: text(above) }).map((one) => `${placeOf(one)} ${one.message}`);
}

describe("# rule-lint-disable-next-line", () => {
  it("takes out what it names, in the next line only", () => {
    expect(found("")).toEqual(["RL506 5:3-5:7 `move` is not used in this file"]);
    expect(found("  # rule-lint-disable-next-line RL506 -- the next version calls it\n")).toEqual([]);
    expect(found("  # rule-lint-disable-next-line RL506 -- too far away\n\n")).toEqual([
      "RL801 5:3-5:54 there is no `RL506` in the next line to suppress",
      "RL506 7:3-7:7 `move` is not used in this file",
    ]);
  });

  it("takes several codes, and tells which of them did nothing", () => {
    expect(found("  # rule-lint-disable-next-line RL506, RL502 -- both\n")).toEqual([
      "RL801 5:3-5:53 there is no `RL502` in the next line to suppress",
    ]);
  });

  it("wants a reason and a code", () => {
    expect(found("  # rule-lint-disable-next-line RL506\n")).toEqual([
      "RL801 5:3-5:38 the suppression gives no reason; ` -- reason` was expected",
    ]);
    expect(found("  # rule-lint-disable-next-line -- because\n")).toEqual([
      "RL801 5:3-5:43 the suppression names no code; one such as `RL502` was expected",
      "RL506 6:3-6:7 `move` is not used in this file",
    ]);
  });

  it("does not hide what the loader refuses", () => {
    const broken = text(
      "",
      "rules:",
      "  # rule-lint-disable-next-line RL204 -- please",
      '  - { id: a, action: nonsense, say: "do it" }',
    );
    expect(lintTexts({ market: broken }).map((one) => one.message)).toEqual([
      "`RL204` cannot be suppressed: the loader refuses the file",
      "`nonsense` is no action type",
    ]);
  });
});

describe("suppressions of a text", () => {
  const at = (line: number, code = "RL502"): Diagnostic => {
    const start = { line, column: 3 };
    return { code, level: "warning", file: "a.yaml", range: { start, end: start }, message: "it" };
  };
  const told = (text: string, ...diagnostics: Diagnostic[]) =>
    applySuppressions("a.yaml", text, diagnostics).map((one) => [placeOf(one), one.message]);
  const line = "  # rule-lint-disable-next-line RL502";

  it("take out findings of their code in the next line", () => {
    const text = `a:\n${line},  RL506   --   a reason  \nb:`;
    expect(told(text, at(3), at(3), at(3, "RL506"))).toEqual([]);
    expect(told(text, at(2), at(3, "RL506"), at(3, "RL507"))).toEqual([
      ["RL502 2:3-2:3", "it"],
      ["RL507 3:3-3:3", "it"],
      ["RL801 2:3-2:62", "there is no `RL502` in the next line to suppress"],
    ]);
    expect(told("# rule-lint-disable-next-line RL502 -- why\n", at(2))).toEqual([]);
  });

  it("want a reason, a code, and none that the loader refuses", () => {
    expect(told(`${line} --   \n`, at(2))).toEqual([
      ["RL801 1:3-1:41", "the suppression gives no reason; ` -- reason` was expected"],
    ]);
    expect(told("# rule-lint-disable-next-line -- why", at(2))).toEqual([
      ["RL502 2:3-2:3", "it"],
      ["RL801 1:1-1:37", "the suppression names no code; one such as `RL502` was expected"],
    ]);
    expect(told("# rule-lint-disable-next-line RL303 RL502 -- why", at(2), at(2, "RL303"))).toEqual([
      ["RL303 2:3-2:3", "it"],
      ["RL801 1:1-1:49", "`RL303` cannot be suppressed: the loader refuses the file"],
    ]);
    expect(told("# rule-lint-disable-next-lineRL502 -- why", at(2))).toEqual([["RL502 2:3-2:3", "it"]]);
  });
});
