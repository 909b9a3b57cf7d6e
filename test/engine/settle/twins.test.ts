import { describe, expect, it } from "vitest";
import { isAlike, paymentFor, twinsOf } from "../../../src/engine/settle/twins.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { candidateOf, logAt } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const topic = "0xaa" as Hex;
const logs = [logAt(vault, [topic], { index: 3 }), logAt(vault, [topic], { index: 6 })];
const paidBy = (from: typeof alice, log: number, amount = 5n, to = vault) => move(usdc, from, to, amount, { log });

/** The second of two acts that the vault's events tell, in a transaction with these movements. */
function second(moves: Parameters<typeof moved>[0], legs: unknown[] = []) {
  const logsWith = () => logs;
  const context = { log: logs[1], logsWith, legs } as never;
  return candidateOf("act", moved(moves), { context, fit: { logs: [6] } });
}

describe("what was paid for an act", () => {
  it("is what its legs are bound to", () => {
    const leg = paidBy(alice, 1);
    expect(paymentFor(second([leg, paidBy(alice, 5, 9n)], [null, leg]))).toBe(leg);
  });

  it("is the most that came between its event and the one before", () => {
    const moves = [paidBy(alice, 1, 90n), paidBy(alice, 4, 2n), paidBy(alice, 5, 7n), paidBy(alice, 8, 80n)];
    expect(paymentFor(second(moves))?.amount).toBe(7n);
    // How much it was is certain of a single payment alone.
    expect(paymentFor(second(moves), true)).toBeNull();
    expect(paymentFor(second(moves.slice(1, 2)), true)?.amount).toBe(2n);
  });

  it("may come through others, but not from an account that got nothing of the subject's", () => {
    expect(paymentFor(second([paidBy(alice, 1, 5n, bob), paidBy(bob, 5)]))?.from).toBe(bob);
    expect(paymentFor(second([paidBy(bob, 5)]))).toBeUndefined();
  });

  it("is not known if nothing came to the contract, or if no event tells the act", () => {
    expect(paymentFor(second([paidBy(alice, 5, 5n, carol)]))).toBeNull();
    expect(paymentFor(candidateOf("act", moved([paidBy(alice, 5)])))).toBeNull();
  });
});

describe("a twin", () => {
  const stands = candidateOf("act", moved([]), { fit: { logs: [3] } });
  it("is not an act that somebody else paid for", () => {
    expect(twinsOf([stands], [second([paidBy(bob, 5)]), second([paidBy(alice, 5)])])).toHaveLength(1);
  });

  it("is not an act that is already told, or that has no evidence of its own", () => {
    expect(twinsOf([second([])], [second([paidBy(alice, 5)])])).toEqual([]);
    expect(twinsOf([stands], [candidateOf("act", moved([]))])).toEqual([]);
    expect(twinsOf([stands], [])).toEqual([]);
  });

  it("is an act of the same rule, or of the same protocol and kind", () => {
    const tx = moved([]);
    const like = (rule: object) => isAlike(candidateOf("other", tx, { rule }), stands);
    expect([{}, { protocol: "Else" }, { action: "swap" }, { protocol: null }].map(like)).toEqual([
      ...[true, false, false, false],
    ]);
    expect(isAlike(candidateOf("act", tx, { context: { subject: token } }), stands)).toBe(false);
  });
});
