import { describe, expect, it } from "vitest";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { specificityText } from "../../../src/rules/ruleset/precedence.ts";
import { compileRule, compileTexts, marketFile } from "./rule-text.ts";

function standing(rule: string): [number, string][] {
  const { rules, found } = compileRule(rule);
  expect(found).toEqual([]);
  return rules.map((one) => [one.tier, specificityText(one.specificity)]);
}

const protocol = tierRank("protocol");
const flow = tierRank("flow");

describe("standing is read off the rule", () => {
  it.each<[string, [number, string][]]>([
    ["action: stake, anchor: { event: Moved }, at: pool", [[protocol, "320"]]],
    ["action: stake, anchor: { event: Moved, within: move }, at: pool", [[protocol, "330"]]],
    ["action: stake, anchor: { event: Moved }, at: made", [[protocol, "220"]]],
    ["action: stake, anchor: { event: Moved }, at: [pool, made]", [[protocol, "220"]]],
    ["action: stake, anchor: { event: Moved }, at: moved", [[protocol, "120"]]],
    ["action: stake, anchor: { event: Moved }, at: any", [[flow, "020"]]],
    ["action: stake, anchor: { event: Moved }", [[flow, "020"]]],
    ["action: stake, anchor: { event: Moved, within: move, calls_at: pool }, at: any", [[protocol, "330"]]],
    ["action: stake, anchor: { call: move }, at: pool", [[protocol, "310"]]],
    [
      "action: stake, anchor: { call: [move, push] }, at: pool",
      [
        [protocol, "310"],
        [protocol, "310"],
      ],
    ],
    ["action: stake, anchor: { call: any }, at: pool", [[protocol, "300"]]],
    ["action: stake, anchor: { transfer: { to: pool } }", [[protocol, "310"]]],
    ["action: stake, money: { gives: some }", [[flow, "000"]]],
    ["action: wrap, money: { gives: some }", [[tierRank("flow"), "000"]]],
    [
      "action: stake, anchor: { event: Moved }, at: pool, money: { x: { from: subject }, y: { to: pool, optional: true } }",
      [[protocol, "321"]],
    ],
    [`action: stake, anchor: { event: Moved }, at: pool, when: { ">": [{ var: amount }, '1'] }`, [[protocol, "320"]]],
    [
      "action: stake, anchor: { event: Moved }, at: pool, tried: move",
      [
        [protocol, "310"],
        [protocol, "320"],
      ],
    ],
    [
      "action: stake, anchor: { event: Moved }, at: pool, tried: [{ call: any, at: any }]",
      [
        [flow, "000"],
        [protocol, "320"],
      ],
    ],
  ])("%s", (rule, expected) => {
    expect(standing(rule).sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual(expected);
  });

  it("and attempts say what was tried", () => {
    const { rules } = compileRule("action: stake, anchor: { event: Moved }, at: pool, tried: [move, push]");
    const attempts = rules.filter((rule) => rule.status === "reverted");
    expect(attempts.map(({ id, does, attempt }) => [id, does.text, attempt])).toEqual([
      ["market/a", "do it", 0],
      ["market/a", "do it", 1],
    ]);
  });

  it("and a version changes with what the rule says, not with its examples or its neighbours", () => {
    const version = (rest: string) =>
      compileTexts({ market: marketFile(rest) })
        .ruleset.rules.find((rule) => rule.id === "market/a")
        ?.version();
    const one = `rules:\n  - { id: a, action: stake, anchor: { call: move }, at: pool, say: "do it" }\n`;
    const neighbour = `  - { id: b, action: stake, anchor: { call: push }, at: pool, say: "do it" }\n`;
    expect(version(one)).toMatch(/^[0-9a-f]{12}$/);
    expect(version(`${one}${neighbour}examples: [{ given: {}, not: a }]\n`)).toBe(version(one));
    expect(version(one.replace("do it", "do that"))).not.toBe(version(one));
  });
});
