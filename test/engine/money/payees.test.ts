import { describe, expect, it } from "vitest";
import { findPayees, paysElsewhere } from "../../../src/engine/money/payees.ts";
import { type Address, deadAddress } from "../../../src/kernel/address.ts";
import type { BalanceChanges } from "../../../src/model/match.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";

/** Dora is paid, the pool is where alice's money goes. */
const [dora, pool] = [`0x${"d0".repeat(20)}`, `0x${"9b".repeat(20)}`] as [Address, Address];

const move = (of: Address | null, from: Address, to: Address, amount = 5n, parts: Partial<Movement> = {}) => ({
  ...{ standard: of === null ? "native" : "erc20", token: of, tokenId: null, amount, from, to, log: 0, call: -1 },
  ...{ fee: false, basis: "log", ...parts },
});
type Made = ReturnType<typeof move>;

const txOf = (...movements: Made[]) =>
  ({
    movements: movements.map((one, index) => ({ ...one, index })),
    to: vault,
    weth: new Set([weth]),
  }) as unknown as Transaction;
const payees = (...movements: Made[]) => findPayees(txOf(...movements), alice, new Set([usdc]));

const gave = move(usdc, alice, pool);
const paid = (to: Address, amount?: bigint) => move(token, pool, to, amount);

describe("an account that was paid for what the subject gave", () => {
  it("is the one that got something else from an account that the money reached", () => {
    expect(payees(gave, paid(dora))).toEqual([dora]);
    expect(payees(gave, move(null, pool, dora))).toEqual([dora]);
    expect(payees(move(usdc, alice, bob), move(usdc, bob, pool), paid(dora))).toEqual([dora]);
    expect(payees(gave)).toEqual([]);
    expect(payees(paid(dora))).toEqual([]);
    expect(payees(gave, move(token, bob, dora))).toEqual([]);
    expect(payees(gave, move(usdc, pool, dora))).toEqual([]);
    expect(payees(move(usdc, alice, pool, 0n), paid(dora))).toEqual([]);
  });

  it("is not the subject, the zero address or wrapped ether, and is the called contract only if there is no other", () => {
    for (const none of [alice, zero, deadAddress, weth]) expect(payees(gave, paid(none))).toEqual([]);
    expect(payees(gave, move(usdc, pool, alice), paid(alice))).toEqual([]);
    expect(payees(gave, paid(dora), paid(vault))).toEqual([dora]);
    expect(payees(gave, paid(vault))).toEqual([vault]);
    // A trifle may stay behind, and ether that was unwrapped may have gone on.
    expect(payees(gave, paid(vault), move(token, vault, pool, 3n))).toEqual([]);
    expect(payees(gave, move(null, pool, vault, 5n, { basis: "inferred" }))).toEqual([]);
  });

  it("is one that gave nothing and got more than it passed on", () => {
    expect(payees(gave, paid(dora), move(null, dora, bob))).toEqual([bob]);
    expect(payees(gave, paid(dora), move(weth, dora, pool))).toEqual([]);
    expect(payees(gave, paid(dora), move(token, dora, pool))).toEqual([]);
    expect(payees(gave, paid(dora), move(token, dora, pool, 4n))).toEqual([dora]);
    expect(payees(gave, paid(dora), move(token, dora, pool, 6n))).toEqual([pool]);
    expect(payees(gave, paid(dora, 1n))).toEqual([dora]);
    expect(payees(gave, paid(dora), move(weth, pool, dora), move(weth, dora, pool))).toEqual([dora]);
  });

  it("is told with the asset that was paid out last, the largest amount first", () => {
    expect(payees(gave, move(null, pool, bob), paid(dora))).toEqual([dora]);
    expect(payees(gave, paid(dora), move(null, pool, bob))).toEqual([bob]);
    expect(payees(gave, paid(dora, 2n), paid(bob, 3n), paid(carol, 1n))).toEqual([bob, dora, carol]);
    expect(payees(gave, paid(dora, 3n), paid(bob, 2n))).toEqual([dora, bob]);
    expect(payees(gave, paid(bob, 2n), paid(dora, 3n), paid(bob, 2n))).toEqual([bob, dora]);
    // Of those who got as much, the later one.
    expect(payees(gave, paid(bob, 2n), paid(dora, 2n))).toEqual([dora, bob]);
  });

  it("is told without gas, and without transfers to oneself", () => {
    const fee = { fee: true };
    expect(payees(gave, paid(dora), move(null, pool, bob, 5n, fee))).toEqual([dora]);
    expect(payees(gave, paid(dora), move(null, dora, bob, 1n, fee))).toEqual([dora]);
    expect(payees(gave, move(null, pool, bob), paid(dora), move(null, pool, bob, 1n, fee))).toEqual([dora]);
    expect(payees(move(usdc, alice, pool, 5n, fee), paid(dora))).toEqual([]);
    expect(payees(gave, paid(dora), move(null, dora, dora))).toEqual([dora]);
    expect(payees(gave, move(null, dora, dora), paid(bob), paid(dora))).toEqual([dora, bob]);
  });

  it("sees a token that is made or destroyed as given by or to its contract", () => {
    expect(payees(move(usdc, alice, token), move(token, zero, dora))).toEqual([dora]);
    expect(payees(gave, move(token, zero, dora))).toEqual([]);
    // A share is destroyed, and its contract pays.
    const share = move(pool, alice, zero);
    expect(findPayees(txOf(share, paid(dora)), alice, new Set([pool]))).toEqual([dora]);
    expect(payees(gave, paid(dora), move(bob, pool, bob))).toEqual([dora]);
    // Ether that was burnt is nobody's.
    expect(payees(move(null, alice, zero), move(null, zero, dora))).toEqual([dora]);
  });
});

describe("what was given for somebody else", () => {
  const elsewhere = (movements: Made[], gives: string[], gets: string[] = []) =>
    paysElsewhere(txOf(...movements), {
      account: alice,
      gives: gives.map((key) => ({ key })),
      gets: gets.map((key) => ({ key })),
    } as unknown as BalanceChanges);

  it("is an asset for which the subject got nothing and somebody else was paid", () => {
    expect(elsewhere([gave, paid(dora)], [usdc])).toBe(true);
    expect(elsewhere([gave, paid(dora)], [])).toBe(false);
    expect(elsewhere([gave, paid(dora)], [usdc], [weth])).toBe(false);
    expect(elsewhere([gave], [usdc])).toBe(false);
    expect(elsewhere([gave, paid(dora)], [usdc, token])).toBe(false);
    const unwrapped = move(null, weth, alice, 5n, { basis: "inferred" });
    expect(elsewhere([gave, paid(dora), unwrapped], [usdc])).toBe(false);
  });
});
