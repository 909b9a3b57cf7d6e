import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import { bindLegs } from "../../src/match/bind-legs.ts";
import { giftsTo, knowsGifts } from "../../src/match/gifts.ts";
import type { MatchContext } from "../../src/model/match.ts";
import type { Log, Movement, Transaction } from "../../src/model/transaction.ts";
import { tierRank } from "../../src/ruleset/actions.ts";
import type { CompiledLeg, CompiledRule } from "../../src/ruleset/compiled.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../support/case-of.ts";
import { move, moved } from "../support/movements.ts";

const leg = (name: string, asks: Partial<CompiledLeg> = {}): CompiledLeg => ({
  ...{ name, optional: false, many: false, standards: null, token: null, from: null, to: null, amount: null, id: null },
  ...asks,
});
const is = (value: unknown) => (() => value) as unknown as CompiledLeg["token"] & object;

interface Given {
  moves: readonly Movement[];
  anchor?: number;
  explained?: number[];
  tx?: Partial<Transaction>;
}

/** Which movement each leg is bound to, and all that are claimed; undefined where the legs do not fit. */
function bound(legs: readonly CompiledLeg[], { moves, anchor, explained = [], tx }: Given) {
  const context = {
    tx: moved(moves, tx),
    legs: [],
    log: anchor === undefined ? null : ({ index: anchor } as Log),
    admits: (gate: { only: string }, address: string) => gate.only === address,
  } as unknown as MatchContext;
  const found = bindLegs(legs, context, new Set(explained));
  return found && { legs: found.context.legs.map((one) => one?.index ?? null), movements: found.movements };
}

const three = [
  move(usdc, alice, bob, 5n, { log: 0 }),
  move(token, alice, carol, 6n, { log: 1 }),
  move(null, bob, alice, 7n),
];

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

describe("several legs", () => {
  const same = [1n, 2n, 3n].map((amount) => move(usdc, alice, bob, amount));

  it("are none where none are asked for", () => {
    expect(bound([], { moves: same })).toEqual({ legs: [], movements: [] });
  });

  it("never share a movement", () => {
    expect(bound([leg("a"), leg("b")], { moves: same })).toEqual({ legs: [0, 1], movements: [0, 1] });
    expect(bound([leg("b"), leg("a")], { moves: same })).toEqual({ legs: [1, 0], movements: [0, 1] });
    expect(bound([leg("a"), leg("b")], { moves: same.slice(1, 2) })).toBeUndefined();
  });

  it.each<[string, Partial<CompiledLeg>, Partial<CompiledLeg>]>([
    ["needed before optional", {}, { optional: true, from: is(alice) }],
    ["needed before what may be unseen", {}, { optional: "unseen", from: is(alice) }],
    ["one before many", {}, { many: true, from: is(alice) }],
    ["the closer bound first: by a token", { token: is(usdc) }, {}],
    ["by a giver", { from: is(alice) }, {}],
    ["by a receiver", { to: is(bob) }, {}],
    ["by an amount", { amount: is(1n) }, {}],
    ["by a standard", { standards: ["erc20"] }, {}],
    ["by more", { from: is(alice), to: is(bob) }, { token: is(usdc) }],
  ])("take turns: %s", (_, first, second) => {
    // By name the other one would be first.
    const legs = [leg("a", second), leg("z", first)];
    expect(bound(legs, { moves: same })?.legs).toEqual([1, 0]);
    expect(bound([...legs].reverse(), { moves: same })?.legs).toEqual([0, 1]);
  });

  it("claim all that fits where many are asked for", () => {
    expect(bound([leg("a", { many: true, token: is(usdc) })], { moves: [...three, ...same] })).toEqual({
      legs: [0],
      movements: [0, 3, 4, 5],
    });
    expect(bound([leg("a"), leg("b", { many: true })], { moves: same })).toEqual({
      legs: [0, 1],
      movements: [0, 1, 2],
    });
  });

  it("read what those before them are bound to", () => {
    const next = ((context: MatchContext) => context.legs[0]?.to) as unknown as CompiledLeg["from"];
    const moves = [move(usdc, carol, alice, 1n), move(usdc, alice, bob, 2n), move(token, bob, carol, 3n)];
    const legs = [leg("a", { from: is(alice), token: is(usdc) }), leg("b", { from: next })];
    expect(bound(legs, { moves })?.legs).toEqual([1, 2]);
  });

  it("are found among many movements as among few", () => {
    const others = Array.from({ length: 70 }, (_, i) => move(weth, vault, zero, BigInt(i + 1)));
    const moves = [...others, ...three];
    for (const [asks, place] of [
      [{ token: is(usdc) }, 70],
      [{ token: is("native") }, 72],
      [{ from: is(bob) }, 72],
      [{ to: is(carol) }, 71],
      [{ token: is(weth), to: is(zero) }, 0],
      [{ to: is(bob), token: is(token) }, undefined],
      [{ from: { only: bob } as never }, 72],
      [{}, 0],
    ] as const)
      expect(bound([leg("one", asks)], { moves })?.legs[0]).toBe(place);
  });
});

describe("a gift", () => {
  const gifts = (moves: readonly Movement[], more: Partial<Transaction> = {}, called: string[] = []) => [
    ...giftsTo(alice, { tx: moved(moves, more), calls: called.map((to) => ({ to })) as never }),
  ];
  const gift = move(usdc, bob, alice, 1n);
  const bystander = toAddress(`0x${"99".repeat(20)}`);
  const many = Array.from({ length: 5 }, (_, i) => move(usdc, bystander, alice, BigInt(i + 1)));

  it.each<[string, readonly Movement[], Partial<Transaction>, string[], number[]]>([
    ["what a bystander gave", [gift], {}, [], [0]],
    ["not ether", [move(null, bob, alice, 1n)], {}, [], []],
    ["not one's own", [move(usdc, alice, alice, 1n)], {}, [], []],
    ["not what others got", [move(usdc, bob, carol, 1n)], {}, [], []],
    ["not what was made", [move(usdc, zero, alice, 1n)], {}, [], []],
    ["not the sender's", [gift], { from: bob }, [], []],
    ["not the called contract's", [gift], { to: bob }, [], []],
    ["not of one who wrote a log", [gift], { logs: [{ address: bob } as Log] }, [], []],
    ["not of one who got something", [gift, move(usdc, carol, bob, 1n)], {}, [], []],
    ["not of one who was called", [gift], {}, [bob], []],
    ["beside what is none", [move(usdc, vault, alice, 1n), gift], {}, [], [1]],
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
