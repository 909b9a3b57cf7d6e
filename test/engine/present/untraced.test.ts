import { describe, expect, it } from "vitest";
import { FlowPhrases } from "../../../src/engine/present/amounts/flow-phrases.ts";
import { shippedTeller } from "../../support/wording.ts";

/** What is told of an empty side of a flow. */
function told(side: "gives" | "gets", { complete = false, bases = ["log"] }: { complete?: boolean; bases?: string[] }) {
  const flow = { gives: [], gets: [], complete };
  const tx = { movements: bases.map((basis) => ({ basis })) };
  const phrases = new FlowPhrases({} as never, shippedTeller(), (address) => address);
  return phrases.side({ flow, tx } as never, side)?.text;
}

describe("an amount that nobody saw", () => {
  it("is ether for who got something where wrapped ether was unwrapped, and of any asset otherwise", () => {
    expect(told("gets", { bases: ["log", "inferred"] })).toBe("ETH (not traced)");
    expect(told("gets", {})).toBe("an amount that could not be traced");
    expect(told("gives", { bases: ["log", "inferred"] })).toBe("an amount that could not be traced");
    expect(told("gives", { bases: [] })).toBe("an amount that could not be traced");
  });

  it("is none where everything was seen", () => {
    expect(told("gets", { complete: true, bases: ["inferred"] })).toBeUndefined();
  });
});
