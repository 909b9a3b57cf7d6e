import { describe, expect, it } from "vitest";
import type { CompiledRule } from "../../../src/rules/ruleset/compiled.ts";
import { type Contender, comparing, criterionNames, specificityText } from "../../../src/rules/ruleset/precedence.ts";
import { ruleset } from "../../property/world.ts";

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

/** Pairs in which the first goes before the second by that criterion alone. */
const pairs: [string, Contender, Contender][] = [
  ["yields", contender({}), contender({ yields: true })],
  ["gift", { ...contender({}), gift: "left" }, { ...contender({}), gift: "taken" }],
  ["tier", contender({}), contender({ tier: 3 })],
  ["control", contender({ controlRank: 0 }), contender({ controlRank: 1 })],
  ["overrides", contender({ id: "over" }), contender({ id: "under" })],
  [
    "place",
    contender({ specificity: { place: 2, evidence: 0, legs: 0 } }),
    contender({ specificity: { place: 1, evidence: 9, legs: 9 } }),
  ],
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
    const [strong, weak] = [contender({ rank: 2 }), contender({ specificity: { place: 2, evidence: 0, legs: 0 } })];
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

  it.each([
    [
      { place: 3, evidence: 0, legs: 0 },
      { place: 2, evidence: 9, legs: 9 },
    ],
    [
      { place: 3, evidence: 2, legs: 0 },
      { place: 3, evidence: 1, legs: 9 },
    ],
    [
      { place: 3, evidence: 2, legs: 1 },
      { place: 3, evidence: 2, legs: 0 },
    ],
  ])("finds %j more specific than %j: the place first, then the evidence, then the legs", (more, less) => {
    const [first, second] = [contender({ specificity: more }), contender({ specificity: less })];
    const order = comparing(["specificity"]);
    expect([order(first, second) < 0, order(second, first) > 0, order(first, first)]).toEqual([true, true, 0]);
  });

  it("sees no gift where none was taken", () => {
    const order = comparing(["gift"]);
    const gifts = ["left", null, undefined].map((gift) => ({ ...contender({}), ...(gift !== undefined && { gift }) }));
    for (const a of gifts as Contender[]) for (const b of gifts as Contender[]) expect(order(a, b)).toBe(0);
  });

  it("takes a rule that is no attempt for the first one", () => {
    const [plain, first, second] = [null, 0, 1].map((attempt) => contender({ attempt })) as [
      Contender,
      Contender,
      Contender,
    ];
    const order = comparing(["attempt"]);
    expect([order(plain, first), order(plain, second), order(second, plain)]).toEqual([0, -1, 1]);
  });

  it("asks of no overrides where none are given, and leaves equals equal", () => {
    expect(comparing(criterionNames)(contender({ id: "a" }), contender({ id: "a" }))).toBe(0);
    expect(comparing(["overrides"])(contender({ id: "over" }), contender({ id: "under" }))).toBe(0);
    expect(comparing([])(contender({ tier: 1 }), contender({ tier: 2 }))).toBe(0);
  });

  it("writes specificity as place, evidence and legs", () => {
    expect(specificityText({ place: 3, evidence: 2, legs: 1 })).toBe("321");
  });
});
