import { describe, expect, it } from "vitest";
import { transferTopic } from "../../../src/kernel/token-standards.ts";
import { changedFlows } from "../../../src/tools/lint/mutation/changed-flow.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import { dai, type Given, move, originalOf, pool, subject, usdc, word } from "./forged-case.ts";

const { thief } = forgers;

describe("money that a rule asks for", () => {
  const changes = (given: Given) =>
    changedFlows(originalOf({ logs: (given.movements ?? []).map(() => transferLog), ...given })).map(
      ({ kind, change, caseFile }) => [kind, change, caseFile.receipt.logs.length],
    );
  const transferLog = { address: usdc, topics: [transferTopic, word(subject), word(pool)], data: word("5") };
  const all = (name: string, left: number, of: number) => [
    ["swapped-sides", name, of],
    ["zeroed-amount", name, of],
    ["dropped-leg", name, left],
  ];
  const leg = { name: "paid", optional: false, many: false };
  const alike = [move(0), move(1, { fee: true }), move(2), move(3, { to: thief }), move(4, { token: dai })];

  it("is that of its needed legs, with what is like it", () => {
    const given = (more: object) => ({
      movements: alike,
      rule: { legs: [{ ...leg, ...more }] },
      context: { legs: [alike[0]] },
    });
    expect(changes(given({}))).toEqual(all("leg paid", 3, 5));
    expect([changes(given({ optional: true })), changes(given({ many: true }))]).toEqual([[], []]);
    expect(changes({ ...given({}), context: { legs: [null] } })).toEqual([]);
    const from = [move(0), move(1, { from: thief })];
    expect(changes({ movements: from, rule: { legs: [leg] }, context: { legs: [from[0]] } })).toEqual(
      all("leg paid", 1, 2),
    );
  });

  it("is that of its anchor, once", () => {
    expect(changes({ movements: alike, context: { move: alike[3] } })).toEqual(all("the transfer", 4, 5));
    const both = { movements: alike, rule: { legs: [leg] }, context: { legs: [alike[0]], move: alike[2] } };
    expect(changes(both)).toEqual(all("leg paid", 3, 5));
  });

  it("is that of the sides of its flow", () => {
    const asset = (kind: string, ...movements: number[]) => ({ kind, movements });
    const movements = [move(0), move(1), move(2, { to: subject }), move(3)];
    const flow = { complete: true, gives: [asset("erc20", 0, 2), asset("nft", 1), asset("native", 3)], gets: [] };
    const given = (gives: object | null, more: object = {}) => ({
      ...{
        movements,
        rule: { flow: { gives: gives && { kind: "any", min: 1, unseen: false, ...gives }, gets: null } },
      },
      context: { flow: { ...flow, ...more } },
    });
    const name = "what the subject gives";
    expect(changes(given({}))).toEqual(all(name, 1, 4));
    expect(changes(given({ kind: "erc20" }))).toEqual(all(name, 3, 4));
    expect(changes(given({ kind: "nft" }))).toEqual(all(name, 3, 4));
    expect(changes(given({ kind: "fungible" }))).toEqual(all(name, 2, 4));
    expect([changes(given({ min: 0 })), changes(given(null))]).toEqual([[], []]);
    expect(changes(given({ unseen: true }))).toEqual(all(name, 1, 4));
    expect(changes(given({ unseen: true }, { complete: false }))).toEqual([]);
    expect(changes(given({ unseen: false }, { complete: false }))).toEqual(all(name, 1, 4));
    expect(changes(given({}, { gives: [asset("erc20", 2)] }))).toEqual([]);
    const gets = { ...flow, gets: [asset("erc20", 0)] };
    const rule = { flow: { gives: null, gets: { kind: "any", min: 1, unseen: false } } };
    expect(changes({ movements, rule, context: { flow: gets } })).toEqual(all("what the subject gets", 3, 4));
  });
});
