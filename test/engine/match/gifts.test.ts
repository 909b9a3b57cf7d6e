import { describe, expect, it } from "vitest";
import { giftsTo, knowsGifts } from "../../../src/engine/match/rule-trials.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { Log, Movement, Transaction } from "../../../src/model/transaction.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import type { CompiledRule } from "../../../src/rules/ruleset/compiled.ts";
import { explainCase } from "../../property/world.ts";
import { alice, bob, calldata, carol, caseOf, transferLog, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const stranger = toAddress(`0x${"99".repeat(20)}`);
const pool = `0x${"88".repeat(20)}` as const;
const foo = `0x${"77".repeat(20)}` as const;
const gift = transferLog(foo, stranger, alice, 5n);
const given = transferLog(usdc, alice, bob, 2_000_000n);
const send = calldata("function transfer(address to, uint256 value)", [bob, 2_000_000n]);

const answer = (to: string, input: `0x${string}`, logs: RpcLog[]) => {
  const { explanation } = explainCase(caseOf({ transaction: { to, input }, receipt: { logs } }));
  return { type: explanation.action_type, summary: explanation.summary };
};

describe("a bystander's gift", () => {
  it("does not make a trade of what was sent, and is told", () => {
    const { type, summary } = answer(usdc, send, [given, gift]);
    expect(type).toBe("erc20_transfer");
    expect(summary).toMatch(/sent 2 USDC to .*5 raw units of token 0x7777…7777/);
  });

  it("does not hide an exchange", () => {
    const swap = [transferLog(usdc, alice, pool, 2_000_000n), transferLog(weth, pool, alice, 10n ** 15n)];
    expect(answer(carol, "0x12345678", swap).type).toBe("swap");
    expect(answer(carol, "0x12345678", [...swap, gift]).type).toBe("swap");
  });

  it("does not count as a gift if its giver was called, was paid or wrote a log in the transaction", () => {
    const paid = [given, transferLog(foo, bob, alice, 5n)];
    expect(answer(carol, "0x12345678", paid).type).toBe("swap");
    expect(answer(stranger, "0x12345678", [given, gift]).summary).toMatch(/2 USDC.* for |giving 2 USDC.* receiving/);
  });
});

describe("a gift", () => {
  const gifts = (moves: readonly Movement[], more: Partial<Transaction> = {}, called: string[] = []) => [
    ...giftsTo(alice, { tx: moved(moves, more), calls: called.map((to) => ({ to })) as never }),
  ];
  const fromBob = move(usdc, bob, alice, 1n);
  const many = Array.from({ length: 5 }, (_, i) => move(usdc, stranger, alice, BigInt(i + 1)));

  it.each<[string, readonly Movement[], Partial<Transaction>, string[], number[]]>([
    ["what a bystander gave", [fromBob], {}, [], [0]],
    ["not ether", [move(null, bob, alice, 1n)], {}, [], []],
    ["not one's own", [move(usdc, alice, alice, 1n)], {}, [], []],
    ["not what others got", [move(usdc, bob, carol, 1n)], {}, [], []],
    ["not what was made", [move(usdc, zero, alice, 1n)], {}, [], []],
    ["not the sender's", [fromBob], { from: bob }, [], []],
    ["not the called contract's", [fromBob], { to: bob }, [], []],
    ["not of one who wrote a log", [fromBob], { logs: [{ address: bob } as Log] }, [], []],
    ["not of one who got something", [fromBob, move(usdc, carol, bob, 1n)], {}, [], []],
    ["not of one who was called", [fromBob], {}, [bob], []],
    ["beside what is none", [move(usdc, vault, alice, 1n), fromBob], {}, [], [1]],
  ])("is %s", (_, moves, more, called, expected) => {
    expect(gifts(moves, more, called)).toEqual(expected);
    // Beside many others it is found in another way.
    const all = [...expected, ...many.map((_, i) => moves.length + i)];
    expect(gifts([...moves, ...many], more, called)).toEqual(all);
  });

  it("can stand beside a rule that tells money flow of its own, and an exchange", () => {
    const rule = (parts: Partial<CompiledRule>) =>
      knowsGifts({
        flow: {},
        actsFor: null,
        tier: tierRank("act"),
        anchor: { kind: "event" },
        exchanges: false,
        ...parts,
      } as CompiledRule);
    expect(rule({})).toBe(true);
    expect(rule({ flow: null })).toBe(false);
    expect(rule({ actsFor: (() => alice) as never })).toBe(false);
    expect(rule({ tier: tierRank("fallback") })).toBe(false);
    expect(rule({ anchor: { kind: "none" } as never })).toBe(false);
    expect(rule({ anchor: { kind: "none" } as never, exchanges: true })).toBe(true);
  });
});
