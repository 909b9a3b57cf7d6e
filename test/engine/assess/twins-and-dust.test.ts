import { describe, expect, it } from "vitest";
import { findTwin, findVictims, judgePoisoning } from "../../../src/engine/assess/poisoning.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const address = (start: string, end: string, fill = "5"): Address =>
  `0x${start}${fill.repeat(40 - start.length - end.length)}${end}` as Address;
const known = address("1234", "abcd");

describe("the twin of an address", () => {
  it.each<[string, Address, Address[], [Address, number, number] | undefined]>([
    ["shares four digits at each end", address("1234", "abcd", "7"), [known], [known, 4, 4]],
    ["shares more of them", address("123455", "55abcd", "7"), [known], [known, 6, 6]],
    ["is not one of three digits first", address("1237", "5abcd", "7"), [known], undefined],
    ["is not one of three digits last", address("12345", "7bcd", "7"), [known], undefined],
    ["is not itself", known, [known], undefined],
    ["is somebody", known, [], undefined],
    ["is not one of equal digits first", address("0000", "abcd", "7"), [address("0000", "abcd")], undefined],
    ["is not one of equal digits last", address("1234", "0000", "7"), [address("1234", "0000")], undefined],
    [
      "may begin with equal digits, if not all are equal",
      address("00001", "abcd", "7"),
      [address("00001", "abcd")],
      [address("00001", "abcd"), 5, 4],
    ],
    [
      "may end with equal digits, if not all are equal",
      address("1234", "10000", "7"),
      [address("1234", "10000")],
      [address("1234", "10000"), 4, 5],
    ],
    [
      "shares most, wherever it stands",
      address("123456", "abcd", "7"),
      [address("1234", "abcd"), address("123456", "abcd"), address("12345", "abcd", "8")],
      [address("123456", "abcd"), 6, 4],
    ],
    [
      "is the first of those that share as many",
      address("1234", "abcd", "7"),
      [address("9999", "abcd"), address("1234", "abcd", "8"), known],
      [address("1234", "abcd", "8"), 4, 4],
    ],
  ])("%s", (_what, one, others, expected) => {
    const [twin, prefix, suffix] = expected ?? [];
    expect(findTwin(one, others)).toEqual(twin === undefined ? undefined : { address: twin, prefix, suffix });
  });
});

const noon = Date.parse("2025-01-02T12:00:00Z") / 1000;
interface World {
  tx?: Partial<Transaction>;
  calls?: object[];
  history?: Record<Address, object>;
  decimals?: number | null;
}
const actOf = (moves: Movement[], { tx, calls = [], history = {}, decimals = 6 }: World = {}) =>
  ({
    tx: moved(moves, { timestamp: noon, ...tx }),
    subject: alice,
    calls,
    labels: { token: (of: string) => (of === usdc ? {} : undefined) },
    file: { risk: { history }, tokens: { [token]: { decimals } } },
  }) as unknown as SubjectAct;
const people = Array.from({ length: 25 }, (_, i) => address((0x1000 + i).toString(16), "beef"));
const nothing = (from: Address, to: Address = carol) => move(usdc, from, to, 0n, { log: 3 });
const dust = (amount: bigint, to: Address = bob) => move(null, alice, to, amount);

describe("the victims of a poisoner", () => {
  const call = (kind: string, from: Address) => ({ kind, from });
  it.each<[string, SubjectAct, Address[]]>([
    ["those in whose name nothing moved, once", actOf([nothing(bob), nothing(carol), nothing(bob)]), [bob, carol]],
    ["not who acted", actOf([nothing(bob)], { calls: [{ actor: bob }] }), []],
    ["not who called", actOf([nothing(bob)], { tx: { calls: [call("call", bob)] as never } }), []],
    ["but whose code ran alone", actOf([nothing(bob)], { tx: { calls: [call("delegatecall", bob)] as never } }), [bob]],
    ["not the sender", actOf([nothing(bob)], { tx: { from: bob } }), []],
    ["not the account itself", actOf([nothing(alice)], { tx: { from: bob } }), []],
    ["not of an NFT", actOf([{ ...nothing(bob), standard: "erc1155" }]), []],
    ["those from whom a token nobody lists moved", actOf([move(token, bob, carol, 5n)]), [bob]],
    ["not of a listed token", actOf([move(usdc, bob, carol, 5n)]), []],
    ["not where the account moved something itself", actOf([move(token, bob, carol, 5n), dust(0n)]), []],
    ["not where it got something", actOf([move(token, bob, carol, 5n), move(token, bob, alice, 1n)]), []],
    ["who got a little ether", actOf([dust(1n), dust(3_999_999_999_999n, carol)]), [bob, carol]],
    ["not who got more, or none", actOf([dust(4_000_000_000_000n), dust(0n)]), []],
    ["not who got it of others", actOf([move(null, carol, bob, 1n)]), []],
    ["not who got a little of a token", actOf([move(usdc, alice, bob, 1n)]), []],
  ])("are %s", (_what, act, expected) => expect(findVictims(act)).toEqual(expected));
});

describe("what proves poisoning", () => {
  const judged = (act: SubjectAct, imitations: Address[] = []) => {
    const { findings, remark } = judgePoisoning(act, new Set(imitations));
    return { told: findings.map(({ basis, evidence }) => [basis, evidence]), remark };
  };
  const none = { told: [], remark: null };

  it("is nothing that moved in the names of ten, of which twenty places are shown", () => {
    const moves = (count: number) => people.slice(0, count).map((who) => nothing(who));
    expect(judged(actOf(moves(9)))).toEqual(none);
    expect(judged(actOf([...moves(9), ...moves(9)]))).toEqual(none);
    for (const count of [10, 20, 21, 25])
      expect(judged(actOf(moves(count)))).toEqual({
        told: [["zero_value_transfer_from fan_out", Array(Math.min(20, count)).fill("log 3")]],
        remark: state("poisoning.nothing_sent_by_many", { count }),
      });
    expect(judged(actOf([]))).toEqual(none);
  });

  const lookalike = address("1234", "abcd", "7");
  const knows = (who: Address, ...payments: object[]) => ({ [who]: { counterparties: [known], payments } });

  it("is a transfer of nothing, or dust, with an account that looks like one that the victim knows", () => {
    const empty = actOf([nothing(bob, lookalike)], { history: knows(bob) });
    expect(judged(empty)).toEqual({
      told: [["zero_value_transfer_from lookalike_of_known", ["log 3"]]],
      remark: state("poisoning.nothing_sent", { owner: bob }),
    });
    expect(judged(actOf([nothing(bob, lookalike)], { history: knows(carol) }))).toEqual(none);
    expect(judged(actOf([nothing(bob, vault)], { history: knows(bob) }))).toEqual(none);
    const sent = { ...actOf([{ ...dust(1n), from: lookalike }], { history: knows(bob) }), subject: lookalike };
    expect(judged(sent)).toEqual({
      told: [["dust_from_lookalike lookalike_of_known", ["movement 0"]]],
      remark: state("poisoning.dust", {}),
    });
  });

  const paid = (seconds: number, amount = "1.25") => ({
    amount,
    time: new Date((noon - seconds) * 1000).toISOString(),
  });
  const fake = (more: World = {}, ...payments: object[]) =>
    actOf([move(token, bob, lookalike, 1_250_000n, { log: 7 })], { history: knows(bob, ...payments), ...more });
  const told = {
    told: [["fake_token_twin lookalike_of_known", ["log 7"]]],
    remark: state("poisoning.fake_token", {}),
  };
  it.each<[string, SubjectAct, Address[], object]>([
    ["at once", fake({}, paid(0)), [token], told],
    ["a day later", fake({}, paid(86_400)), [token], told],
    ["more than a day later", fake({}, paid(86_401)), [token], none],
    ["before it", fake({}, paid(-1)), [token], none],
    ["of another amount", fake({}, paid(60, "1.5")), [token], none],
    ["one of several", fake({}, paid(60, "1.5"), paid(60), paid(-5)), [token], told],
    ["of none that it made", fake({}), [token], none],
    ["by a token that imitates nothing", fake({}, paid(60)), [usdc], none],
    ["by a token without decimals", fake({ decimals: null }, paid(60)), [token], none],
    ["at a time that nobody knows", fake({ tx: { timestamp: null } }, paid(60)), [token], none],
  ])("is a fake token that repeats a payment: %s", (_what, act, imitations, expected) => {
    expect(judged(act, imitations)).toEqual(expected);
  });
});
