import { describe, expect, it } from "vitest";
import { ranks } from "../../../src/engine/assess/examined/entry.ts";
import { followMoney } from "../../../src/engine/assess/examined/money-holders.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { MoneyTrail } from "../../../src/engine/money/trail.ts";
import { type Address, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

interface World {
  principals?: Address[];
  calls?: { actor: Address; to: Address }[];
  proven?: Address[];
}

/** Alice's act; the vault has a name, USDC is a listed token. */
function followed(moves: readonly Movement[], { principals = [alice], calls = [], proven = [] }: World = {}) {
  const tx = moved(moves);
  const { entries, unfollowed, reached } = followMoney({
    ...{
      tx,
      principals: new Set(principals),
      calls,
      trail: new MoneyTrail(tx),
      isProven: (one: Address) => proven.includes(one),
    },
    labels: {
      name: (one: Address) => (one === vault ? {} : undefined),
      token: (one: Address) => (one === usdc ? {} : undefined),
    },
  } as unknown as SubjectAct);
  return { found: entries.map(({ address, rank }) => [address, rank]), unfollowed, reached: [...reached] };
}

const { money, junk, listsOnly } = ranks;
const both: [Address, number][] = [
  [bob, money],
  [carol, money],
];
const pays = (to: Address, amount = 5n, from = alice) => move(usdc, from, to, amount);
const [dave, erin] = ["d4", "e1"].map((byte) => toAddress(`0x${byte.repeat(20)}`)) as [Address, Address];
type Found = [Address, number][];

describe("accounts that have the money in the end", () => {
  it.each<[string, Movement[], World, Found]>([
    ["nobody where nothing moved", [], {}, []],
    ["nobody where others gave", [pays(bob, 5n, carol)], {}, []],
    ["whoever was paid", [pays(bob)], {}, [[bob, money]]],
    ["whoever got ether", [move(null, alice, bob, 1n)], {}, [[bob, money]]],
    ["whoever got a stranger's token", [move(token, alice, bob, 1n)], {}, [[bob, junk]]],
    [
      "whoever got one that the account called",
      [move(token, alice, bob, 1n)],
      { calls: [{ actor: alice, to: token }] },
      [[bob, money]],
    ],
    [
      "whoever got one that others called",
      [move(token, alice, bob, 1n)],
      { calls: [{ actor: carol, to: token }] },
      [[bob, junk]],
    ],
    [
      "whoever got one, where another was called",
      [move(token, alice, bob, 1n)],
      { calls: [{ actor: alice, to: weth }] },
      [[bob, junk]],
    ],
    ["not who got a fee", [{ ...pays(bob), fee: true }], {}, []],
    ["not who got nothing", [pays(bob, 0n)], {}, []],
    ["not the account itself", [pays(alice)], {}, []],
    ["not a token that got its own", [pays(usdc)], {}, []],
    ["a token that got another", [pays(token)], {}, [[token, money]]],
    ["not a token that its own came to in the end", [pays(bob), pays(usdc, 5n, bob)], {}, []],
    ["a contract with a name that was paid", [pays(vault)], {}, [[vault, money]]],
    ["not one that the money came to over others", [pays(bob), pays(vault, 5n, bob)], {}, [[bob, listsOnly]]],
    [
      "whoever it came to over others",
      [pays(bob), pays(carol, 5n, bob)],
      {},
      [
        [carol, money],
        [bob, listsOnly],
      ],
    ],
    ["not a contract with a name on the way", [pays(vault), pays(carol, 5n, vault)], {}, [[carol, money]]],
    ["not where it came back", [pays(bob), pays(alice, 5n, bob)], {}, []],
    ["each once, the largest part first", [pays(bob, 2n), pays(carol, 3n), pays(bob, 2n)], {}, both],
    [
      "the largest part, whatever came first",
      [pays(bob, 2n), pays(carol, 3n)],
      {},
      [
        [carol, money],
        [bob, money],
      ],
    ],
    [
      "the first of two equal parts first",
      [pays(carol), pays(bob)],
      {},
      [
        [carol, money],
        [bob, money],
      ],
    ],
    [
      "the largest of each asset before the others",
      [pays(bob, 3n), pays(carol, 2n), move(null, alice, dave, 1n)],
      {},
      [
        [bob, money],
        [dave, money],
        [carol, money],
      ],
    ],
    [
      "those of other principals, too",
      [pays(bob), pays(dave, 5n, carol)],
      { principals: [alice, carol] },
      [
        [bob, money],
        [dave, money],
      ],
    ],
  ])("%s", (_what, moves, world, expected) => expect(followed(moves, world).found).toEqual(expected));

  it("adds up what came to one on several ways, with all of them", () => {
    const ways = [pays(bob, 2n), pays(carol, 2n), pays(dave, 3n), pays(erin, 2n, bob), pays(erin, 2n, carol)];
    const { found, reached } = followed(ways);
    expect(found).toEqual([
      [erin, money],
      [bob, listsOnly],
      [carol, listsOnly],
      [dave, money],
    ]);
    expect(reached).toEqual([erin, bob, carol, dave]);
  });

  it("is not asked of a contract that made shares of itself for the account", () => {
    const deposit = (maker: Address, parts: Partial<Movement> = {}) =>
      followed([pays(maker), pays(bob, 5n, maker), move(maker, zeroAddress, alice, 5n, parts)], { proven: [weth] })
        .found;
    const others = (maker: Address): Found => [
      [bob, money],
      [maker, listsOnly],
    ];
    expect(deposit(vault)).toEqual([[bob, listsOnly]]);
    expect(deposit(weth)).toEqual([
      [bob, listsOnly],
      [weth, listsOnly],
    ]);
    expect(deposit(dave)).toEqual(others(dave));
    expect(deposit(weth, { token })).toEqual(others(weth));
    expect(deposit(weth, { to: carol })).toEqual(others(weth));
    expect(deposit(weth, { amount: 0n })).toEqual(others(weth));
    expect(deposit(weth, { from: carol })[0]).toEqual([bob, money]);
  });
});

describe("accounts that have what was given for the money", () => {
  const gives = (from: Address, to: Address, of: Address | null = token) => move(of, from, to, 7n);
  it.each<[string, Movement[], Found]>([
    ["whoever got it in the account's place", [pays(bob), gives(bob, carol)], both],
    [
      "whoever got it beside the account",
      [pays(bob), gives(bob, carol), gives(bob, alice, weth)],
      [
        [bob, money],
        [carol, listsOnly],
      ],
    ],
    [
      "as if it got nothing, where it got a fee back",
      [pays(bob), gives(bob, carol), { ...gives(bob, alice, weth), fee: true }],
      both,
    ],
    [
      "as if it got nothing, where it got none",
      [pays(bob), gives(bob, carol), { ...gives(bob, alice, weth), amount: 0n }],
      both,
    ],
    [
      "whoever got it over further exchanges",
      [pays(bob), gives(bob, carol), gives(carol, dave, weth)],
      [
        [bob, money],
        [carol, listsOnly],
        [dave, money],
      ],
    ],
    [
      "whom it passed, for the lists alone",
      [pays(bob), gives(bob, carol), gives(carol, dave)],
      [
        [bob, money],
        [carol, listsOnly],
        [dave, money],
      ],
    ],
    ["not a contract with a name", [pays(bob), gives(bob, vault)], [[bob, money]]],
    [
      "not the account, nor who has the money",
      [pays(bob), pays(carol), gives(bob, alice), gives(bob, carol, weth)],
      both,
    ],
    [
      "each once",
      [pays(bob), gives(bob, dave), gives(bob, dave, weth)],
      [
        [bob, money],
        [dave, money],
      ],
    ],
    ["nobody where nobody has the money", [gives(bob, carol)], []],
  ])("%s", (_what, moves, expected) => expect(followed(moves).found).toEqual(expected));

  it("reached all accounts, also those with a name", () => {
    expect(followed([pays(bob), gives(bob, vault), gives(vault, dave, weth)]).reached).toEqual([bob, vault, dave]);
  });

  it("is followed over 64 gifts, for all principals together", () => {
    const person = (i: number) => toAddress(`0x${(0x1000 + i).toString(16).repeat(10)}`);
    const asset = (i: number) => toAddress(`0x${(0x5000 + i).toString(16).repeat(10)}`);
    const given = (count: number, from: Address, first = 0) =>
      Array.from({ length: count }, (_, i) => move(asset(first + i), from, person(first + i), 1n));
    const told = (...moves: Movement[]) => {
      const { found, unfollowed } = followed(moves, { principals: [alice, carol] });
      return [found.length, unfollowed];
    };
    expect(told(pays(bob), ...given(64, bob))).toEqual([65, 0]);
    expect(told(pays(bob), ...given(65, bob))).toEqual([65, 1]);
    const paid = [pays(bob), pays(dave, 5n, carol), ...given(40, bob)];
    expect(told(...paid, ...given(24, dave, 100))).toEqual([66, 0]);
    expect(told(...paid, ...given(25, dave, 100))).toEqual([66, 1]);
  });

  it("counts each asset that was not followed to its end", () => {
    const chain = Array.from({ length: 80 }, (_, i) => toAddress(`0x${(0x1000 + i).toString(16).repeat(10)}`));
    const passed = (of: Address | null) => chain.slice(1).map((to, i) => move(of, chain[i] as Address, to, 5n));
    const start = (of: Address | null) => move(of, alice, chain[0] as Address, 5n);
    expect(followed([start(usdc), ...passed(usdc)]).unfollowed).toBe(1);
    expect(followed([start(usdc), ...passed(usdc), start(null), ...passed(null)]).unfollowed).toBe(2);
    expect(followed([start(usdc), ...passed(usdc).slice(0, 2)]).unfollowed).toBe(0);
  });
});
