import { describe, expect, it } from "vitest";
import { comparePrecedence, joinFiles, pairsOf } from "../../../src/tools/lint/checks/set/rule-set.ts";

const start = { line: 1, column: 1 };
const fileOf = (protocol: string, rules: object[]) => ({
  source: { file: `rules/${protocol}.yaml`, text: "", rangeOf: () => ({ start, end: start }) },
  document: { protocol, rules: rules.map((rule) => ({ id: (rule as { id: string }).id.split("/")[1] })) },
  rules,
});
const specificity = { place: 1, evidence: 1, legs: 0 };
const rule = (id: string, more: object = {}) => ({
  ...{ id, attempt: null, overrides: [], anchor: { kind: "none" }, yields: false, tier: 2, controlRank: 0, rank: 0 },
  ...{ defers: false, specificity, ...more },
});

function joined(...files: object[]) {
  return joinFiles(files as never, new Set(files.slice(0, 1)) as never);
}

describe("a set of rule files", () => {
  it("knows which rule stands above which, through others too", () => {
    const set = joined(
      fileOf("a", [rule("a/one", { overrides: ["a/two"] }), rule("a/one", { overrides: ["b/far"] }), rule("a/two")]),
      fileOf("b", [rule("b/far", { overrides: ["b/end"] }), rule("b/end", { overrides: ["b/far"] })]),
    );
    const above = (one: string, other: string) => set.overrides(one, other);
    expect([above("a/one", "a/two"), above("a/one", "b/far"), above("a/one", "b/end")]).toEqual([true, true, true]);
    expect([above("a/two", "a/one"), above("b/end", "a/one"), above("x", "a/one")]).toEqual([false, false, false]);
    // A ring ends.
    expect([above("b/far", "b/far"), above("b/far", "a/two")]).toEqual([true, false]);
  });

  it("groups views by their evidence, and pairs those of which one is asked for", () => {
    const call = { anchor: { kind: "call", call: null } };
    const set = joined(
      fileOf("a", [rule("a/one"), rule("a/two")]),
      fileOf("b", [rule("b/one"), rule("b/two"), rule("b/call", call)]),
    );
    expect([...set.byEvidence].map(([key, views]) => [key, views.length])).toEqual([
      ["none", 4],
      ["any call", 1],
    ]);
    const pairs = (group: readonly { rule: { id: string } }[]) =>
      pairsOf(group as never, set).map((pair) => pair.map((view) => view.rule.id).join(" "));
    const [one, two, three, four] = set.byEvidence.get("none") ?? [];
    const told = ["a/one a/two", "a/one b/one", "a/one b/two", "a/two b/one", "a/two b/two"];
    expect(pairs([one, two, three, four] as never)).toEqual(told);
    expect(pairs([three, one, four] as never)).toEqual(["b/one a/one", "a/one b/two"]);
    expect(pairs([three, four] as never)).toEqual([]);
  });
});

describe("what is told first", () => {
  const order = (one: object, other: object, overrides?: (a: string, b: string) => boolean) =>
    Math.sign(comparePrecedence({ rule: rule("a", one) } as never, { rule: rule("b", other) } as never, overrides));

  it.each<[string, object, object]>([
    ["what does not yield", {}, { yields: true, tier: 0 }],
    ["the higher tier", { tier: 1 }, { tier: 2 }],
    ["the more dangerous change of control", { controlRank: 0, rank: 3 }, { controlRank: 1, rank: 0 }],
    ["the higher action", { rank: 0 }, { rank: 1 }],
    ["what does not defer", {}, { defers: true, specificity: { ...specificity, legs: 2 } }],
    ["what asks for more", { specificity: { ...specificity, legs: 2 } }, {}],
  ])("is %s", (_what, first, second) => {
    expect([order(first, second), order(second, first)]).toEqual([-1, 1]);
  });

  it("is what overrides, before its action counts; nothing else decides", () => {
    const above = (wanted: string) => (one: string, other: string) => `${one} ${other}` === wanted;
    expect([order({ rank: 1 }, {}, above("a b")), order({}, { rank: 1 }, above("b a"))]).toEqual([-1, 1]);
    expect(order({ tier: 3 }, {}, above("a b"))).toBe(1);
    expect(order({}, {})).toBe(0);
  });
});
