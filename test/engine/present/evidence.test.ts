import { describe, expect, it } from "vitest";
import { presentEvidence } from "../../../src/engine/present/evidence.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, bob, usdc, vault } from "../../support/case-of.ts";
import { labelsOf } from "../../support/labels.ts";

const completeness = {
  ...{ movements: [], movementsTotal: 0, measureCalls: () => ({ open: [], total: 0 }), findLogs: () => [] },
};
const present = (parts: { calls?: object[]; actions?: object[]; completeness?: object; missing?: object[] } = {}) =>
  presentEvidence(
    {
      ...{ tx: { blockNumber: 1, timestamp: 1 }, labels: labelsOf({}) },
      ...{ ruleset: { fingerprint: "f" }, subject: alice, unwrapped: { calls: parts.calls ?? [] } },
      settled: { actions: parts.actions ?? [], superseded: ["s"] },
      completeness: { ...completeness, ...parts.completeness },
    } as never,
    (parts.missing ?? []) as never,
    { findings: [] } as never,
  );

describe("the evidence for an answer", () => {
  it("has calls, actions and what is not explained, in the words of the chain", () => {
    const call = {
      id: 3,
      via: "v",
      step: 1,
      from: alice,
      to: bob,
      input: "0x12345678ff",
      state: "executed",
      value: 5n,
    };
    const rule = { id: "a/b", version: () => "v1", action: "claim" };
    const action = { rule, context: { subject: bob, more: 1 }, logs: [1], calls: [2], movements: [3], more: 1 };
    const move = { index: 4, token: usdc, amount: 1_500_000n, from: alice, to: bob, fee: false };
    const open = {
      ...{ movements: [move], movementsTotal: 3 },
      measureCalls: () => ({ open: [{ id: 7, to: vault, input: "0xaabbccddee" }], total: 9 }),
      findLogs: () => [
        { index: 5, address: usdc, topics: ["0x1", "0x2"] },
        { index: 6, address: usdc, topics: [] },
      ],
    };
    const missing = [
      { text: "one", untrusted: true },
      { text: "two", untrusted: false },
    ];
    expect(present({ calls: [call], actions: [action], completeness: open, missing })).toEqual({
      ...{ ruleset: "f", subject: alice, superseded: ["s"], partial: ["one", "two"], risk: { findings: [] } },
      calls: [{ id: 3, via: "v", step: 1, from: alice, to: bob, selector: "0x12345678", state: "executed" }],
      actions: [
        { ...{ rule: "a/b", version: "v1", action: "claim", subject: bob }, logs: [1], calls: [2], movements: [3] },
      ],
      unexplained: [{ movement: 4, token: usdc, amount: "1500000", from: alice, to: bob }],
      unexplained_calls: [{ call: 7, to: vault, selector: "0xaabbccdd" }],
      unclaimed_logs: [
        { log: 5, address: usdc, topic0: "0x1" },
        { log: 6, address: usdc, topic0: null },
      ],
      completeness: { movements: { explained: 2, total: 3 }, calls: { explained: 8, total: 9 } },
    });
  });

  it("lists movements and logs up to the limit", () => {
    const many = Array.from({ length: limits.evidenceMax + 1 }, (_, index) => ({ index, amount: 0n, topics: [] }));
    const told = present({ completeness: { movements: many, movementsTotal: many.length, findLogs: () => many } });
    expect([told.unexplained.length, told.unclaimed_logs.length]).toEqual([limits.evidenceMax, limits.evidenceMax]);
    expect(told.completeness.movements).toEqual({ explained: 0, total: many.length });
  });
});
