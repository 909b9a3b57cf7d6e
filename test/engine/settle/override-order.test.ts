import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/engine/match/candidate.ts";
import { overrideOrder } from "../../../src/engine/settle/settle.ts";
import type { FitParts } from "../../support/candidate.ts";
import { candidate } from "./order-case.ts";

interface Named {
  id: string;
  overrides?: string[];
  defers?: boolean;
  action?: string;
  tier?: number;
}

/** Rules by level. Rules of the same level go neither before nor after each other. */
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

  it("are ordered even if two override each other", () => {
    const round = [
      { id: "a", overrides: ["b"] },
      { id: "b", overrides: ["a"] },
    ];
    expect(levelsOf(round).flat().sort()).toEqual(["a", "b"]);
  });
});

describe("the order of rules that override", () => {
  const rule = (id: string, more: FitParts["rule"] = {}) => candidate(id, { rule: more });
  const levels = (...list: Candidate[]) => {
    const order = overrideOrder(list);
    return Object.fromEntries(list.map((one) => [one.rule.id, order(one.rule, (list[0] as Candidate).rule)]));
  };

  it("is by the longest chain above a rule", () => {
    const [a, b, c] = [
      rule("a", { overrides: ["b", "d"] }),
      rule("b", { overrides: ["c"] }),
      rule("c", { overrides: ["d"] }),
    ];
    expect(levels(a, b, c, rule("d"), rule("e"))).toEqual({ a: 0, b: 1, c: 2, d: 3, e: 0 });
    expect(levels(a, a, b)).toEqual({ a: 0, b: 1 });
  });

  it("is empty if no rule overrides another", () => {
    expect(levels(rule("a", { defers: true }), rule("b"))).toEqual({ a: 0, b: 0 });
  });

  it("is found even if rules override each other", () => {
    expect(Object.keys(levels(rule("a", { overrides: ["b"] }), rule("b", { overrides: ["a"] })))).toEqual(["a", "b"]);
  });

  it("puts a rule that defers as deep as the deepest rule of its action and tier that does not defer", () => {
    const parts = [rule("a", { overrides: ["b"] }), rule("b"), rule("c", { defers: true })];
    expect(levels(...parts)).toEqual({ a: 0, b: 1, c: 1 });
    expect(levels(parts[0] as Candidate, rule("b", { defers: true }), rule("c", { defers: true }))).toEqual({
      a: 0,
      b: 1,
      c: 0,
    });
    expect(levels(parts[0] as Candidate, rule("b", { action: "other" }), rule("c", { defers: true })).c).toBe(0);
    const other = candidate("b", { tier: "transfer" });
    expect(levels(parts[0] as Candidate, other, rule("c", { defers: true })).c).toBe(0);
    expect(levels(rule("a", { overrides: ["c"] }), rule("c", { defers: true })).c).toBe(1);
  });
});
