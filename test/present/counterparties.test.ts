import { describe, expect, it } from "vitest";
import { type Address, checksum, toAddress, zeroAddress } from "../../src/kernel/address.ts";
import { limits } from "../../src/kernel/limits.ts";
import { listCounterparties } from "../../src/present/counterparties.ts";
import { alice, bob, carol, token, usdc, vault } from "../support/case-of.ts";
import { labelsOf, nameOf, tokenOf } from "../support/labels.ts";

const labels = labelsOf({ names: [nameOf(vault, "Vault")], tokens: [tokenOf(usdc, "USDC"), tokenOf(vault, "VLT")] });
const max = limits.counterpartiesMax;
const numbered = (i: number) => toAddress(`0x${i.toString(16).padStart(40, "d")}`);
const pay = (to: Address, amount = 1n, of: Address | null = token) => ({ from: alice, to, amount, token: of });

interface Parts {
  movements?: object[];
  losses?: object[];
  tx?: object;
  actions?: object[];
  grants?: object[];
}

function list({ movements = [], losses = [], tx = {}, actions = [], grants }: Parts) {
  const whole = {
    ...{ movements: movements.map((move, index) => ({ ...move, index })), to: null, from: alice, created: null },
    ...{ listed: new Set([usdc]), ...tx },
  };
  return listCounterparties({ tx: whole, subject: alice, calls: [], actions, losses, grants, labels } as never);
}
const who = (parts: Parts) => list(parts).counterparties.map(({ address }) => address.toLowerCase());

describe("who else took part", () => {
  it("has our name, the symbol of our token, or none", () => {
    expect(list({ movements: [vault, usdc, bob].map((to) => pay(to)) })).toEqual({
      counterparties: [
        { address: checksum(vault), label: "Vault" },
        { address: checksum(usdc), label: "USDC" },
        { address: checksum(bob), label: null },
      ],
      cut: 0,
    });
  });

  it("is nobody who is the subject, or no account", () => {
    expect(who({ tx: { from: alice, to: zeroAddress, created: null } })).toEqual([]);
    expect(who({ movements: [pay(alice), pay(zeroAddress), { ...pay(alice), from: zeroAddress }] })).toEqual([]);
  });

  it("is who got a right and who else gave one, before who was paid", () => {
    const grant = (more: object = {}) => ({
      ...{ owner: alice, grantee: bob, amount: 5n, stands: true, uncertain: false },
      ...more,
    });
    const movements = [pay(vault)];
    expect(who({ movements, grants: [grant()] })).toEqual([bob, vault]);
    expect(who({ movements, grants: [grant({ amount: null, owner: carol })] })).toEqual([bob, carol, vault]);
    for (const none of [{ stands: false }, { uncertain: true }, { amount: 0n }])
      expect(who({ movements, grants: [grant(none)] })).toEqual([vault]);
  });

  it("ends with who dealt with each other, givers first", () => {
    const movements = [{ ...pay(carol), from: bob }, { ...pay(numbered(1)), from: usdc }, pay(vault)];
    expect(who({ movements })).toEqual([vault, bob, carol, usdc, numbered(1)]);
  });

  const takers = (count: number) => Array.from({ length: count }, (_, i) => numbered(i));
  const lossOf = (of: Address | null, strangers: object[], movements: number[] = []) => ({
    ...{ asset: { token: of, movements }, strangers },
  });
  const taker = (to: Address, amount = 1n, holders: Address[] = []) => ({ to, amount, holders });

  it("stays in its order up to the limit, whoever took what", () => {
    const losses = [lossOf(usdc, [taker(bob)])];
    const movements = [...takers(max - 1), bob].map((to) => pay(to));
    expect(who({ movements, losses })).toEqual([...takers(max - 1), bob]);
    expect(who({ movements: [...takers(max), bob].map((to) => pay(to)), losses })).toEqual([bob, ...takers(max - 1)]);
  });

  it.each([
    [1, 0],
    [max, 0],
    [max + 1, 1],
    [max + 3, 3],
  ])("%i who took what nothing accounts for: %i find no room", (count, cut) => {
    const all = takers(max + 3);
    const losses = [
      lossOf(
        null,
        all.slice(0, count).map((to) => taker(to)),
      ),
    ];
    expect(list({ movements: all.map((to) => pay(to)), losses }).cut).toBe(cut);
  });

  it("begins with who took most of each asset, in turn, with those who hold it", () => {
    const movements = [...takers(max), bob, carol, vault, usdc].map((to) => pay(to));
    const losses = [
      lossOf(usdc, [taker(bob, 1n), taker(carol, 2n)]),
      lossOf(null, [taker(vault, 5n, [alice, usdc, numbered(900)])]),
      lossOf(token, [taker(numbered(max - 1), 9n)]),
    ];
    expect(who({ movements, losses })).toEqual([carol, vault, bob, usdc, ...takers(max - 4)]);
  });

  it("goes on with who was given most of it otherwise", () => {
    const movements = [...takers(max).map((to) => pay(to)), pay(bob, 1n, usdc), pay(carol, 2n, usdc), pay(vault, 7n)];
    const losses = [lossOf(usdc, [taker(numbered(5))], [max, max + 1]), lossOf(token, [], [max + 2])];
    expect(who({ movements, losses }).slice(0, 4)).toEqual([numbered(5), carol, bob, numbered(0)]);
  });

  it("has ether and listed tokens before others where not all movements fit", () => {
    const movements = [...takers(max - 2).map((to) => pay(to)), pay(bob, 1n, null), pay(carol, 1n, usdc)];
    expect(who({ movements })).toEqual([...takers(max - 2), bob, carol]);
    expect(who({ movements: [pay(vault), ...movements] }).slice(0, 4)).toEqual([bob, carol, vault, numbered(0)]);
  });
});
