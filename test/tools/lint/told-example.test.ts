import { describe, expect, it } from "vitest";
import { lint } from "../../../src/tools/lint/lint.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { noRecordings } from "./lint-text.ts";

const toldOf = (path: string) => lint(findSources([path]), noRecordings).examples();

describe("what the examples of a file are told as", () => {
  it("is the answer to the first example of each rule, also where a finding is about it", () => {
    expect(toldOf("test/tools/lint/RL609/bad.yaml")).toEqual([
      {
        rule: "mint",
        sentence: "0xA11C…11Ce minted a hat on Example Hats. By this Example hats #2 went to 0xb0B0…0B0B.",
      },
    ]);
  });

  it("is for a message what is asked", () => {
    expect(toldOf("test/tools/lint/RL316/good.yaml")).toEqual([
      { rule: "sign-order", sentence: "0xA11C…11Ce is asked to sell 1 USDC for at least 0.0003 WETH on Example Swap." },
    ]);
  });

  it("is nothing of a file that the loader refuses", () => {
    expect(toldOf("test/tools/lint/RL302/bad.yaml")).toEqual([]);
  });
});
