import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import type { MatchContext } from "../../../src/model/match.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const paid = "x: { from: subject }";
const amount = `{ ">": [{ var: amount }, "0"] }`;
const leg = `{ ">": [{ var: legs.x.amount }, "0"] }`;
const flow = `{ var: flow.minted }`;

function compile(where: string, more = "gives: one fungible") {
  const fields = `id: a, say: "do it", action: stake, anchor: { event: Moved }, at: pool, money: { ${paid}${more && `, ${more}`} }`;
  const rule = `rules:\n  - { ${fields}, when: ${where} }\n`;
  return compileTexts({ market: marketFile(rule) });
}

/** Whether the premise and the rest of a rule's `where` hold: once with no values anywhere, and once with a value for everything. */
function parts(
  where: string,
  { args, legs: moved, minted }: { args: bigint; legs: bigint; minted: boolean },
  more?: string,
) {
  const { ruleset, diagnostics } = compile(where, more);
  expect(diagnostics.map(placeOf)).toEqual([]);
  const context = { args: ["", "", args], legs: [{ amount: moved }], flow: { minted } } as unknown as MatchContext;
  const [one] = ruleset.rules;
  return [one?.premise(context), one?.where(context)];
}

const nothing = { args: 0n, legs: 0n, minted: false };

describe("the premise of a rule", () => {
  it.each([
    ["what reads its anchor", `[${amount}, ${leg}]`, { ...nothing, args: 1n }, [true, false]],
    ["not what reads legs", `[${amount}, ${leg}]`, { ...nothing, legs: 1n }, [false, true]],
    ["not what reads the flow", `[${flow}, ${amount}]`, { ...nothing, minted: true }, [false, true]],
    ["not what reads legs beside its anchor", `[{ or: [${amount}, ${leg}] }]`, nothing, [true, false]],
    ["not what denies something of legs", `[{ "!": [${leg}] }]`, { ...nothing, legs: 1n }, [true, false]],
    ["all of a condition that reads its anchor alone", `{ and: [${amount}, ${amount}] }`, nothing, [false, true]],
  ])("is %s", (_, where, context, expected) => {
    expect(parts(where, context)).toEqual(expected);
  });
});

it("also reads the flow where the rule asks for none: nobody else's part of it is ever taken off", () => {
  const holds = (minted: boolean) => parts(`[${flow}, ${amount}]`, { args: 1n, legs: 0n, minted }, "");
  expect([holds(true), holds(false)]).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(parts(`[${leg}, ${flow}]`, { ...nothing, minted: true }, "")).toEqual([true, false]);
});

describe("what a rule asks of the kind of transaction", () => {
  const isDeposit = `{ "==": [{ var: tx.type }, deposit] }`;
  const isOne = `{ in: [{ var: tx.type }, [deposit, legacy]] }`;
  /** Whether it holds for a deposit that makes a call, and for another transaction that creates a contract. */
  const holds = (where: string) => {
    const [one] = compile(where).ruleset.rules;
    const kinds = [
      { type: "deposit", to: "0x1", creates: false },
      { type: "eip1559", to: null, creates: true },
    ];
    return kinds.map((tx) => one?.kind({ tx: { ...tx, from: "0x2" } } as never));
  };
  it.each([
    ["its type", isDeposit, [true, false]],
    ["one of some types", isOne, [true, false]],
    ["that it makes a contract", "{ var: tx.creates }", [false, true]],
    ["nothing beside what it reads of an event", `[${amount}, ${isDeposit}]`, [true, false]],
    ["nothing where either suffices", `{ or: [${amount}, ${isDeposit}] }`, [true, true]],
    ["nothing of who sent it", `{ "==": [{ var: tx.from }, zero] }`, [true, true]],
    ["nothing without a condition on it", amount, [true, true]],
  ])("is %s", (_, where, expected) => {
    expect(compile(where).diagnostics).toEqual([]);
    expect(holds(where)).toEqual(expected);
  });
});

it("a condition of a rule nests as deep as any", () => {
  const nested = (depth: number): string => (depth === 0 ? flow : `{ "!": [${nested(depth - 1)}] }`);
  const most = limits.conditionDepthMax;
  const codes = [most, most + 1].map((depth) => compile(nested(depth)).diagnostics.map(({ code }) => code));
  expect(codes).toEqual([[], ["RL405"]]);
});
