import { describe, expect, it } from "vitest";
import { tellPayees } from "../../../src/engine/present/given/payees.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { alice, bob, usdc, weth } from "../../support/case-of.ts";
import { namesOf, teller } from "./named-world.ts";

const names = namesOf();
const stranger = toAddress(`0x${"5e".repeat(20)}`);
const assetOf = (token: Address, amount: bigint, movements: number[] = []) => ({
  ...{ key: token, kind: "erc20", token, tokenId: null, amount, movements },
});
const world = { names, teller, nameOf: teller.short };
/** What alice gave, over whom and to whom. */
const gaveBy = (...postings: object[]) => ({ ledger: () => ({ gaveBy: () => postings as never }) });
/** The texts that are told beside acts and losses. An act names amounts and has legs. */
const tell = (assets: object[], acts: object[] = [], sent: bigint[] = [], tools = world, gave = gaveBy()) =>
  tellPayees(
    [{ account: alice, payee: stranger, assets }] as never,
    {
      acts: acts.map((act) => ({
        subject: "",
        text: "",
        amounts: [],
        rule: {},
        context: contextOf([]),
        ...act,
      })) as never,
      losses: sent.map((amount) => ({
        ...{ account: alice, asset: assetOf(usdc, amount), sent: [] },
        strangers: [{ to: stranger, holders: [stranger], amount }],
      })) as never,
      ...gave,
      told: sent.map(() => ({ account: alice, predicate: { text: `to ${teller.short(stranger)}`, untrusted: false } })),
    },
    tools,
  );
const contextOf = (legs: (object | null)[], movements: object[] = []) => ({
  ...{
    subject: alice,
    legs,
    tx: { weth: new Set([weth]), movements },
    admits: (_: unknown, at: Address) => at === bob,
  },
});

describe("an account that was paid instead of the subject", () => {
  it("is told with what it got, for each account", () => {
    const amount = { text: "2 USDC", untrusted: false };
    const predicate = teller.say("summary.had_paid", { amount, to: teller.short(stranger) });
    const clause = teller.say("summary.went", { amount, to: teller.short(stranger) });
    expect(tell([assetOf(usdc, 2_000_000n)])).toEqual([{ account: alice, predicate, clause }]);
    expect(tellPayees([], { acts: [], losses: [], told: [], ...gaveBy() }, world)).toEqual([]);
  });

  it("is not told again if an act names it with that amount", () => {
    const named = {
      text: `withdrew 2 USDC to ${teller.short(stranger)}`,
      amounts: [{ key: usdc, amount: 2_000_000n }],
    };
    const assets = [assetOf(usdc, 2_000_000n)];
    expect(tell(assets, [named])).toEqual([]);
    expect(tell(assets, [{ ...named, text: "got 2 USDC", subject: teller.short(stranger) }])).toEqual([]);
    expect(tell(assets, [{ ...named, text: "withdrew 2 USDC to Bob" }], [], { ...world, nameOf: () => "Bob" })).toEqual(
      [],
    );
    const ether = { ...named, amounts: [{ key: "native", amount: 5n }] };
    expect(tell([assetOf(weth, 5n)], [ether])).toEqual([]);
    const legs = [null, { token: usdc, tokenId: null, to: stranger, amount: 2_000_000n }];
    expect(tell(assets, [{ ...named, amounts: [], context: contextOf(legs) }])).toEqual([]);
  });

  it("is told if it is named with less, or with another asset", () => {
    const tip = { text: `sent 0.01 USDC to ${teller.short(stranger)}` };
    const paid = (acts: object[]) => tell([assetOf(usdc, 2_000_000n)], acts).map(({ predicate }) => predicate.text);
    const told = [`had 2 USDC go to ${teller.short(stranger)}`];
    expect(paid([tip])).toEqual(told);
    expect(paid([{ text: `called ${teller.short(stranger)}` }])).toEqual(told);
    expect(paid([{ ...tip, amounts: [{ key: usdc, amount: 10_000n }] }])).toEqual(told);
    expect(paid([{ ...tip, amounts: [{ key: weth, amount: 2_000_000n }] }])).toEqual(told);
    const legs = [{ token: usdc, tokenId: null, to: alice, amount: 2_000_000n }];
    expect(paid([{ ...tip, context: contextOf(legs) }])).toEqual(told);
  });

  it("is not told again if the loss is told with its owner", () => {
    const assets = [assetOf(usdc, 2_000_000n)];
    expect(tell(assets, [], [2_000_000n])).toEqual([]);
    expect(tell(assets, [], [1_500_000n, 490_000n])).toEqual([]);
    expect(tell(assets, [], [1_000_000n])).toHaveLength(1);
  });

  it("is told where an act's contract sent it, and where the sentence about a loss is about another receiver", () => {
    const other = { strangers: [], sent: [{ to: stranger, amount: 2_000_000n }] };
    const several = { strangers: [{ to: alice, holders: [stranger, bob], amount: 2_000_000n }], sent: [] };
    const dust = { account: alice, predicate: { text: `sent 1 wei to ${teller.short(stranger)}`, untrusted: false } };
    const payouts = [{ account: alice, payee: stranger, assets: [assetOf(usdc, 2_000_000n)] }];
    for (const parts of [other, several]) {
      const losses = [{ account: alice, asset: assetOf(usdc, 2_000_000n), ...parts }];
      expect(
        tellPayees(payouts as never, { acts: [], losses, told: [dust], ...gaveBy() } as never, world),
      ).toHaveLength(1);
    }
  });

  it("is told with what acts leave: not what they bind to it, or say that the account gave to it", () => {
    const left = (acts: object[]) =>
      tell([assetOf(usdc, 3_000_000n, [0])], acts).map(({ predicate }) => predicate.text);
    const toStranger = { index: 0, token: usdc, tokenId: null, from: alice, to: stranger, amount: 1_000_000n };
    const rest = [`had 2 USDC go to ${teller.short(stranger)}`];
    const bound = { text: `paid ${teller.short(stranger)}`, context: contextOf([toStranger]) };
    expect(left([bound])).toEqual(rest);
    expect(left([{ ...bound, text: "paid somebody" }])).toEqual([`had 3 USDC go to ${teller.short(stranger)}`]);
    const given = { amounts: [{ key: usdc, amount: 1_000_000n }], context: contextOf([], [toStranger]) };
    expect(left([given])).toEqual([`had 3 USDC go to ${teller.short(stranger)}`]);
    expect(left([{ ...given, text: `called ${teller.short(stranger)}` }])).toEqual(rest);
    expect(left([given, bound])).toEqual(rest);
    const ofOthers = { ...given, context: contextOf([], [{ ...toStranger, from: usdc }]) };
    expect(left([ofOthers])).toEqual([`had 3 USDC go to ${teller.short(stranger)}`]);
  });

  it("is told without what the account gave it over contracts of an exchange that states this", () => {
    const sold = { amounts: [{ key: usdc, amount: 1_000_000n }], rule: { exchanges: true } };
    const over = (...at: Address[]) =>
      gaveBy({ asset: usdc, keeper: stranger, amount: 1_000_000n, via: at.map((one) => ({ at: one, out: 0 })) });
    const left = (act: object, gave: ReturnType<typeof gaveBy>) =>
      tell([assetOf(usdc, 3_000_000n)], [act], [], world, gave).map(({ predicate }) => predicate.text);
    const told = (amount: string) => [`had ${amount} USDC go to ${teller.short(stranger)}`];
    expect(left(sold, over(bob))).toEqual(told("2"));
    expect(left(sold, over(bob, weth))).toEqual(told("3"));
    expect(left({ ...sold, rule: {} }, over(bob))).toEqual(told("3"));
    expect(left({ ...sold, amounts: [] }, over(bob))).toEqual(told("3"));
    expect(left(sold, gaveBy())).toEqual(told("3"));
  });

  it("is told first if it got what counts most", () => {
    const payouts = [
      { account: alice, payee: stranger, assets: [assetOf(stranger, 9n)] },
      { account: alice, payee: alice, assets: [assetOf(stranger, 9n), assetOf(usdc, 2_000_000n)] },
    ];
    const told = tellPayees(payouts as never, { acts: [], losses: [], told: [], ...gaveBy() }, world);
    expect(told.map(({ predicate }) => predicate.text.split(" go to ")[1])).toEqual(
      [alice, stranger].map(teller.short),
    );
  });

  it("is told with three assets at most", () => {
    const tokens = ["21", "22", "23", "24"].map((digits) => toAddress(`0x${digits.repeat(20)}`));
    const [many] = tell(tokens.map((token) => assetOf(token, 2n)));
    expect(many?.predicate.text.match(/raw units of token/g)).toHaveLength(3);
  });
});
