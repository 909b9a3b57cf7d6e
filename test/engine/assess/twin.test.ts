import { describe, expect, it } from "vitest";
import { findTwin, findVictims, judgePoisoning } from "../../../src/engine/assess/poisoning.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { Call, Movement } from "../../../src/model/transaction.ts";
import { move, moved } from "../../support/movements.ts";

/** An address with these digits at its ends, and one digit between them. */
const like = (start: string, end: string, between = "0"): Address =>
  toAddress(`0x${start}${between.repeat(40 - start.length - end.length)}${end}`);
const known = like("abcd12", "34ef01");
const alice = like("a11ce1", "a11ce1", "7");
const bob = like("b0b123", "b0b123", "8");
const carol = like("ca4012", "ca4012", "6");
const token = like("123456", "654321", "5");

describe("the twin of an address", () => {
  it.each<[string, Address, readonly Address[], object | undefined]>([
    ["has four digits at each end", like("abcd", "ef01", "9"), [known], { address: known, prefix: 4, suffix: 4 }],
    ["has not three at its start", like("abc", "ef01", "9"), [known], undefined],
    ["has not three at its end", like("abcd", "f01", "9"), [known], undefined],
    ["is not the same address", known, [known], undefined],
    ["has no vanity start", like("0000", "ef01", "9"), [like("0000", "ef01", "8")], undefined],
    ["has no vanity end", like("abcd", "0000", "9"), [like("abcd", "0000", "8")], undefined],
    [
      "may begin with few digits that repeat",
      like("0000a", "ef01", "9"),
      [like("0000a", "ef01", "8")],
      { address: like("0000a", "ef01", "8"), prefix: 5, suffix: 4 },
    ],
    [
      "is the one that shares most",
      like("abcd1", "4ef01", "9"),
      [like("abcd1", "ef01", "8"), known, like("abcd", "4ef01", "7")],
      { address: known, prefix: 5, suffix: 5 },
    ],
    [
      "is the first of those that share as much",
      like("abcd1", "4ef01", "9"),
      [like("abcd1", "ef01", "8"), like("abcd", "4ef01", "7")],
      { address: like("abcd1", "ef01", "8"), prefix: 5, suffix: 4 },
    ],
    ["is nobody where nobody is known", known, [], undefined],
  ])("%s", (_, address, others, expected) => expect(findTwin(address, others)).toEqual(expected));
});

interface World {
  calls?: { actor: Address }[];
  frames?: Partial<Call>[];
  listed?: Address;
  decimals?: number | null;
  timestamp?: number | null;
  counterparties?: readonly Address[];
  payments?: { amount: string; time: string }[];
}

/** An act of alice with these movements. The history is that of the victims. */
function actOf(moves: readonly Movement[], world: World = {}): SubjectAct {
  const {
    calls = [],
    frames = [],
    listed,
    decimals = 0,
    timestamp = 1_700_000_000,
    counterparties = [known],
    payments = [],
  } = world;
  const history = { counterparties, payments };
  return {
    tx: moved(moves, { from: alice, timestamp, calls: frames as Call[] }),
    subject: alice,
    calls,
    labels: { token: (one: string) => (one === listed ? {} : undefined) },
    file: { tokens: { [token]: { decimals } }, risk: { history: new Proxy({}, { get: () => history }) } },
  } as unknown as SubjectAct;
}

const twin = like("abcd12", "34ef01", "9");
const nothingTo = (to: Address, from = bob, more: Partial<Movement> = {}) =>
  move(token, from, to, 0n, { log: 4, ...more });

describe("victims", () => {
  const dust = (amount: bigint, more: Partial<Movement> = {}) => move(null, alice, carol, amount, more);
  const fake = move(token, bob, carol, 5n);
  it.each<[string, readonly Movement[], World, Address[]]>([
    ["in whose name nothing was sent", [nothingTo(carol)], {}, [bob]],
    ["not who sent something of a token", [move(token, bob, alice, 5n)], {}, []],
    ["not by an NFT", [nothingTo(carol, bob, { standard: "erc1155" })], {}, []],
    ["not the sender, nor the account itself", [nothingTo(carol, alice)], {}, []],
    ["not who acted", [nothingTo(carol)], { calls: [{ actor: bob }] }, []],
    ["not who called somebody", [nothingTo(carol)], { frames: [{ from: bob, kind: "call" }] }, []],
    ["whose code was borrowed", [nothingTo(carol)], { frames: [{ from: bob, kind: "delegatecall" }] }, [bob]],
    ["in whose name a stranger's token was sent", [fake], {}, [bob]],
    ["not by a listed token", [fake], { listed: token }, []],
    ["not by a token where the account gave or got something", [fake, move(null, alice, carol, 10n ** 18n)], {}, []],
    ["not by a token that was made", [move(token, toAddress(`0x${"0".repeat(40)}`), carol, 5n)], {}, []],
    ["not by ether", [{ ...fake, token: null, standard: "native" }], {}, []],
    ["whom dust was sent to", [dust(1n), dust(3_999_999_999_999n)], {}, [carol]],
    ["not whom more was sent to", [dust(4_000_000_000_000n)], {}, []],
    ["not whom nothing was sent to", [dust(0n)], {}, []],
    ["not by the dust of others", [move(null, bob, carol, 1n)], {}, []],
    ["not oneself", [move(null, alice, alice, 1n)], {}, []],
  ])("are %s", (_, moves, world, expected) => expect(findVictims(actOf(moves, world))).toEqual(expected));
});

describe("poisoning", () => {
  const judged = (moves: readonly Movement[], world: World = {}, imitations: Address[] = []) => {
    const { findings, remark } = judgePoisoning(actOf(moves, world), new Set(imitations));
    return [
      findings.map(({ basis, evidence }) => [basis, evidence]),
      (remark as { id?: string } | null) === null ? null : JSON.stringify(remark).match(/poisoning\.\w+/)?.[0],
    ];
  };
  const people = (count: number) =>
    Array.from({ length: count }, (_, i) => toAddress(`0x${(i + 1).toString(16).padStart(2, "0").repeat(20)}`));
  const many = (count: number) => people(count).map((from, i) => nothingTo(carol, from, { log: i }));
  const paidAt = (seconds: number, amount = "5") => [{ amount, time: new Date(seconds * 1000).toISOString() }];
  const now = 1_700_000_000;
  const fake = move(token, bob, twin, 5n, { log: 7 });
  const told = [[["fake_token_twin lookalike_of_known", ["log 7"]]], "poisoning.fake_token"];

  it.each<[string, readonly Movement[], World, Address[], unknown[]]>([
    ["is none where nothing moved", [], {}, [], [[], null]],
    ["is not proven by nothing that goes to a stranger", [nothingTo(carol)], {}, [], [[], null]],
    [
      "is proven by nothing that goes to a twin",
      [nothingTo(twin)],
      {},
      [],
      [[["zero_value_transfer_from lookalike_of_known", ["log 4"]]], "poisoning.nothing_sent"],
    ],
    [
      "is proven by nothing in the name of two",
      [nothingTo(twin), nothingTo(carol, carol)],
      {},
      [],
      [[["zero_value_transfer_from lookalike_of_known", ["log 4"]]], "poisoning.nothing_sent_by_many"],
    ],
    ["is not proven by nothing in the name of nine", many(9), {}, [], [[], null]],
    [
      "is proven by nothing in the name of ten",
      many(10),
      {},
      [],
      [
        [["zero_value_transfer_from fan_out", Array.from({ length: 10 }, (_, i) => `log ${i}`)]],
        "poisoning.nothing_sent_by_many",
      ],
    ],
    [
      "names twenty logs at most",
      many(25),
      {},
      [],
      [
        [["zero_value_transfer_from fan_out", Array.from({ length: 20 }, (_, i) => `log ${i}`)]],
        "poisoning.nothing_sent_by_many",
      ],
    ],
    [
      "is proven by dust of a twin",
      [move(null, alice, carol, 1n, { log: -1 })],
      { counterparties: [like("a11ce1", "a11ce1", "3")] },
      [],
      [[["dust_from_lookalike lookalike_of_known", ["movement 0"]]], "poisoning.dust"],
    ],
    ["is proven by a fake token that repeats a payment", [fake], { payments: paidAt(now) }, [token], told],
    ["is proven up to a day later", [fake], { payments: paidAt(now - 86_400) }, [token], told],
    ["is not proven more than a day later", [fake], { payments: paidAt(now - 86_401) }, [token], [[], null]],
    ["is not proven by a later payment", [fake], { payments: paidAt(now + 1) }, [token], [[], null]],
    ["is not proven by another amount", [fake], { payments: paidAt(now, "6") }, [token], [[], null]],
    [
      "is not proven where the decimals are not known",
      [fake],
      { payments: paidAt(now), decimals: null },
      [token],
      [[], null],
    ],
    [
      "is not proven where the time is not known",
      [fake],
      { payments: paidAt(now), timestamp: null },
      [token],
      [[], null],
    ],
    ["is not proven by a token that imitates nothing", [fake], { payments: paidAt(now) }, [carol], [[], null]],
  ])("%s", (_, moves, world, imitations, expected) => expect(judged(moves, world, imitations)).toEqual(expected));
});
