import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../src/kernel/address.ts";
import { tellPayees } from "../../src/present/given/payees.ts";
import { alice, usdc } from "../support/case-of.ts";
import { namesOf, teller } from "./named-world.ts";

const names = namesOf();
const stranger = toAddress(`0x${"5e".repeat(20)}`);
const assetOf = (token: Address, amount: bigint) => ({ key: token, kind: "erc20", token, tokenId: null, amount });
const calledNamed = [{ account: alice, payee: stranger, called: true, assets: [assetOf(usdc, 2_000_000n)] }];
const tell = (assets: object[], isSaid: (name: string) => boolean = () => false, nameOf = teller.short) =>
  tellPayees([{ account: alice, payee: stranger, assets }] as never, isSaid, { names, teller, nameOf });

describe("who was paid in an account's place", () => {
  it("is told with what he got, by the account", () => {
    const amount = { text: "2 USDC", untrusted: false };
    const predicate = teller.say("summary.had_paid", { amount, to: teller.short(stranger) });
    expect(tell([assetOf(usdc, 2_000_000n)])).toEqual([{ account: alice, predicate }]);
    expect(tellPayees([], () => false, { names, teller, nameOf: teller.short })).toEqual([]);
  });

  it("is not told twice", () => {
    expect(tell([assetOf(usdc, 1n)], (name) => name === teller.short(stranger))).toEqual([]);
    expect(
      tell(
        [assetOf(usdc, 1n)],
        (name) => name === "Bob",
        () => "Bob",
      ),
    ).toEqual([]);
  });

  it("is told with what else he got, where a sentence names him with a part", () => {
    const assets = [assetOf(usdc, 2_000_000n), assetOf(stranger, 9n)];
    const amounts = assets.map((asset) => names.asset(asset as never).text);
    const said = (...parts: string[]) => tell(assets, (text) => [teller.short(stranger), ...parts].includes(text));
    expect(said(amounts[0] as string).map(({ predicate }) => predicate.text)).toEqual([
      expect.stringContaining(amounts[1] as string),
    ]);
    expect(said(amounts[0] as string)[0]?.predicate.text).not.toContain(amounts[0]);
    expect(said(...amounts)).toEqual([]);
  });

  it("is told where a sentence names him as the one that was called", () => {
    expect(tellPayees(calledNamed as never, () => true, { names, teller, nameOf: teller.short })).toHaveLength(1);
  });

  it("is told first where he got what counts most", () => {
    const payouts = [
      { account: alice, payee: stranger, assets: [assetOf(stranger, 9n)] },
      { account: alice, payee: alice, assets: [assetOf(stranger, 9n), assetOf(usdc, 2_000_000n)] },
    ];
    const told = tellPayees(payouts as never, () => false, { names, teller, nameOf: teller.short });
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
