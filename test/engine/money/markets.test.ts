import { describe, expect, it } from "vitest";
import { Markets } from "../../../src/engine/money/markets.ts";
import { findPayees, paysElsewhere } from "../../../src/engine/money/payees.ts";
import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import { deadAddress } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

describe("an account that gave a part of what the subject got", () => {
  const market = (...moves: Parameters<typeof moved>[0]) => new Markets(moved(moves));
  const towards = (of: Markets) =>
    Object.fromEntries(
      [bob, carol, vault, token, zero, alice]
        .map((who) => [who, [...of.givenTowards(alice, who)]] as const)
        .filter(([, keys]) => keys.length > 0),
    );

  it.each([
    ["nobody where it got nothing", market(move(usdc, alice, bob, 1n)), {}],
    ["who gave it", market(move(usdc, bob, alice, 1n)), { [bob]: [usdc] }],
    [
      "who gave it over others, each with all that he gave on the way",
      market(move(weth, carol, bob, 1n), move(usdc, carol, bob, 1n), move(usdc, bob, alice, 1n)),
      { [bob]: [usdc], [carol]: [weth, usdc] },
    ],
    ["the contract of a token that was made", market(move(token, zero, alice, 1n)), { [token]: [token] }],
    ["nobody for ether from nowhere", market(move(null, zero, alice, 1n)), {}],
    ["not a fee", market(move(usdc, bob, alice, 1n, { fee: true })), {}],
    ["not nothing", market(move(usdc, bob, alice, 0n)), {}],
    [
      "not the account itself",
      market(move(usdc, alice, alice, 1n), move(usdc, alice, bob, 1n), move(weth, bob, alice, 1n)),
      { [bob]: [weth] },
    ],
    ["not what a giver gave himself", market(move(usdc, bob, bob, 1n), move(weth, bob, alice, 1n)), { [bob]: [weth] }],
    [
      "nobody twice, in circles",
      market(move(usdc, carol, bob, 1n), move(usdc, bob, carol, 1n), move(weth, bob, alice, 1n)),
      { [bob]: [weth, usdc], [carol]: [usdc] },
    ],
  ])("is %s", (_, of, expected) => expect(towards(of)).toEqual(expected));

  it("counts if it gave another asset than the one in question", () => {
    const of = market(move(usdc, bob, alice, 1n), move(weth, carol, bob, 1n), move(usdc, carol, bob, 1n));
    expect(of.gaveTowards(alice, bob, usdc)).toBe(false);
    expect(of.gaveTowards(alice, bob, weth)).toBe(true);
    expect(of.gaveTowards(alice, carol, usdc)).toBe(true);
    expect(of.gaveTowards(alice, vault, usdc)).toBe(false);
    expect(of.gaveTowards(bob, carol, usdc)).toBe(true);
    expect(of.givenTowards(alice, bob)).toBe(of.givenTowards(alice, bob));
  });
});

describe("an account that gave a part of what a place got", () => {
  it("is not one that only gave to the payer", () => {
    const of = new Markets(
      moved([move(weth, bob, alice, 1n), move(usdc, alice, vault, 1n), move(weth, carol, vault, 1n)]),
    );
    expect([...of.givenTowards(vault, bob)]).toEqual([weth]);
    expect([...of.givenTowards(vault, bob, alice)]).toEqual([]);
    expect([...of.givenTowards(vault, carol, alice)]).toEqual([weth]);
  });
});

describe("a price", () => {
  const believed = (_key: string, isBelieved: boolean) => isBelieved;
  const whole = { part: 1n, of: 1n };
  const gives = (moves: Parameters<typeof moved>[0], listed: (typeof usdc)[] = []) =>
    new Markets(moved(moves, { listed: new Set(listed) }));

  it("is ether, a listed token, or another asset that counts here, but not the asset that was got", () => {
    const of = gives([move(null, bob, carol, 1n), move(usdc, carol, bob, 1n), move(token, vault, bob, 1n)], [usdc]);
    expect(of.gave(bob, usdc, whole, believed)).toBe(true);
    expect(of.gave(bob, "native", whole, () => true)).toBe(false);
    expect(of.gave(carol, "native", whole, believed)).toBe(true);
    expect(of.gave(carol, usdc, whole, () => true)).toBe(false);
    expect(of.gave(vault, usdc, whole, believed)).toBe(false);
    expect(of.gave(vault, usdc, whole, (key) => key === token)).toBe(true);
    expect(of.gave(vault, usdc, whole, (key) => key === usdc)).toBe(false);
    expect(of.gave(alice, usdc, whole, () => true)).toBe(false);
  });

  it.each<[bigint, bigint, bigint, boolean]>([
    // Bob gave `own` of 1,000 ether in total, for `part` of `of`.
    [50n, 1n, 1n, true],
    [49n, 1n, 1n, false],
    [25n, 1n, 2n, true],
    [24n, 1n, 2n, false],
    [5n, 1n, 10n, true],
    [4n, 1n, 10n, false],
    [150n, 3n, 1n, true],
    [149n, 3n, 1n, false],
  ])("of %d in 1000 is enough for %d of %d: %s", (own, part, of, expected) => {
    const moves = [move(null, bob, carol, own - 1n), move(null, bob, vault, 1n), move(null, vault, carol, 1000n - own)];
    expect(gives(moves).gave(bob, usdc, { part, of }, believed)).toBe(expected);
  });

  it.each([
    ["a fee", move(null, bob, carol, 1n, { fee: true })],
    ["nothing", move(null, bob, carol, 0n)],
    ["what he gives himself", move(null, bob, bob, 1n)],
    ["what is destroyed", move(null, bob, deadAddress, 1n)],
    ["ether from nowhere", move(null, zero, bob, 1n)],
  ])("is not %s", (_, one) => {
    const of = gives([one]);
    for (const who of [bob, zero]) expect(of.gave(who, usdc, whole, () => true)).toBe(false);
    expect(of.isGivenBy("native", () => true)).toBe(false);
  });

  it("may be a token that its contract mints", () => {
    const of = gives([move(token, zero, carol, 1n), move(usdc, bob, carol, 1n)]);
    expect(of.gave(token, usdc, whole, () => true)).toBe(true);
    expect(of.isGivenBy(token, (giver) => giver === token)).toBe(true);
    expect(of.isGivenBy(token, (giver) => giver === zero)).toBe(false);
    expect(of.isGivenBy(usdc, (giver) => giver === bob)).toBe(true);
    expect(of.isGivenBy(weth, () => true)).toBe(false);
  });
});

describe("an account that was paid instead of the subject", () => {
  const paid = (moves: Parameters<typeof moved>[0], given: string[] = [usdc]) =>
    findPayees(moved(moves), alice, new Set(given));
  const gave = move(usdc, alice, bob, 10n);

  it.each<[string, Parameters<typeof moved>[0], string[]]>([
    ["nobody where nothing else moved", [gave], []],
    ["who got something else and gave nothing", [gave, move(token, bob, carol, 1n)], [carol]],
    ["not who gave something, too", [gave, move(token, bob, carol, 1n), move(weth, carol, bob, 1n)], []],
    [
      "also who gave as much as he got of another asset",
      [gave, move(token, bob, carol, 1n), move(weth, carol, bob, 1n), move(weth, bob, carol, 1n)],
      [carol],
    ],
    [
      "not the account itself, though all that it gave came back",
      [gave, move(usdc, bob, alice, 10n), move(token, bob, alice, 1n)],
      [],
    ],
    ["also who paid a fee", [gave, move(token, bob, carol, 1n), move(usdc, carol, vault, 1n, { fee: true })], [carol]],
    [
      "who got what was paid out last before a fee",
      [gave, move(weth, bob, carol, 1n), move(token, bob, usdc, 1n), move(weth, bob, carol, 1n, { fee: true })],
      [usdc],
    ],
    [
      "who got ether that comes from where ether was destroyed",
      [move(null, alice, zero, 1n), move(null, zero, carol, 1n)],
      [carol],
    ],
    ["not who got what was given", [gave, move(usdc, bob, carol, 10n)], []],
    ["not the account itself", [gave, move(token, bob, alice, 1n)], []],
    ["the called contract where nobody else is", [gave, move(token, bob, vault, 1n)], [vault]],
    ["not wrapped ether", [gave, move(null, bob, weth, 1n)], []],
    ["nobody for what is burned", [gave, move(token, bob, deadAddress, 1n), move(token, bob, zero, 1n)], []],
    ["nobody for a fee", [gave, move(token, bob, carol, 1n, { fee: true })], []],
    ["nobody for nothing", [gave, move(token, bob, carol, 0n)], []],
    ["nobody for what came from elsewhere", [gave, move(token, usdc, carol, 1n)], []],
    ["nobody for what comes to a token's own contract", [gave, move(token, bob, token, 1n)], []],
    ["who got it over others", [gave, move(usdc, bob, weth, 1n), move(weth, weth, carol, 1n)], [carol]],
    ["who got what a contract made", [move(usdc, alice, token, 1n), move(token, zero, carol, 1n)], [carol]],
    ["who got something for what was destroyed", [move(usdc, alice, zero, 1n), move(token, usdc, carol, 1n)], [carol]],
    [
      "nobody for what a fee or nothing led to",
      [move(usdc, alice, bob, 1n, { fee: true }), move(usdc, alice, bob, 0n), move(token, bob, carol, 1n)],
      [],
    ],
    [
      "nobody by what somebody moved to himself",
      [gave, move(token, bob, carol, 1n), move(token, carol, carol, 5n)],
      [carol],
    ],
    [
      "who got the most of it first",
      [gave, move(token, bob, carol, 1n), move(token, bob, usdc, 3n), move(token, bob, token, 2n)],
      [usdc, token, carol],
    ],
    ["who got what was paid out last", [gave, move(weth, bob, usdc, 9n), move(token, bob, carol, 1n)], [carol]],
  ])("is %s", (_, moves, expected) => expect(paid(moves)).toEqual(expected));

  it("says whether the account itself got nothing while somebody else did", () => {
    const elsewhere = (moves: Parameters<typeof moved>[0]) => {
      const tx = moved(moves);
      return paysElsewhere(tx, balanceChanges(tx, alice));
    };
    const on = move(token, bob, carol, 1n);
    expect(elsewhere([gave, on])).toBe(true);
    expect(elsewhere([gave])).toBe(false);
    expect(elsewhere([on])).toBe(false);
    expect(elsewhere([gave, move(usdc, bob, alice, 10n), on])).toBe(false);
    expect(elsewhere([gave, on, move(weth, bob, alice, 1n)])).toBe(false);
    expect(elsewhere([gave, on, move(null, vault, carol, 1n, { basis: "inferred" })])).toBe(false);
    // What it gave itself is no payment, whoever else got it.
    expect(elsewhere([gave, move(usdc, bob, carol, 1n)])).toBe(false);
  });
});
