import { describe, expect, it } from "vitest";
import { decide } from "../src/decide.ts";
import { labels, ruleset } from "./property/world.ts";
import { alice, bob, caseOf, transferLog, usdc } from "./support/case-of.ts";

describe("src/decide.ts, for programs outside", () => {
  const file = caseOf({ receipt: { logs: [transferLog(usdc, alice, bob, 5_000_000n)] } });

  it("decides with labels that know no calendar as with those that do", () => {
    const { calendar: _, ...own } = { ...labels };
    const { explanation } = decide(file, ruleset, labels);
    expect(decide(file, ruleset, own as typeof labels).explanation).toEqual(explanation);
    expect(explanation.assets_moved).toHaveLength(1);
  });
});
