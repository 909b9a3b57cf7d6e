import { describe, expect, it } from "vitest";
import { lintTexts } from "./lint-text.ts";
import { codesOf, event, file, rule } from "./tied-rules.ts";

describe("two rules with different actions tie", () => {
  it.each([
    ["one event at one place", event, event],
    ["at places that share a contract", event, "anchor: { event: Moved }, at: [other, pool], subject: from"],
    [
      "ranges that meet",
      `${event}, when: { ">=": [{ var: amount }, "5"] }`,
      `${event}, when: { "<=": [{ var: amount }, "5"] }`,
    ],
    [
      "conditions on different things",
      `${event}, when: { var: up }`,
      `${event}, when: { ">": [{ var: amount }, "1"] }`,
    ],
    ["one call", "anchor: { call: move }, at: pool", "anchor: { call: [push, move] }, at: pool"],
    ["any call of one contract", "anchor: { call: any }, at: pool", "anchor: { call: any }, at: [pool, other]"],
    [
      "a movement",
      "anchor: { transfer: { to: pool } }, money: { gives: some }",
      "anchor: { transfer: { to: pool } }, money: { gives: some fungible }",
    ],
    [
      "one member",
      "anchor: { event: Moved }, at: made, subject: from",
      "anchor: { event: Moved }, at: made, subject: from",
    ],
    [
      "attempts by one call",
      "anchor: { call: any }, at: other, tried: [{ call: move, at: pool }]",
      "anchor: { call: push }, at: other, tried: [{ call: move, at: pool }]",
    ],
  ])("%s", (_, one, two) => {
    expect(codesOf(one, two)).toEqual(["RL701"]);
  });

  it("and both places are told, each with the other", () => {
    const found = lintTexts({
      one: file("one", rule("a", event)),
      two: file("two", rule("b", event, "lending_withdraw")),
    }).filter((one) => one.code === "RL701");
    expect(found.map((one) => [one.file, one.related?.map((related) => related.file)])).toEqual([
      ["rules/one.yaml", ["rules/two.yaml"]],
      ["rules/two.yaml", ["rules/one.yaml"]],
    ]);
  });

  it("and so do two protocols that say the same of one contract", () => {
    const files = { one: file("one", rule("a", event)), two: file("two", rule("b", event)) };
    expect(
      lintTexts(files)
        .map((one) => one.code)
        .filter((code) => code === "RL701"),
    ).toHaveLength(2);
  });
});

describe("two rules do not tie", () => {
  it.each([
    ["other contracts", event, "anchor: { event: Moved }, at: other, subject: from"],
    ["other topics", event, "anchor: { event: MovedIndexed }, at: pool, subject: from"],
    ["other people", event, "anchor: { event: Moved }, at: pool, subject: to"],
    [
      "an act and an attempt",
      "anchor: { call: move }, at: pool",
      "anchor: { call: push }, at: other, tried: [{ call: move, at: pool }]",
    ],
    ["other calls beside", `${event}, anchor: { call: move }`, `${event}, anchor: { call: push }`],
    ["other functions", "anchor: { call: move }, at: pool", "anchor: { call: push }, at: pool"],
    ["a proof and an address", event, "anchor: { event: Moved }, at: made, subject: from"],
    ["more legs", event, `${event}, money: { paid: { from: subject } }`],
    ["a flag and its opposite", `${event}, when: { var: up }`, `${event}, when: { "!": { var: up } }`],
    [
      "zero and more",
      `${event}, when: { "==": [{ var: amount }, "0"] }`,
      `${event}, when: { ">": [{ var: amount }, "0"] }`,
    ],
    [
      "a range and its rest",
      `${event}, when: [{ "<": [{ var: amount }, "9"] }]`,
      `${event}, when: { and: [{ "<=": ["9", { var: amount }] }] }`,
    ],
    [
      "different texts",
      `${event}, when: { "==": [{ var: tx.type }, deposit] }`,
      `${event}, when: { in: [{ var: tx.type }, [legacy, eip1559]] }`,
    ],
    [
      "different addresses",
      `${event}, when: { "==": [{ var: to }, zero] }`,
      `${event}, when: { in: [{ var: to }, pool] }`,
    ],
    [
      "one address and another side",
      `${event}, when: { "==": [{ var: to }, pool] }`,
      `${event}, when: { "==": [{ var: call.to }, pool] }`.replace("call.to", "args.from"),
    ],
    [
      "an or of which each part clashes",
      `${event}, when: { or: [{ "==": [{ var: amount }, "1"] }, { "==": [{ var: amount }, "2"] }] }`,
      `${event}, when: { ">": [{ var: amount }, "2"] }`,
    ],
    [
      "not (a or b) and a",
      `${event}, when: { "!": { or: [{ var: up }, { "==": [{ var: amount }, "2"] }] } }`,
      `${event}, when: { var: up }`,
    ],
    [
      "different first bytes",
      `${event}, when: { starts: [{ var: memo }, "0x00"] }`,
      `${event}, when: { starts: [{ var: memo }, "0x01"] }`,
    ],
    [
      "flows in opposite directions",
      "anchor: { call: move }, at: pool, money: { gives: some, gets: nothing }",
      "anchor: { call: move }, at: pool, money: { gives: nothing, gets: some }",
    ],
    [
      "flows of other kinds",
      "anchor: { call: move }, at: pool, money: { gives: one nft }",
      "anchor: { call: move }, at: pool, money: { gives: one fungible }",
    ],
    [
      "flows of other numbers",
      "anchor: { call: move }, at: pool, money: { gives: one erc20 }",
      "anchor: { call: move }, at: pool, money: { gives: several erc20 }",
    ],
    [
      "legs in opposite directions",
      `${event}, money: { a: { amount: amount, from: subject } }`,
      `${event}, money: { a: { amount: amount, from: pool } }`,
    ],
    [
      "a mint and a burn",
      `${event}, money: { a: { token: emitter, from: zero } }`,
      `${event}, money: { a: { token: native, to: zero } }`,
    ],
  ])("%s", (_, one, two) => {
    // It is a separate finding that one contract has two forms of an event.
    expect(codesOf(one, two).filter((code) => code !== "RL709")).toEqual([]);
  });

  it("when one overrides or yields, but then one may never stand", () => {
    expect(codesOf(`${event}, before: [b]`, event)).toEqual(["RL705"]);
    expect(codesOf(`${event}, after: everything`, event)).toEqual(["RL705"]);
    expect(codesOf(`${event}, when: { var: up }, before: [b]`, event)).toEqual([]);
  });

  it("when they have one action", () => {
    expect(
      codesOf(`${event}, when: { var: up }`, `${event}, when: { ">": [{ var: amount }, "1"] }`, ["stake", "stake"]),
    ).toEqual([]);
  });

  it("when their actions have places of their own", () => {
    expect(codesOf(`${event}, when: { var: up }`, event, ["lending_repay", "lending_supply"])).toEqual([]);
  });

  it("when money flow decides and they ask for different things", () => {
    const flows = `${rule("a", "money: { x: { from: subject }, gives: some }", "burn")}${rule("b", "money: { x: { to: zero }, gives: some }", "wrap")}`;
    const tied = `${rule("a", "money: { gives: some }", "burn")}${rule("b", "money: { gives: any }, when: { var: tx.creates }", "wrap")}`;
    const codes = (rules: string) => lintTexts({ market: file("market", rules, "standard") }).map((one) => one.code);
    expect(codes(flows)).not.toContain("RL701");
    expect(codes(tied)).toContain("RL701");
  });
});
