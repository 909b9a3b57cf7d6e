import { describe, expect, it } from "vitest";
import { MoneyLedger } from "../../../src/engine/ledger/ledger.ts";
import { findSharers } from "../../../src/engine/ledger/sharers.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { candidateOf } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

function sharers(moves: readonly Movement[], exchanges = true, names: readonly Address[] = []) {
  const tx = moved(moves);
  const ledger = new MoneyLedger(tx, new Set([alice]));
  const actions = [candidateOf("swap", tx, { rule: { exchanges } })];
  const labels = { name: (one: Address) => (names.includes(one) ? {} : undefined), token: () => undefined };
  const known = { ledger: () => ledger, tx, labels, settled: { actions, losses: [], money: {} } };
  return findSharers(known as never).map(({ account, payee, assets }) => [account, payee, Number(assets[0]?.amount)]);
}

describe("who shares what an account bought", () => {
  const paid = move(usdc, alice, vault, 50n);
  const own = move(token, vault, alice, 10n);

  it("is told where it is more than a fee", () => {
    expect(sharers([paid, own, move(token, vault, bob, 90n)])).toEqual([[alice, bob, 90]]);
    expect(sharers([paid, own, move(token, vault, bob, 2n)])).toEqual([]);
  });

  it("is nobody who gave something, whom labels name, or who got it elsewhere, and not outside of an exchange", () => {
    const more = move(token, vault, bob, 90n);
    expect(sharers([paid, own, more, move(usdc, bob, carol, 1n)])).toEqual([]);
    expect(sharers([paid, own, more], true, [bob])).toEqual([]);
    expect(sharers([paid, own, move(token, carol, bob, 90n)])).toEqual([]);
    expect(sharers([paid, own, more], false)).toEqual([]);
  });
});
