import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/engine/match/candidate.ts";
import { findLosses } from "../../../src/engine/settle/losses.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { candidateOf, type FitParts } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { paid, worldOf } from "./reached-case.ts";

describe("losses", () => {
  const told = (
    list: readonly Movement[],
    acts: ((tx: Transaction) => Candidate)[],
    more: Partial<Transaction> = {},
    accounts = [alice],
  ) => {
    const { tx, money } = worldOf({ moves: list, tx: more });
    return findLosses(accounts, { tx, actions: acts.map((act) => act(tx)), money }).map(
      ({ account, asset, gross, reached: own, sent, strangers }) => ({
        loss: [account, asset.key, Number(asset.amount), Number(gross)],
        reached: own.map(({ action, amount, redeemed }) => [action.rule.id, Number(amount), redeemed]),
        sent: sent.map(({ action, to, amount }) => [action.rule.id, to, Number(amount)]),
        strangers: strangers.map(({ to, holders, amount }) => [to, holders, Number(amount)]),
      }),
    );
  };
  const act =
    (id: string, parts: FitParts = {}) =>
    (tx: Transaction) =>
      candidateOf(id, tx, parts);
  const none = { reached: [], sent: [], strangers: [] };
  const allOf = (key: string, amount = 10) => [alice, key, amount, amount];

  it("do not exist if nothing was given or the transaction reverted", () => {
    expect(told([move(usdc, bob, alice, 1n)], [])).toEqual([]);
    expect(told([paid(bob)], [], { status: "reverted" })).toEqual([]);
    expect(told([paid(bob), move(usdc, bob, alice, 10n)], [])).toEqual([]);
  });

  it("are separated by their direct receivers", () => {
    const list = [paid(bob), move(usdc, bob, carol, 4n), move(usdc, alice, bob, 2n), move(usdc, alice, carol, 1n)];
    expect(told(list, [])).toEqual([
      {
        ...none,
        loss: allOf(usdc, 13),
        strangers: [
          [bob, [bob, carol], 12],
          [carol, [carol], 1],
        ],
      },
    ]);
  });

  it("include what somebody took of what came, but not from a called contract", () => {
    const came = move(usdc, vault, alice, 10n);
    const taken = { ...none, loss: [alice, usdc, 6, 6], strangers: [[bob, [bob], 6]] };
    const took = [came, move(usdc, alice, bob, 6n)];
    expect(told(took, [act("act", { place: 0 })])).toEqual([taken]);
    expect(told(took, [act("act", { place: 0 })], { to: alice })).toEqual([taken]);
    expect(told(took, [act("act", { place: 0 })], { to: alice }, [carol, alice])).toEqual([]);
    expect(told(took, [])).toEqual([]);
    const whole = { ...none, loss: allOf(usdc), strangers: [[bob, [bob], 10]] };
    expect(told([came, paid(bob)], [act("act", { place: 0 })])).toEqual([whole]);
    // What went back to whoever gave it was lent.
    expect(told([came, paid(vault)], [act("act", { place: 0 })])).toEqual([]);
  });

  it("are found for every account and every asset", () => {
    const list = [paid(bob), move(token, alice, bob, 1n), move(usdc, carol, vault, 3n)];
    expect(told(list, [], {}, [alice, carol, weth]).map(({ loss }) => loss)).toEqual([
      [alice, usdc, 10, 10],
      [alice, token, 1, 1],
      [carol, usdc, 3, 3],
    ]);
  });

  it("are only the rest if some came back in another way", () => {
    const list = [paid(bob), move(usdc, alice, carol, 5n), move(usdc, weth, alice, 8n)];
    expect(told(list, [])).toEqual([{ ...none, loss: [alice, usdc, 7, 15], strangers: [[bob, [bob], 7]] }]);
    const back = [paid(bob), move(usdc, bob, alice, 4n)];
    expect(told(back, [])).toEqual([{ ...none, loss: [alice, usdc, 6, 6], strangers: [[bob, [bob], 6]] }]);
  });

  it("belong to the act that they reached, not to one that sent them on", () => {
    const list = [paid(bob), move(usdc, alice, bob, 2n)];
    const sends = act("sends");
    const has = act("has", { home: [bob] });
    expect(told(list, [sends])).toEqual([{ ...none, loss: allOf(usdc, 12), sent: [["sends", bob, 12]] }]);
    expect(told(list, [sends, act("other")])).toEqual([{ ...none, loss: allOf(usdc, 12), sent: [["sends", bob, 12]] }]);
    expect(told(list, [sends, has])).toEqual([{ ...none, loss: allOf(usdc, 12), reached: [["has", 12, false]] }]);
    const two = [paid(bob), move(usdc, alice, carol, 2n)];
    expect(told(two, [sends])).toEqual([
      {
        ...none,
        loss: allOf(usdc, 12),
        sent: [
          ["sends", bob, 10],
          ["sends", carol, 2],
        ],
      },
    ]);
  });

  it("belong to each act that they reached", () => {
    const list = [paid(bob), move(usdc, alice, carol, 2n)];
    expect(told(list, [act("one", { home: [bob] }), act("other", { home: [carol] })])).toEqual([
      {
        ...none,
        loss: allOf(usdc, 12),
        reached: [
          ["one", 10, false],
          ["other", 2, false],
        ],
      },
    ]);
  });

  it("belong to an act that only sends if it claims them and is the account's own", () => {
    const claims = (subject: Address, movements: number[]) =>
      act("send", { tier: "transfer", place: 1, context: { subject }, fit: { movements } });
    expect(told([paid(bob)], [claims(alice, [0])])).toEqual([
      { ...none, loss: allOf(usdc), reached: [["send", 10, false]] },
    ]);
    const open = [{ ...none, loss: allOf(usdc), strangers: [[bob, [bob], 10]] }];
    expect(told([paid(bob)], [claims(carol, [0])])).toEqual(open);
    expect(told([paid(bob)], [claims(alice, [])])).toEqual(open);
  });

  it("count as redeemed if they were destroyed and the account got something", () => {
    const got = move(token, bob, alice, 1n);
    const flow = { gives: null, gets: null, open: { gives: true, gets: false } };
    const dollar = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb" as Address;
    const etherWorth = (one: Address) => (one === weth || one === dollar ? 1n : undefined);
    const redeemed = (list: readonly Movement[], parts: FitParts = {}) =>
      told(list, [act("act", { rule: { flow }, ...parts })], { etherWorth })[0]?.reached;
    expect(redeemed([paid(zero), got])).toEqual([["act", 10, true]]);
    expect(redeemed([paid(usdc), got])).toEqual([["act", 10, true]]);
    expect(redeemed([paid(zero)])).toEqual([["act", 10, false]]);
    expect(redeemed([paid(vault), got])).toEqual([["act", 10, false]]);
    expect(redeemed([paid(zero, null), got])).toEqual([["act", 10, true]]);
    expect(redeemed([paid(weth, weth), got])).toEqual([["act", 10, false]]);
    for (const to of [zero, dollar]) expect(redeemed([paid(to, dollar), got])).toEqual([["act", 10, false]]);
    expect(redeemed([paid(zero), got], { context: { subject: carol } })).toEqual([["act", 10, true]]);
    expect(redeemed([paid(zero)], { context: { subject: carol } })).toEqual([["act", 10, false]]);
    expect(redeemed([paid(zero), got, paid(vault), move(usdc, alice, usdc, 1n)])).toEqual([
      ["act", 11, true],
      ["act", 10, false],
    ]);
    // An act that says nothing about what is given redeemed only what it claims.
    const silent = [null, { ...flow, open: { gives: false, gets: true } }];
    for (const one of silent) {
      expect(redeemed([paid(zero), got], { rule: { flow: one } })).toEqual([["act", 10, false]]);
      expect(redeemed([paid(zero), got], { rule: { flow: one }, fit: { movements: [0] } })).toEqual([
        ["act", 10, true],
      ]);
    }
  });
});
