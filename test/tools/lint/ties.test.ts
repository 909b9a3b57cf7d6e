import { describe, expect, it } from "vitest";
import { lintTexts } from "./lint-text.ts";
import { codesOf, event, file, rule } from "./tied-rules.ts";

describe("two rules with different actions tie", () => {
  it.each([
    ["one event at one place", event, event],
    ["at places that share a contract", event, "event: Moved, at: [other, pool], who: args.from"],
    [
      "ranges that meet",
      `${event}, where: { uint_gte: [{ var: args.amount }, "5"] }`,
      `${event}, where: { uint_lte: [{ var: args.amount }, "5"] }`,
    ],
    [
      "conditions on different things",
      `${event}, where: { var: args.up }`,
      `${event}, where: { uint_gt: [{ var: args.amount }, "1"] }`,
    ],
    ["one call", "call: move, at: pool", "call: [push, move], at: pool"],
    ["any call of one contract", "call: any, at: pool", "call: any, at: [pool, other]"],
    [
      "a movement",
      "transfer: { to: pool }, flow: { gives: some }",
      "transfer: { to: pool }, flow: { gives: some fungible }",
    ],
    ["one member", "event: Moved, at: made, who: args.from", "event: Moved, at: made, who: args.from"],
    [
      "attempts by one call",
      "call: any, at: other, attempts: [{ call: move, at: pool }]",
      "call: push, at: other, attempts: [{ call: move, at: pool }]",
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
    ["other contracts", event, "event: Moved, at: other, who: args.from"],
    ["other topics", event, "event: MovedIndexed, at: pool, who: args.from"],
    ["other people", event, "event: Moved, at: pool, who: args.to"],
    ["an act and an attempt", "call: move, at: pool", "call: push, at: other, attempts: [{ call: move, at: pool }]"],
    ["other calls beside", `${event}, call: move`, `${event}, call: push`],
    ["other functions", "call: move, at: pool", "call: push, at: pool"],
    ["a proof and an address", event, "event: Moved, at: made, who: args.from"],
    ["more legs", event, `${event}, legs: { paid: { from: subject } }`],
    ["a flag and its opposite", `${event}, where: { var: args.up }`, `${event}, where: { "!": { var: args.up } }`],
    [
      "zero and more",
      `${event}, where: { uint_eq: [{ var: args.amount }, "0"] }`,
      `${event}, where: { uint_gt: [{ var: args.amount }, "0"] }`,
    ],
    [
      "a range and its rest",
      `${event}, where: [{ uint_lt: [{ var: args.amount }, "9"] }]`,
      `${event}, where: { and: [{ uint_lte: ["9", { var: args.amount }] }] }`,
    ],
    [
      "different texts",
      `${event}, where: { "==": [{ var: tx.type }, deposit] }`,
      `${event}, where: { in: [{ var: tx.type }, [legacy, eip1559]] }`,
    ],
    [
      "different addresses",
      `${event}, where: { addr_eq: [{ var: args.to }, zero] }`,
      `${event}, where: { addr_in: [{ var: args.to }, pool] }`,
    ],
    [
      "one address and another side",
      `${event}, where: { addr_eq: [{ var: args.to }, pool] }`,
      `${event}, where: { addr_eq: [{ var: call.to }, pool] }`.replace("call.to", "args.from"),
    ],
    [
      "an or of which each part clashes",
      `${event}, where: { or: [{ uint_eq: [{ var: args.amount }, "1"] }, { uint_eq: [{ var: args.amount }, "2"] }] }`,
      `${event}, where: { uint_gt: [{ var: args.amount }, "2"] }`,
    ],
    [
      "not (a or b) and a",
      `${event}, where: { "!": { or: [{ var: args.up }, { uint_eq: [{ var: args.amount }, "2"] }] } }`,
      `${event}, where: { var: args.up }`,
    ],
    [
      "different first bytes",
      `${event}, where: { bytes_starts: [{ var: args.memo }, "0x00"] }`,
      `${event}, where: { bytes_starts: [{ var: args.memo }, "0x01"] }`,
    ],
    [
      "flows in opposite directions",
      "call: move, at: pool, flow: { gives: some, gets: nothing }",
      "call: move, at: pool, flow: { gives: nothing, gets: some }",
    ],
    [
      "flows of other kinds",
      "call: move, at: pool, flow: { gives: one nft }",
      "call: move, at: pool, flow: { gives: one fungible }",
    ],
    [
      "flows of other numbers",
      "call: move, at: pool, flow: { gives: one erc20 }",
      "call: move, at: pool, flow: { gives: several erc20 }",
    ],
    [
      "legs in opposite directions",
      `${event}, legs: { a: { amount: args.amount, from: subject } }`,
      `${event}, legs: { a: { amount: args.amount, from: pool } }`,
    ],
    [
      "a mint and a burn",
      `${event}, legs: { a: { token: emitter, from: zero } }`,
      `${event}, legs: { a: { token: native, to: zero } }`,
    ],
  ])("%s", (_, one, two) => {
    // It is a separate finding that one contract has two forms of an event.
    expect(codesOf(one, two).filter((code) => code !== "RL709")).toEqual([]);
  });

  it("when one overrides or yields, but then one may never stand", () => {
    expect(codesOf(`${event}, overrides: [b]`, event)).toEqual(["RL705"]);
    expect(codesOf(`${event}, yields: true`, event)).toEqual(["RL705"]);
    expect(codesOf(`${event}, where: { var: args.up }, overrides: [b]`, event)).toEqual([]);
  });

  it("when they have one action", () => {
    expect(
      codesOf(`${event}, where: { var: args.up }`, `${event}, where: { uint_gt: [{ var: args.amount }, "1"] }`, [
        "stake",
        "stake",
      ]),
    ).toEqual([]);
  });

  it("when their actions have places of their own", () => {
    expect(codesOf(`${event}, where: { var: args.up }`, event, ["lending_repay", "lending_supply"])).toEqual([]);
  });

  it("when money flow decides and they ask for different things", () => {
    const flows = `${rule("a", "flow: { gives: some }, legs: { x: { from: subject } }", "burn")}${rule("b", "flow: { gives: some }, legs: { x: { to: zero } }", "wrap")}`;
    const tied = `${rule("a", "flow: { gives: some }", "burn")}${rule("b", "flow: { gives: any }, where: { var: tx.creates }", "wrap")}`;
    const codes = (rules: string) => lintTexts({ market: file("market", rules, "standard") }).map((one) => one.code);
    expect(codes(flows)).not.toContain("RL701");
    expect(codes(tied)).toContain("RL701");
  });
});
