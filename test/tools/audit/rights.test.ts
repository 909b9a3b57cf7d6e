import { describe, expect, it } from "vitest";
import { toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { CallStep, Move } from "../../../src/tools/audit/facts/facts.ts";
import { keyOfLog } from "../../../src/tools/audit/facts/read-facts.ts";
import { findRights, type Right } from "../../../src/tools/audit/facts/rights.ts";
import { events, spendingCalls } from "../../../src/tools/audit/facts/signatures.ts";
import type { Knowledge } from "../../../src/tools/audit/knowledge.ts";
import { alice, bob, carol, caseOf, token, usdc, vault } from "../../support/case-of.ts";
import { log, topicOf } from "./made-log.ts";
import { dora, emittedOf, known, moveOf, rightOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

const permit2 = toAddress(`0x${"22".repeat(20)}`);
const knowledge: Knowledge = { ...known, isPermit2: (address) => address === permit2 };
const approval = (amount: bigint, { owner = alice, spender = bob, at = usdc } = {}) =>
  log(at, [events.approval, topicOf(owner), topicOf(spender)], amount);
const spend = [...spendingCalls][0] as string;

function rights(logs: RpcLog[], parts: SceneParts & { by?: [RpcLog, CallStep][] } = {}): Right[] {
  const byLog = new Map((parts.by ?? []).map(([one, step]) => [keyOfLog(one as never), [step]]));
  const scene = sceneOf({ ...parts, facts: { logs: emittedOf(logs), byLog, traced: false, ...parts.facts } });
  return findRights(scene.facts, scene.principals, knowledge);
}
const moved = (amount: bigint, at: number, from = alice): Move => ({ ...moveOf(usdc, from, carol, amount), log: at });

describe("rights at the end of the transaction", () => {
  it("follow from the last log of each owner, spender and token", () => {
    expect(rights([approval(5n)])).toEqual([rightOf()]);
    expect(rights([approval(5n), approval(7n)])).toEqual([rightOf({ left: 7n, log: 1 })]);
    expect(rights([approval(5n), approval(0n)])).toEqual([]);
    const others = [approval(5n), approval(6n, { spender: carol }), approval(7n, { at: token })];
    expect(rights(others)).toEqual([
      rightOf(),
      rightOf({ spender: carol, left: 6n, log: 1 }),
      rightOf({ token, left: 7n, log: 2 }),
    ]);
    expect(rights([approval(5n, { owner: dora }), approval(5n, { spender: alice })])).toEqual([]);
  });

  it("are reduced by what left the owner afterwards", () => {
    const since = (...moves: Move[]) =>
      rights([approval(5n)], { moves, by: [[approval(5n), stepsOf({})[0] as CallStep]] });
    expect(since(moved(2n, 1), moved(2n, 2))).toEqual([rightOf({ left: 1n })]);
    expect(since(moved(5n, 1))).toEqual([]);
    expect(since(moved(6n, 1))).toEqual([]);
    expect(since(moved(2n, 0), moved(2n, 3, dora))).toEqual([rightOf()]);
    expect(since({ ...moveOf(token, alice, carol, 2n), log: 1 })).toEqual([rightOf()]);
  });

  it("are over a collection or one NFT, and do not exist if the log is cut", () => {
    const all = (...words: number[]) => log(token, [events.approvalForAll, topicOf(alice), topicOf(bob)], ...words);
    const one = (spender: string) => log(token, [events.approval, topicOf(alice), topicOf(spender), topicOf(7)]);
    expect(rights([all(1)])).toEqual([rightOf({ token, left: 1n })]);
    expect(rights([all(1), all(0)])).toEqual([]);
    expect(rights([all()])).toEqual([]);
    expect(rights([{ ...all(1), topics: [...all(1).topics, topicOf(1) as `0x${string}`] }])).toEqual([]);
    expect(rights([one(bob)])).toEqual([rightOf({ token, left: 1n })]);
    expect(rights([one(bob), one(carol)])).toEqual([rightOf({ token, spender: carol, left: 1n, log: 1 })]);
    expect(rights([one(bob), one(zeroAddress)])).toEqual([]);
    // A right over a whole collection and a right over one of its NFTs are different rights.
    expect(rights([all(1), one(bob), approval(5n, { at: token })])).toHaveLength(3);
    expect(rights([{ ...approval(5n), data: "0x05" }])).toEqual([]);
    expect(rights([{ ...approval(5n), topics: approval(5n).topics.slice(0, 2) }])).toEqual([]);
    expect(rights([log(usdc, [events.wrapped, topicOf(alice), topicOf(bob)], 5n)])).toEqual([]);
    const noAddress = `0x${"f".repeat(64)}` as const;
    for (const at of [1, 2]) {
      const broken = { ...approval(5n), topics: approval(5n).topics.with(at, noAddress) };
      expect(rights([broken])).toEqual([]);
    }
  });

  it("are what Permit2 recorded until a time", () => {
    const time = BigInt(caseOf().block.timestamp ?? 0);
    const given = (amount: bigint, until: bigint, topic: string = events.permit2Approval, at = permit2) =>
      log(at, [topic, topicOf(alice), topicOf(usdc), topicOf(bob)], amount, until);
    for (const topic of [events.permit2Approval, events.permit2Permit])
      expect(rights([given(5n, time + 1n, topic)])).toEqual([rightOf()]);
    expect(rights([given(5n, time)])).toEqual([]);
    expect(rights([given(5n, time + 1n), given(9n, time)])).toEqual([]);
    expect(rights([given(5n, time + 1n, events.permit2Lockdown)])).toEqual([]);
    expect(rights([given(5n, time + 1n, events.permit2Approval, vault)])).toEqual([]);
    expect(rights([given((1n << 160n) - 1n, (1n << 48n) - 1n)])).toEqual([rightOf({ left: (1n << 160n) - 1n })]);
    expect(rights([given(1n << 160n, time + 1n)])).toEqual([]);
    expect(rights([given(5n, 1n << 48n)])).toEqual([]);
    const whole = given(5n, time + 1n);
    expect(rights([{ ...whole, data: whole.data.slice(0, -2) as `0x${string}` }])).toEqual([]);
    const late = given(5n, (1n << 48n) - 1n);
    expect(rights([{ ...late, data: late.data.slice(0, -2) as `0x${string}` }])).toEqual([]);
    for (const at of [1, 2, 3])
      expect(rights([{ ...whole, topics: whole.topics.with(at, `0x${"f".repeat(64)}`) }])).toEqual([]);
    const timeless = { block: { ...caseOf().block, timestamp: undefined } };
    expect(rights([given(5n, 1n)], { file: timeless as never })).toEqual([rightOf()]);
    expect(rights([given(5n, 0n)], { file: timeless as never })).toEqual([]);
    // One of each token and spender.
    const beside = log(permit2, [events.permit2Permit, topicOf(alice), topicOf(token), topicOf(bob)], 6n, time + 1n);
    expect(rights([whole, beside])).toEqual([rightOf(), rightOf({ token, left: 6n, log: 1 })]);
  });
});

describe("rights that may be bookkeeping", () => {
  const moves = [moved(2n, 1)];

  it("are uncertain without a call tree if the owner's tokens moved too", () => {
    expect(rights([approval(5n)], { moves })).toEqual([rightOf({ certain: false })]);
    expect(rights([approval(5n)], { moves: [moved(2n, 1, dora)] })).toEqual([rightOf()]);
    expect(rights([approval(5n)], { moves: [moved(2n, 1, dora), moved(2n, 1)] })).toEqual([
      rightOf({ certain: false }),
    ]);
    expect(rights([approval(0n)], { moves })).toEqual([]);
    expect(rights([approval(5n)], { moves, facts: { traced: true } })).toEqual([]);
  });

  it("do not exist if the call spends, and are certain for any other call", () => {
    const by = (...steps: Parameters<typeof stepsOf>) => {
      const made = stepsOf(...steps);
      return rights([approval(5n)], {
        steps: made,
        by: [[approval(5n), made.at(-1) as CallStep]],
        facts: { traced: true },
      });
    };
    expect(by({ to: usdc, selector: spend })).toEqual([]);
    expect(by({ to: usdc, selector: "0x12345678" })).toEqual([rightOf()]);
    const proxy = { parent: 0, from: usdc, to: vault, type: "DELEGATECALL", selector: "0x12345678" };
    expect(by({ to: usdc, selector: spend }, proxy)).toEqual([]);
    expect(by({ to: usdc, selector: spend }, { ...proxy, to: usdc })).toEqual([]);
    expect(by({ to: vault, selector: spend }, proxy)).toEqual([rightOf()]);
    expect(by({ to: usdc, selector: "0x12345678" }, { ...proxy, selector: spend })).toEqual([rightOf()]);
  });

  it("give what is left of an earlier grant", () => {
    const [grant, books] = [approval(5n), approval(3n)];
    const steps = stepsOf({ to: usdc, selector: "0x12345678" }, { to: usdc, selector: spend });
    const both = (logs: RpcLog[]) => {
      const by = [grant, books].map((one, i) => [one, steps[i]] as [RpcLog, CallStep]);
      return rights(logs, { steps, by, facts: { traced: true } });
    };
    expect(both([grant, books])).toEqual([rightOf({ left: 3n, log: 0 })]);
    expect(both([books, grant])).toEqual([rightOf({ left: 5n, log: 1 })]);
    expect(both([books, books])).toEqual([]);
  });
});
