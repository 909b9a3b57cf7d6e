import { describe, expect, it } from "vitest";
import type { Movement } from "../../../src/model/transaction.ts";
import type { CompiledLeg } from "../../../src/rules/ruleset/compiled.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { bound, is, leg, three } from "./bound-legs.ts";

describe("one leg", () => {
  it.each<[string, Partial<CompiledLeg>, number | undefined]>([
    ["anything", {}, 0],
    ["a token", { token: is(token) }, 1],
    ["ether", { token: is("native") }, 2],
    ["a token that is not there", { token: is(weth) }, undefined],
    ["a giver", { from: is(bob) }, 2],
    ["another giver", { from: is(vault) }, undefined],
    ["a receiver", { to: is(carol) }, 1],
    ["another receiver", { to: is(vault) }, undefined],
    ["a giver whom a gate admits", { from: { only: bob } as never }, 2],
    ["a receiver whom a gate admits", { to: { only: carol } as never }, 1],
    ["a receiver whom no gate admits", { to: { only: vault } as never }, undefined],
    ["an amount", { amount: is(6n) }, 1],
    ["an amount, whatever its sign", { amount: is(-6n) }, 1],
    ["another amount", { amount: is(8n) }, undefined],
    ["an amount that is no number", { amount: is("6") }, undefined],
    ["a standard", { standards: ["native", "erc721"] }, 2],
    ["an id of what has none, or an amount", { amount: is(5n), id: null }, 0],
    ["another standard", { standards: ["erc721"] }, undefined],
    ["an id", { id: is(1n) }, undefined],
    ["a token that cannot be read", { token: is(undefined) }, undefined],
    ["a giver that cannot be read", { from: is(undefined) }, undefined],
    ["a receiver that cannot be read", { to: is(undefined) }, undefined],
    ["an id that cannot be read", { id: is(undefined) }, undefined],
    ["an amount that cannot be read", { amount: is(undefined) }, undefined],
  ])("asks for %s", (_, asks, place) => {
    const expected = place === undefined ? undefined : { legs: [place], movements: [place] };
    expect(bound([leg("one", asks)], { moves: three })).toEqual(expected);
  });

  it.each([0, 1, 2])("asks for nothing that is bound to what is not there: of movement %d", (place) => {
    const none = [
      {
        ...(three[place] as Movement),
        token: undefined,
        from: undefined,
        to: undefined,
        tokenId: undefined,
        amount: undefined,
      },
    ];
    for (const asks of [
      { token: is(undefined) },
      { from: is(undefined) },
      { to: is(undefined) },
      { id: is(undefined) },
      { amount: is(undefined) },
    ])
      expect(bound([leg("one", asks)], { moves: none as never })).toBeUndefined();
  });

  it("is the first movement without an anchor, the first log at anchor 0", () => {
    const moves = [
      move(null, alice, bob, 1n),
      move(usdc, alice, bob, 1n, { log: 0 }),
      move(usdc, alice, bob, 1n, { log: 1 }),
    ];
    expect(bound([leg("one")], { moves })?.legs).toEqual([0]);
    expect(bound([leg("one")], { moves, anchor: 0 })?.legs).toEqual([1]);
    expect(bound([leg("one")], { moves, anchor: 1 })?.legs).toEqual([1]);
  });

  it("asks for an NFT by its id", () => {
    const nft = move(token, alice, bob, 1n, { standard: "erc721", tokenId: 9n });
    expect(bound([leg("one", { id: is(9n) })], { moves: [...three, nft] })?.legs).toEqual([3]);
  });

  it.each<[string, Movement[], Partial<CompiledLeg>, number | undefined]>([
    ["a fee", [move(usdc, alice, bob, 5n, { fee: true })], {}, undefined],
    ["what goes to oneself", [move(usdc, alice, alice, 5n)], {}, undefined],
    ["nothing", [move(usdc, alice, bob, 0n)], {}, undefined],
    ["nothing, unless nothing is stated", [move(usdc, alice, bob, 0n)], { amount: is(0n) }, 0],
    [
      "what goes to oneself, though its amount is stated",
      [move(usdc, alice, alice, 5n)],
      { amount: is(5n) },
      undefined,
    ],
  ])("is never %s", (_, moves, asks, place) => expect(bound([leg("one", asks)], { moves })?.legs[0]).toBe(place));

  it("is not what others explain", () => {
    expect(bound([leg("one")], { moves: three, explained: [0] })?.legs).toEqual([1]);
    expect(bound([leg("one")], { moves: three, explained: [0, 1, 2] })).toBeUndefined();
  });

  it.each<[number | undefined, number]>([
    // Logs at 2, 5, 8 and 9; the last movement has none.
    [undefined, 0],
    [1, 0],
    [3, 0],
    [5, 0],
    [6, 1],
    [9, 2],
    [10, 3],
  ])("is the nearest one before the anchor at %s, else the first after it", (anchor, place) => {
    const moves = [2, 5, 8, 9].map((log) => move(usdc, alice, bob, 1n, { log }));
    expect(
      bound([leg("one")], { moves: [...moves, move(null, alice, bob, 1n)], ...(anchor !== undefined && { anchor }) })
        ?.legs,
    ).toEqual([place]);
  });

  it("is one without a log only where there is no other", () => {
    const ether = move(null, alice, bob, 1n);
    expect(bound([leg("one")], { moves: [ether, move(usdc, alice, bob, 1n, { log: 9 })], anchor: 3 })?.legs).toEqual([
      1,
    ]);
    expect(bound([leg("one")], { moves: [ether, ether], anchor: 3 })?.legs).toEqual([0]);
  });

  it("may be missing where it is optional, or only where ether may have moved unseen", () => {
    const missing = { legs: [null], movements: [] };
    const unseen = { nativeComplete: false };
    const asks = (optional: CompiledLeg["optional"]) => [leg("one", { optional, token: is(weth) })];
    expect(bound(asks(true), { moves: three })).toEqual(missing);
    expect(bound(asks("unseen"), { moves: three })).toBeUndefined();
    expect(bound(asks("unseen"), { moves: three, tx: unseen })).toEqual(missing);
    expect(bound(asks(false), { moves: three, tx: unseen })).toBeUndefined();
  });
});
