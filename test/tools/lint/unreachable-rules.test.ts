import { describe, expect, it } from "vitest";
import { codesOf, event } from "./tied-rules.ts";

describe("a rule that is never told", () => {
  const calls = (one: string, two: string) =>
    codesOf(`anchor: { call: move }, at: pool, before: [b]${one}`, `anchor: { call: move }, at: pool${two}`).includes(
      "RL705",
    );

  it("asks for as much as one that goes before it", () => {
    expect(calls("", "")).toBe(true);
    expect(calls(", money: { gives: any }", ", money: { gives: any }")).toBe(true);
    expect(calls(", money: { gives: any }", "")).toBe(true);
  });

  it("is not one with money behind one without, which a call in calldata alone does not establish", () => {
    expect(calls("", ", money: { gives: some fungible }")).toBe(false);
    expect(calls("", ", money: { paid: { from: subject } }")).toBe(false);
  });
});

describe("a rule can never stand", () => {
  it.each([
    ["behind one without conditions", event, `${event}, when: { var: up }`],
    [
      "behind one with some of its conditions",
      `${event}, when: { var: up }`,
      `${event}, when: [{ var: up }, { ">": [{ var: amount }, "1"] }]`,
    ],
    ["behind one for all its calls", "anchor: { call: [move, push] }, at: pool", "anchor: { call: push }, at: pool"],
    ["behind one at more places", "anchor: { event: Moved }, at: [pool, other], subject: from", event],
  ])("%s", (_, one, two) => {
    expect(codesOf(one, two, ["lending_repay", "lending_supply"])).toEqual(["RL705"]);
  });

  it.each([
    ["behind one that asks for more", `${event}, when: { var: up }`, event],
    ["behind one for another person", "anchor: { event: Moved }, at: pool, subject: to", event],
    ["behind one that wants a leg", `${event}, money: { a: { from: subject } }`, event],
    ["behind one that wants a flow", `${event}, money: { gives: some }`, event],
    ["behind one with a call beside it", `${event}, anchor: { call: move }`, event],
    [
      "behind one that calldata alone does not show",
      "anchor: { call: move }, at: pool",
      "anchor: { call: move }, at: pool, money: { gives: some }",
    ],
    ["behind one at fewer places", event, "anchor: { event: Moved }, at: [pool, other], subject: from"],
  ])("but it may %s", (_, one, two) => {
    expect(codesOf(one, two, ["lending_repay", "lending_supply"])).toEqual([]);
  });
});
