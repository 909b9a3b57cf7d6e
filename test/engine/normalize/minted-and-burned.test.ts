import { describe, expect, it } from "vitest";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, zero } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { net, noChange } from "./net-of.ts";

describe("net changes of what was made or destroyed", () => {
  it.each<[string, readonly Movement[], object]>([
    [
      "what was made for it",
      [move(token, zero, alice, 3n)],
      { gets: [[token, 3, [0]]], senders: [zero], minted: true },
    ],
    [
      "what was made for the smaller part",
      [move(token, zero, alice, 3n), move(token, bob, alice, 4n)],
      { gets: [[token, 7, [0, 1]]], senders: [zero, bob] },
    ],
    [
      "what was made for one half",
      [move(token, zero, alice, 4n), move(token, bob, alice, 4n)],
      { gets: [[token, 8, [0, 1]]], senders: [zero, bob], minted: true },
    ],
    [
      "what was made, beside what was not",
      [move(token, bob, alice, 4n), move(usdc, bob, alice, 1n), move(usdc, zero, alice, 4n)],
      {
        gets: [
          [token, 4, [0]],
          [usdc, 5, [1, 2]],
        ],
        senders: [bob, zero],
        minted: true,
      },
    ],
    [
      "what was destroyed",
      [move(token, alice, zero, 3n)],
      { gives: [[token, 3, [0]]], recipients: [zero], burned: true },
    ],
    [
      "what was destroyed for the smaller part",
      [move(token, alice, zero, 3n), move(token, alice, bob, 4n)],
      { gives: [[token, 7, [0, 1]]], recipients: [zero, bob] },
    ],
  ])("are %s", (_, moves, expected) => expect(net(moves)).toEqual({ ...noChange, ...expected }));

  it.each<[string, Movement[]]>([
    ["a fee", [move(token, bob, alice, 9n, { fee: true }), move(token, alice, bob, 9n, { fee: true })]],
    ["what others moved", [move(token, bob, carol, 9n), move(token, carol, bob, 9n)]],
    ["what it gave itself", [move(token, alice, alice, 9n)]],
  ])("say that something was made, or destroyed, whatever is beside it: %s", (_, beside) => {
    expect(net([move(token, zero, alice, 3n), ...beside]).minted).toBe(true);
    expect(net([move(token, alice, zero, 3n), ...beside]).burned).toBe(true);
    expect(net([move(token, bob, alice, 0n), ...beside]).minted).toBe(false);
    expect(net([move(token, alice, bob, 0n), ...beside]).burned).toBe(false);
  });

  it("say that something was made, or destroyed, of what others do not explain", () => {
    const made = [move(token, zero, alice, 3n), move(token, bob, alice, 4n)];
    expect([net(made).minted, net(made, [1]).minted]).toEqual([false, true]);
    const destroyed = [move(token, alice, zero, 3n), move(token, alice, bob, 4n)];
    expect([net(destroyed).burned, net(destroyed, [1]).burned]).toEqual([false, true]);
  });
});
