import { describe, expect, it } from "vitest";
import { MoneyLedger } from "../../../src/engine/ledger/ledger.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const lender = toAddress(`0x${"1e".repeat(20)}`);

function ledgerOf(moves: readonly Movement[], more: Partial<Transaction> = {}): MoneyLedger {
  return new MoneyLedger(moved(moves, more), new Set([alice]));
}

function lines(ledger: MoneyLedger) {
  return ledger.postings.map(({ giver, via, keeper, asset, amount }) => [
    giver,
    ...via.map(({ at }) => at),
    keeper,
    asset,
    Number(amount),
  ]);
}

describe("the ledger", () => {
  it("names who gave and who has it in the end", () => {
    const passed = [move(usdc, alice, vault, 10n), move(usdc, vault, bob, 7n), move(usdc, bob, carol, 2n)];
    expect(lines(ledgerOf(passed))).toEqual([
      [alice, vault, usdc, 3],
      [alice, vault, bob, usdc, 5],
      [alice, vault, bob, carol, usdc, 2],
    ]);
  });

  it("gives as much as is kept, and the same net as the movements", () => {
    const list = [
      move(usdc, alice, vault, 10n),
      move(usdc, vault, alice, 4n),
      move(usdc, vault, bob, 20n),
      move(token, zero, alice, 3n),
      move(token, alice, zero, 1n),
    ];
    const ledger = ledgerOf(list);
    for (const account of [alice, bob, vault, zero]) {
      const net = new Map<string, bigint>();
      for (const { token: key, from, to, amount } of list) {
        if (from === account) net.set(key as string, (net.get(key as string) ?? 0n) - amount);
        if (to === account) net.set(key as string, (net.get(key as string) ?? 0n) + amount);
      }
      expect(ledger.net(account)).toEqual(net);
    }
  });

  it("gives back first what the receiver lent", () => {
    const list = [
      move(usdc, alice, vault, 5n),
      move(usdc, bob, vault, 10n),
      move(usdc, vault, bob, 10n),
      move(usdc, vault, carol, 5n),
    ];
    expect(lines(ledgerOf(list))).toEqual([[alice, vault, carol, usdc, 5]]);
  });

  it("takes out loans, so that a thief cannot hide behind one", () => {
    const list = [
      move(usdc, lender, vault, 10n),
      move(usdc, vault, bob, 10n),
      move(usdc, alice, vault, 10n),
      move(usdc, vault, lender, 10n),
    ];
    expect(lines(ledgerOf(list))).toEqual([[alice, vault, bob, usdc, 10]]);
  });

  it("counts wrapped ether as ether", () => {
    const list = [move(null, alice, weth, 9n), move(weth, weth, alice, 9n), move(weth, alice, bob, 9n)];
    expect(lines(ledgerOf(list))).toEqual([[alice, bob, "native", 9]]);
    const unseen = [move(weth, weth, alice, 9n), move(weth, alice, bob, 9n)];
    expect(lines(ledgerOf(unseen, { nativeComplete: false }))).toEqual([[alice, bob, "native", 9]]);
  });

  it("takes a burn and a mint in neighbouring logs for one transfer, others not", () => {
    const list = (mint: number) => [move(usdc, alice, zero, 5n, { log: 1 }), move(usdc, zero, bob, 5n, { log: mint })];
    expect(lines(ledgerOf(list(2)))).toEqual([[alice, zero, bob, usdc, 5]]);
    expect(lines(ledgerOf(list(4)))).toEqual([
      [alice, zero, usdc, 5],
      [zero, bob, usdc, 5],
    ]);
  });

  it("puts ether without a place among the logs after what its sender got", () => {
    const list = [move(null, vault, bob, 5n, { basis: "internal" }), move(null, alice, vault, 5n)];
    expect(lines(ledgerOf(list))).toEqual([[alice, vault, bob, "native", 5]]);
  });

  it("keeps the parts of a principal where others fill the room", () => {
    const dust = Array.from({ length: 200 }, (_, i) => move(usdc, made(i), vault, 1n));
    const list = [...dust, move(usdc, alice, vault, 100n), move(usdc, vault, bob, 300n)];
    const ledger = ledgerOf(list);
    expect(ledger.gaveBy(alice).map(({ keeper, amount }) => [keeper, amount])).toEqual([[bob, 100n]]);
    expect(ledger.postings.reduce((sum, { amount }) => sum + amount, 0n)).toBe(300n + 136n);
  });

  it("costs no more than the movements of a full block are worth", () => {
    const list = Array.from({ length: 4000 }, (_, i) => move(usdc, made(i % 97), made((i * 7) % 101), 5n));
    const start = performance.now();
    const { postings } = ledgerOf(list);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(postings.length).toBeGreaterThan(0);
  });
});

function made(number: number): Address {
  return toAddress(`0x${(number + 1).toString(16).padStart(40, "d")}`);
}
