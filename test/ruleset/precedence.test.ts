import { describe, expect, it } from "vitest";
import type { CompiledRule } from "../../src/ruleset/compiled.ts";
import { type Contender, comparing, criterionNames, specificityText } from "../../src/ruleset/precedence.ts";
import { ruleset } from "../property/world.ts";

const [some] = ruleset.rules as [CompiledRule];
const even = {
  tier: 2,
  rank: 1,
  controlRank: 1,
  yields: false,
  defers: false,
  specificity: { place: 3, evidence: 2, legs: 1 },
};

function contender(parts: Partial<CompiledRule>, position = 5): Contender {
  return { rule: { ...some, ...even, id: "a/b", ...parts }, position };
}

/** What goes first, and what goes after it by that criterion alone. */
const pairs: [string, Contender, Contender][] = [
  ["yields", contender({}), contender({ yields: true })],
  ["gift", { ...contender({}), gift: "left" }, { ...contender({}), gift: "taken" }],
  ["tier", contender({}), contender({ tier: 3 })],
  ["control", contender({ controlRank: 0 }), contender({ controlRank: 1 })],
  ["overrides", contender({ id: "over" }), contender({ id: "under" })],
  ["rank", contender({}), contender({ rank: 2 })],
  ["defers", contender({}), contender({ defers: true })],
  ["specificity", contender({}), contender({ specificity: { place: 2, evidence: 3, legs: 9 } })],
  ["position", contender({}, 4), contender({}, 5)],
  ["id", contender({ id: "a/a" }), contender({ id: "a/b" })],
  ["attempt", contender({ attempt: 0 }), contender({ attempt: 1 })],
];

const compare = comparing(criterionNames, (one, other) => Number(one.id === "under") - Number(other.id === "under"));

describe("precedence", () => {
  it("has the criteria in this order", () => {
    expect(criterionNames).toEqual(pairs.map(([name]) => name));
  });

  it.each(pairs)("is decided by %s when all before it are equal", (_name, first, second) => {
    expect(compare(first, second)).toBeLessThan(0);
    expect(compare(second, first)).toBeGreaterThan(0);
  });

  it("of two criteria asks the earlier one, however few are asked", () => {
    const [strong, weak] = [contender({ rank: 2 }), contender({ specificity: { place: 0, evidence: 0, legs: 0 } })];
    expect(compare(weak, strong)).toBeLessThan(0);
    expect(comparing(["specificity", "rank"])(weak, strong)).toBeLessThan(0);
    expect(comparing(["specificity"])(weak, strong)).toBeGreaterThan(0);
  });

  it("counts the fallback tier among what stands only when nothing else does", () => {
    const fallback = Math.max(...ruleset.rules.map(({ tier }) => tier));
    const plain = contender({ tier: fallback });
    expect(comparing(["yields"])(plain, contender({ yields: true }))).toBe(0);
    expect(comparing(["yields"])(contender({}), plain)).toBeLessThan(0);
  });

  it("writes specificity as place, evidence and legs", () => {
    expect(specificityText({ place: 3, evidence: 2, legs: 1 })).toBe("321");
  });
});
