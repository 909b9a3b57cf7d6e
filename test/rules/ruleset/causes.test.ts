import { describe, expect, it } from "vitest";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const compiled = (causes: string) => compileTexts({ market: marketFile(`causes:\n${causes}`) });

describe("what errors of a file mean", () => {
  it("is found by their selectors, and by texts", () => {
    const { ruleset, diagnostics } = compiled(
      '  "error Denied(address who)": "it is denied"\n  "error Late(uint256 until)": "it came too late"\n  "STF": "nothing could be taken"\n',
    );
    expect(diagnostics).toEqual([]);
    const late = [...ruleset.errors.values()].find(({ name }) => name === "Late");
    expect(ruleset.errors.size).toBe(2);
    expect([...ruleset.causes]).toEqual([
      [[...ruleset.errors.keys()].find((hash) => hash !== late?.hash), "it is denied"],
      [late?.hash, "it came too late"],
      ["STF", "nothing could be taken"],
    ]);
  });

  it("needs signatures that parse", () => {
    const { diagnostics } = compiled('  "error Late(uint265 until)": "it came too late"\n');
    expect(diagnostics.map((one) => `${placeOf(one)}: ${one.message}`)).toEqual([
      "RL301 18:3-18:30 uint256: `uint265` is no type: integers have 8, 16, 24 … 256 bits",
    ]);
  });
});
