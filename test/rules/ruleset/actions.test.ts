import { describe, expect, it } from "vitest";
import { type ActionType, resolveActions, tierNames, tierOf, tierRank } from "../../../src/rules/ruleset/actions.ts";

const entry = (...over: string[]) => ({ definition: "x", does: "do it", ...(over.length > 0 && { over }) });

describe("the action table", () => {
  it("ranks a type below the longest chain above it", () => {
    const { actions, problems } = resolveActions({
      protocol: { a: entry("b", "c"), b: entry("c"), c: entry(), d: entry("c") },
      transfer: { send: { ...entry(), exchanges: true } as ReturnType<typeof entry> },
    });
    expect(problems).toEqual([]);
    expect([...actions.values()].map(({ id, tier, over, rank }) => [id, tier, over, rank])).toEqual([
      ["a", "protocol", ["b", "c"], 0],
      ["b", "protocol", ["c"], 1],
      ["c", "protocol", [], 2],
      ["d", "protocol", ["c"], 0],
      ["send", "transfer", [], 0],
    ]);
    expect([actions.get("send")?.exchanges, actions.get("a")?.definition, actions.get("a")?.does.text]).toEqual([
      true,
      "x",
      "do it",
    ]);
  });

  it("tells of types that are not there or of another tier, and of circles", () => {
    const { problems } = resolveActions({
      protocol: { a: entry("b", "nope"), b: entry("a", "send") },
      transfer: { send: entry() },
    });
    const path = (id: string) => ["protocol", id, "over"];
    expect(problems).toEqual([
      { path: path("a"), message: "`nope` is no action of the same tier" },
      { path: path("b"), message: "`send` is no action of the same tier" },
      { path: path("a"), message: "`over` goes in a circle: a → b → a" },
      { path: path("b"), message: "`over` goes in a circle: b → a → b" },
      { path: path("b"), message: "`over` goes in a circle: send → b → a → b" },
    ]);
  });

  it.each<[ActionType["tier"], number, boolean, ActionType["tier"]]>([
    ["protocol", 0, false, "flow"],
    ["protocol", 1, false, "protocol"],
    ["fallback", 1, false, "fallback"],
    ["fallback", 2, false, "act"],
    ["fallback", 2, true, "fallback"],
    ["approval", 0, false, "approval"],
    ["transfer", 3, false, "transfer"],
  ])("puts a rule of %s with proof %i, for others: %s, into %s", (tier, strength, forOthers, place) => {
    expect(tierOf({ tier } as ActionType, strength, forOthers)).toBe(tierRank(place));
  });

  it("has its tiers in the order of their strength", () => {
    expect(tierNames.map(tierRank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
