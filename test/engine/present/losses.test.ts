import { describe, expect, it } from "vitest";
import { tellLosses } from "../../../src/engine/present/given/losses.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { nameOf, namesOf, teller } from "./named-world.ts";

describe("losses that no act tells", () => {
  const loss = (of: Address | null, amount: bigint, more: object = {}) => ({
    ...{ account: alice, gross: amount, strangers: [], sent: [{ to: bob, amount }], reached: [] },
    asset: { key: of ?? "native", kind: "erc20", token: of, tokenId: null, amount, movements: [] },
    ...more,
  });
  const stranger = (to: Address, holders: Address[], amount: bigint) => ({ strangers: [{ to, holders, amount }] });
  const tools = { names: namesOf(), teller, nameOf };
  const told = (losses: object[], acts: object[] = []) =>
    tellLosses(losses as never, acts as never, tools).map(
      ({ account, predicate }) => `${nameOf(account)} ${predicate.text}`,
    );
  const act = (key: string, amount: bigint) => ({
    ...{ context: { subject: alice, tx: { weth: new Set([weth]) } }, amounts: [{ key, amount }] },
  });

  it("are told by receiver, listed assets first", () => {
    expect(told([])).toEqual([]);
    expect(told([loss(token, 150n), loss(usdc, 1_000_000n)])).toEqual([
      `alice sent 1 USDC and 1.5 "ODD" (${teller.short(token)}) to bob`,
    ]);
    expect(told([loss(usdc, 1_000_000n), loss(usdc, 1_000_000n, { account: carol })])).toEqual([
      "alice sent 1 USDC to bob",
      "carol sent 1 USDC to bob",
    ]);
  });

  it("take turns among accounts if they are equally important", () => {
    const odd = (account: Address, to: Address) => loss(token, 150n, { account, sent: [{ to, amount: 150n }] });
    const order = told([odd(alice, bob), odd(alice, vault), odd(carol, bob), loss(usdc, 1_000_000n)]);
    expect(
      order.map((text) =>
        text
          .split(" ")
          .filter((word) => !word.startsWith("("))
          .join(" "),
      ),
    ).toEqual([
      'alice sent 1 USDC and 1.5 "ODD" to bob',
      'carol sent 1.5 "ODD" to bob',
      'alice sent 1.5 "ODD" to vault',
    ]);
  });

  it("are told first for strangers, with the one who holds the money in the end", () => {
    const one = (holders: Address[]) =>
      told([loss(usdc, 1_000_000n, { sent: [], ...stranger(vault, holders, 1_000_000n) })]);
    expect([one([]), one([carol]), one([carol, bob])]).toEqual([
      ["alice sent 1 USDC to vault"],
      ["alice sent 1 USDC to carol"],
      ["alice sent 1 USDC to vault"],
    ]);
  });

  it("of owners from whom something was taken are told with the known assets that came", () => {
    const got = (of: Address | null, amount: bigint) => loss(of, amount).asset;
    const taken = (...gains: object[]) => told([loss(usdc, 1_000_000n, { got: gains })]);
    const ether = got(null, 10n ** 18n);
    expect(taken(got(token, 5n))).toEqual(["alice sent 1 USDC to bob"]);
    expect(taken(got(token, 5n), ether)).toEqual(["alice sent 1 USDC to bob and received 1 ETH"]);
    expect(taken(ether, got(weth, 10n ** 18n))).toEqual(["alice sent 1 USDC to bob and received 1 ETH and 1 WETH"]);
    expect(taken(ether, got(weth, 1n), got(usdc, 1n))).toEqual(["alice sent 1 USDC to bob and received 3 assets"]);
    const toTwo = [
      loss(usdc, 1_000_000n, { got: [ether] }),
      loss(weth, 5n, { ...stranger(carol, [], 5n), sent: [], got: [ether] }),
    ];
    expect(told(toTwo).filter((text) => text.includes("received"))).toHaveLength(1);
  });

  it.each([
    [1_000n, 980n, true],
    [1_000n, 979n, false],
    [1_000n, 1_020n, true],
    [1_000n, 1_021n, false],
    [1_000n, 1_000n, true],
  ])("of %i are told by an amount of %i: %j", (amount, said, isTold) => {
    expect(told([loss(usdc, amount)], [act(usdc, said)])).toHaveLength(isTold ? 0 : 1);
  });

  it("of ether are told by an amount of wrapped ether, and never by that of another account or token", () => {
    expect(told([loss(null, 1_000n)], [act(weth, 1_000n)])).toEqual([]);
    expect(told([loss(null, 1_000n), loss(weth, 500n)], [act("native", 1_500n)])).toEqual([]);
    expect(told([loss(usdc, 1_000_000n)], [act(token, 1_000_000n)])).toEqual(["alice sent 1 USDC to bob"]);
    expect(told([loss(usdc, 1_000_000n, { account: carol })], [act(usdc, 1_000_000n)])).toEqual([
      "carol sent 1 USDC to bob",
    ]);
  });

  it("that reached an act without a told amount are told as given", () => {
    const reached = (subject: Address, redeemed = false) => ({
      ...{ sent: [], reached: [{ action: { context: { subject } }, amount: 1_000_000n, redeemed }] },
    });
    const one = told([loss(usdc, 1_000_000n, reached(alice))]);
    const other = told([loss(usdc, 1_000_000n, reached(bob)), loss(weth, 10n ** 18n, reached(bob))]);
    expect([one, other]).toEqual([["alice gave 1 USDC for it"], ["alice gave 0.000000000001 WETH and 1 USDC for it"]]);
    expect(told([loss(usdc, 1_000_000n, reached(alice))], [act(usdc, 1_000_000n)])).toEqual([]);
    expect(told([loss(usdc, 1_000_000n, reached(bob)), loss(weth, 10n ** 18n, reached(alice))])).toEqual([
      "alice gave 0.000000000001 WETH and 1 USDC for it",
    ]);
  });

  it("of receipts that were given back are told by their number, or by what came back", () => {
    const contextOf = (subject: Address, gets: object[] = []) => ({
      ...{ subject, flow: { gets } },
      tx: { weth: new Set([weth]), movements: [], status: "success" },
    });
    const said = (context: object, amount: bigint, { redeemed = true, own = {} as object } = {}) => {
      const reached = [{ action: { context: own }, amount: 1_000_000n, redeemed }];
      const acts = [{ context, amounts: [{ key: weth, amount }] }];
      return told([loss(usdc, 1_000_000n, { sent: [], reached })], acts);
    };
    const left = ["alice gave 1 USDC for it"];
    expect(said(contextOf(alice), 1_000_000n)).toEqual([]);
    expect(said(contextOf(alice), 1_000_000n, { redeemed: false })).toEqual(left);
    expect(said(contextOf(alice), 5n)).toEqual(left);
    expect(said(contextOf(alice, [{ key: weth }]), 5n)).toEqual([]);
    expect(said(contextOf(alice, [{ key: usdc }]), 5n)).toEqual(left);
    expect(said(contextOf(bob), 1_000_000n)).toEqual(left);
    const bobs = contextOf(bob);
    expect(said(bobs, 1_000_000n, { own: bobs })).toEqual([]);
    expect(said(bobs, 5n, { own: bobs })).toEqual(left);
  });

  it("are told one by one: one amount tells only one of them", () => {
    const wrapped = [loss(null, 1_000n), loss(weth, 1_000n)];
    expect(told(wrapped, [act("native", 1_000n)])).toEqual([`alice sent 0.000000000000001 WETH to bob`]);
    expect(told(wrapped, [act("native", 1_000n), act("native", 1_000n)])).toEqual([]);
  });

  it("are told by several acts together", () => {
    const summed = (count: number) =>
      told([loss(usdc, BigInt(count) * 1_000n)], Array(count).fill(act(usdc, 1_000n))).length;
    expect([summed(12), summed(13)]).toEqual([0, 1]);
    expect(told([loss(usdc, 2_000n), loss(usdc, 9_000n)], [act(usdc, 2_000n), act(usdc, 1_000n)])).toEqual([
      "alice sent 0.009 USDC to bob",
    ]);
    expect(told([loss(usdc, 3_000n)], [act(usdc, 1_000n), act(usdc, 2_000n)])).toEqual([]);
    expect(told([loss(usdc, 2_000n), loss(usdc, 9_000n)], [act(usdc, 1_000n), act(usdc, 2_000n)])).toEqual([
      "alice sent 0.009 USDC to bob",
    ]);
  });
});
