import { describe, expect, it } from "vitest";
import { tellPayees } from "../../../src/engine/present/summary.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { alice, usdc, weth } from "../../support/case-of.ts";
import { namesOf, teller } from "./named-world.ts";

const names = namesOf();
const stranger = toAddress(`0x${"5e".repeat(20)}`);
const assetOf = (token: Address, amount: bigint) => ({ key: token, kind: "erc20", token, tokenId: null, amount });
const world = { names, teller, nameOf: teller.short };
/** The texts that are told beside acts and losses. An act names amounts and has legs. */
const tell = (assets: object[], acts: object[] = [], losses: string[] = [], tools = world) =>
  tellPayees(
    [{ account: alice, payee: stranger, assets }] as never,
    {
      acts: acts.map((act) => ({ subject: "", text: "", amounts: [], context: contextOf([]), ...act })) as never,
      told: losses.map((text) => ({ account: alice, predicate: { text, untrusted: false } })),
    },
    tools,
  );
const contextOf = (legs: (object | null)[]) => ({ legs, tx: { weth: new Set([weth]) } });

describe("an account that was paid instead of the subject", () => {
  it("is told with what it got, for each account", () => {
    const amount = { text: "2 USDC", untrusted: false };
    const predicate = teller.say("summary.had_paid", { amount, to: teller.short(stranger) });
    const clause = teller.say("summary.went", { amount, to: teller.short(stranger) });
    expect(tell([assetOf(usdc, 2_000_000n)])).toEqual([{ account: alice, predicate, clause }]);
    expect(tellPayees([], { acts: [], told: [] }, world)).toEqual([]);
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
    expect(tell(assets, [], [`sent 2 USDC to ${teller.short(stranger)}`])).toEqual([]);
    expect(tell(assets, [], [`sent 1 USDC to ${teller.short(stranger)}`])).toHaveLength(1);
  });

  it("is told first if it got what counts most", () => {
    const payouts = [
      { account: alice, payee: stranger, assets: [assetOf(stranger, 9n)] },
      { account: alice, payee: alice, assets: [assetOf(stranger, 9n), assetOf(usdc, 2_000_000n)] },
    ];
    const told = tellPayees(payouts as never, { acts: [], told: [] }, world);
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
