import { describe, expect, it } from "vitest";
import { overrideOrder } from "../../src/settle/override-order.ts";

interface Named {
  id: string;
  overrides?: string[];
  defers?: boolean;
  action?: string;
  tier?: number;
}

/** Rules that stand level by level: those of one level go neither before nor after each other. */
function levelsOf(named: readonly Named[]): string[][] {
  const rules = named.map((one) => ({ overrides: [], defers: false, action: "swap", tier: 1, ...one }));
  const order = overrideOrder(rules.map((rule) => ({ rule })) as never);
  const ids = [...rules].sort((a, b) => order(a as never, b as never) || (a.id < b.id ? -1 : 1));
  const levels: (typeof rules)[] = [];
  for (const rule of ids) {
    const last = levels.at(-1);
    if (last?.[0] !== undefined && order(last[0] as never, rule as never) === 0) last.push(rule);
    else levels.push([rule]);
  }
  return levels.map((level) => level.map(({ id }) => id));
}

describe("rules by what they override", () => {
  const chain = [{ id: "a", overrides: ["b"] }, { id: "b", overrides: ["c"] }, { id: "c" }];
  it.each<[string, string[][], Named[]]>([
    ["are equal where none does", [["a", "b"]], [{ id: "a" }, { id: "b" }]],
    ["go before those that they override", [["b"], ["a"]], [{ id: "a" }, { id: "b", overrides: ["a"] }]],
    ["go in the order of a chain", [["a"], ["b"], ["c"]], chain],
    [
      "stand behind the longest chain, listed first",
      [["a", "d"], ["b"], ["c"]],
      [...chain, { id: "d", overrides: ["c"] }],
    ],
    [
      "stand behind the longest chain, listed last",
      [["a", "d"], ["b"], ["c"]],
      [{ id: "d", overrides: ["c"] }, ...chain],
    ],
    ["may override what is not there", [["a", "b"]], [{ id: "a", overrides: ["z"] }, { id: "b" }]],
    [
      "are as deep as what a rule that defers waits for",
      [["a"], ["b", "d"]],
      [...chain.slice(0, 1), { id: "b" }, { id: "d", defers: true }],
    ],
    [
      "wait for no other action",
      [["a", "d"], ["b"]],
      [...chain.slice(0, 1), { id: "b" }, { id: "d", defers: true, action: "burn" }],
    ],
    [
      "wait for no other tier",
      [["a", "d"], ["b"]],
      [...chain.slice(0, 1), { id: "b" }, { id: "d", defers: true, tier: 2 }],
    ],
  ])("%s", (_what, expected, named) => expect(levelsOf(named)).toEqual(expected));

  it("end though two override each other", () => {
    const round = [
      { id: "a", overrides: ["b"] },
      { id: "b", overrides: ["a"] },
    ];
    expect(levelsOf(round).flat().sort()).toEqual(["a", "b"]);
  });
});
