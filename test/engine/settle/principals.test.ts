import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/engine/match/candidate.ts";
import { isOwed, principalFirst, principalsOf } from "../../../src/engine/settle/principals.ts";
import { ReachedMoney } from "../../../src/engine/settle/reached-money.ts";
import type { Unwrapped } from "../../../src/engine/unwrap/unwrap.ts";
import { approvalTopic } from "../../../src/kernel/token-standards.ts";
import { callOf, logAt } from "../../support/candidate.ts";
import { alice, bob, carol, usdc, vault } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";
import { candidate, ids, tx, wordOf } from "./order-case.ts";

describe("principals", () => {
  const unwrapped = (parts: Partial<Unwrapped> = {}): Unwrapped => ({
    ...{
      tx,
      calls: [callOf()],
      subject: alice,
      actors: [alice],
      principals: new Set([alice]),
      certain: new Set(),
      truncated: [],
    },
    ...parts,
  });
  const theirs = candidate("theirs", { tier: "transfer", place: 1, context: { subject: bob } });

  it.each<[string, Partial<Unwrapped>, Candidate[], string[]]>([
    ["the subject alone", {}, [candidate("own")], [alice]],
    ["the subject where nothing is told", {}, [], [alice]],
    ["whose acts are told, too, once", {}, [theirs, candidate("own"), theirs], [alice, bob]],
    ["whose authority was used, after the subject", { principals: new Set([carol, alice]) }, [], [alice, carol]],
    ["somebody else and the subject", { principals: new Set([carol]) }, [], [alice, carol]],
    ["not those of a bundle", { principals: new Set([alice, bob, carol]), actors: [bob, carol] }, [], [alice]],
    ["the single actor", { principals: new Set([bob]), actors: [bob] }, [], [alice, bob]],
    [
      "those of a bundle whose acts are told",
      { principals: new Set([bob, carol]), actors: [bob, carol] },
      [theirs],
      [alice, bob],
    ],
  ])("are %s", (_, parts, actions, expected) => expect(principalsOf(unwrapped(parts), actions)).toEqual(expected));

  const known = { grants: { calls: new Map(), events: new Map() }, labels: { name: () => undefined } } as never;
  const standing = (of: Unwrapped, actions: readonly Candidate[]) => ({ actions, money: new ReachedMoney(of, known) });
  const foreign = candidate("foreign", { tier: "transfer", place: 1, fit: { foreign: true } });
  const system = candidate("system", { tier: "system" });
  const own = candidate("own", { tier: "transfer", place: 1, fit: { movements: [] } });
  const allowed = { ...moved([]), logs: [logAt(usdc, [approvalTopic, wordOf(alice), wordOf(bob)], { data: "0x01" })] };

  it.each<[string, Partial<Unwrapped>, Candidate[], boolean]>([
    ["it gave something that nobody explains", {}, [], true],
    ["others' acts stand alone", {}, [theirs, foreign, system], true],
    ["an act of its own stands", {}, [theirs, own], false],
    ["it gave nothing", { tx: moved([]) }, [theirs], false],
    ["it allowed something", { tx: allowed }, [theirs], true],
    ["it allowed something in vain", { tx: { ...allowed, status: "reverted" } }, [theirs], false],
    ["the sender gave something for it", { subject: carol, tx: { ...tx, from: alice } }, [], true],
    ["somebody else gave something", { subject: vault, tx: { ...tx, from: vault } }, [], false],
  ])("are owed a word where %s: case %#", (_, parts, actions, expected) => {
    const of = unwrapped(parts);
    expect(isOwed(of, standing(of, actions))).toBe(expected);
  });

  it("come first if they gave something that is not told", () => {
    const of = unwrapped();
    const order = (which: Unwrapped, ...actions: Candidate[]) => ids(principalFirst(which, standing(which, actions)));
    expect(order(of, theirs, own, foreign, system)).toEqual(["own", "theirs", "foreign", "system"]);
    expect(order(unwrapped({ tx: moved([]) }), theirs, own)).toEqual(["theirs", "own"]);
    expect(order(of, theirs, foreign)).toEqual(["theirs", "foreign"]);
    expect(order(of, own)).toEqual(["own"]);
  });
});
