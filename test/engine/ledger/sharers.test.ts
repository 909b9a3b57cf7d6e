import { describe, expect, it } from "vitest";
import { MoneyLedger } from "../../../src/engine/ledger/ledger.ts";
import { findSharers } from "../../../src/engine/ledger/sharers.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { candidateOf } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

function sharers(moves: readonly Movement[], exchanges = true, names: readonly Address[] = [], payouts: object[] = []) {
  const tx = moved(moves);
  const ledger = new MoneyLedger(tx, new Set([alice]));
  const actions = [candidateOf("swap", tx, { rule: { exchanges } })];
  const labels = { name: (one: Address) => (names.includes(one) ? {} : undefined), token: () => undefined };
  const known = { ledger: () => ledger, tx, labels, settled: { actions, losses: [], payouts, money: {} } };
  return findSharers(known as never).map(({ account, payee, assets }) => [account, payee, Number(assets[0]?.amount)]);
}

describe("who shares what an account bought", () => {
  const paid = move(usdc, alice, vault, 50n);
  const own = move(token, vault, alice, 10n);

  it("is told where it is more than a fee", () => {
    expect(sharers([paid, own, move(token, vault, bob, 90n)])).toEqual([[alice, bob, 90]]);
    expect(sharers([paid, own, move(token, vault, bob, 2n)])).toEqual([]);
  });

  it("is told once with all of his parts, and not beside a finding that names what he got", () => {
    const parts = [move(token, vault, bob, 40n), move(token, vault, bob, 50n)];
    expect(sharers([paid, own, ...parts])).toEqual([[alice, bob, 90]]);
    expect(sharers([paid, own, ...parts], true, [], [{ payee: bob, assets: [{ key: token }] }])).toEqual([]);
    expect(sharers([paid, own, ...parts], true, [], [{ payee: carol, assets: [{ key: token }] }])).toHaveLength(1);
  });

  it("is nobody who gave something, whom labels name, or who got it elsewhere, and not outside of an exchange", () => {
    const more = move(token, vault, bob, 90n);
    expect(sharers([paid, own, more, move(usdc, bob, carol, 1n)])).toEqual([]);
    expect(sharers([paid, own, more], true, [bob])).toEqual([]);
    expect(sharers([paid, own, move(token, carol, bob, 90n)])).toEqual([]);
    expect(sharers([paid, own, more], false)).toEqual([]);
  });
});
