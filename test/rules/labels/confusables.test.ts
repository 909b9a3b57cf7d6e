import { describe, expect, it } from "vitest";
import { createSkeletons } from "../../../src/engine/assess/tokens/skeleton.ts";
import table from "../../../src/rules/labels/confusables.json" with { type: "json" };
import { readConfusables } from "../../../src/rules/labels/load.ts";

describe("letters that look alike", () => {
  const prototypes = readConfusables();

  it("are all of Unicode 17", () => {
    expect([table.version, Object.keys(prototypes).length]).toEqual(["17.0.0", 6565]);
  });

  it("are one sign each, and lead to a form that leads nowhere else", () => {
    for (const [sign, form] of Object.entries(prototypes)) {
      expect([...sign]).toHaveLength(1);
      for (const one of form) expect(prototypes[one] ?? one).toBe(one);
    }
  });

  it.each([
    ["of every version", "\u0391\u0412\u0421", "ABC"],
    ["digits and letters", "1l|I0O", "llllOO"],
    ["of two letters", "\u2100", "a/c"],
    ["of Unicode 16", "\u{1ccd6}\u{1ccef}", "AZ"],
  ])("are found: %s", (_name, text, skeleton) => {
    expect(createSkeletons(prototypes).skeleton(text)).toBe(skeleton);
  });
});
