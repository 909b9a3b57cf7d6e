import { describe, expect, it } from "vitest";
import { codesOf, event } from "./tied-rules.ts";

describe("a rule that is never told", () => {
  const calls = (one: string, two: string) =>
    codesOf(`call: move, at: pool, overrides: [b]${one}`, `call: move, at: pool${two}`).includes("RL705");

  it("asks for as much as one that goes before it", () => {
    expect(calls("", "")).toBe(true);
    expect(calls(", flow: { gives: any }", ", flow: { gives: any }")).toBe(true);
    expect(calls(", flow: { gives: any }", "")).toBe(true);
  });

  it("is not one with money behind one without, which a call in calldata alone does not establish", () => {
    expect(calls("", ", flow: { gives: some fungible }")).toBe(false);
    expect(calls("", ", legs: { paid: { from: subject } }")).toBe(false);
  });
});

describe("a rule can never stand", () => {
  it.each([
    ["behind one without conditions", event, `${event}, where: { var: args.up }`],
    [
      "behind one with some of its conditions",
      `${event}, where: { var: args.up }`,
      `${event}, where: [{ var: args.up }, { uint_gt: [{ var: args.amount }, "1"] }]`,
    ],
    ["behind one for all its calls", "call: [move, push], at: pool", "call: push, at: pool"],
    ["behind one at more places", "event: Moved, at: [pool, other], who: args.from", event],
  ])("%s", (_, one, two) => {
    expect(codesOf(one, two, ["lending_repay", "lending_supply"])).toEqual(["RL705"]);
  });

  it.each([
    ["behind one that asks for more", `${event}, where: { var: args.up }`, event],
    ["behind one for another person", "event: Moved, at: pool, who: args.to", event],
    ["behind one that wants a leg", `${event}, legs: { a: { from: subject } }`, event],
    ["behind one that wants a flow", `${event}, flow: { gives: some }`, event],
    ["behind one with a call beside it", `${event}, call: move`, event],
    [
      "behind one that calldata alone does not show",
      "call: move, at: pool",
      "call: move, at: pool, flow: { gives: some }",
    ],
    ["behind one at fewer places", event, "event: Moved, at: [pool, other], who: args.from"],
  ])("but it may %s", (_, one, two) => {
    expect(codesOf(one, two, ["lending_repay", "lending_supply"])).toEqual([]);
  });
});
