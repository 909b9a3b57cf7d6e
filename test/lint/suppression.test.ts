import { describe, expect, it } from "vitest";
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
      '  - { id: a, action: nonsense, does: "do it" }',
    );
    expect(lintTexts({ market: broken }).map((one) => one.message)).toEqual([
      "`RL204` cannot be suppressed: the loader refuses the file",
      "`nonsense` is no action type",
    ]);
  });
});
