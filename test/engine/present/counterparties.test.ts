import { describe, expect, it } from "vitest";
import { listCounterparties } from "../../../src/engine/present/counterparties.ts";
import { type Address, checksum, zeroAddress } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { parseTemplate } from "../../../src/rules/ruleset/compile/template.ts";
import { alice, bob, carol, token, usdc, vault, zero } from "../../support/case-of.ts";
import { nameOf as labelOf, labelsOf, tokenOf } from "../../support/labels.ts";
import { move, nameOf, numbered, odd, teller } from "./named-world.ts";

const labels = labelsOf({ names: [labelOf(vault, "Vault")], tokens: [tokenOf(usdc, "USDC"), tokenOf(vault, "VLT")] });
const max = limits.counterpartiesMax;
const pay = (to: Address, amount = 1n, of: Address | null = token) => ({ from: alice, to, amount, token: of });

interface Parts {
  movements?: object[];
  calls?: object[];
  losses?: object[];
  tx?: object;
  actions?: object[];
  grants?: object[];
}

function list({ movements = [], calls = [], losses = [], tx = {}, actions = [], grants }: Parts) {
  const whole = {
    ...{ movements: movements.map((move, index) => ({ ...move, index })), to: null, from: alice, created: null },
    ...{ listed: new Set([usdc]), ...tx },
  };
  return listCounterparties({ tx: whole, subject: alice, calls, actions, losses, grants, labels } as never);
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

  it("is not the subject, and not an address that is no account", () => {
    expect(who({ tx: { from: alice, to: zeroAddress, created: null } })).toEqual([]);
    expect(who({ movements: [pay(alice), pay(zeroAddress), { ...pay(alice), from: zeroAddress }] })).toEqual([]);
  });

  it("starts with those who got or gave a right, before those who were paid", () => {
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

  it("ends with those who dealt with each other, givers first", () => {
    const movements = [{ ...pay(carol), from: bob }, { ...pay(numbered(1)), from: usdc }, pay(vault)];
    expect(who({ movements })).toEqual([vault, bob, carol, usdc, numbered(1)]);
  });

  const takers = (count: number) => Array.from({ length: count }, (_, i) => numbered(i));
  const lossOf = (of: Address | null, strangers: object[], movements: number[] = []) => ({
    ...{ asset: { token: of, movements }, strangers },
  });
  const taker = (to: Address, amount = 1n, holders: Address[] = []) => ({ to, amount, holders });

  it("keeps its order up to the limit, no matter who took what", () => {
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

  it("begins in turn with those who took most of each asset, and those who hold it", () => {
    const movements = [...takers(max), bob, carol, vault, usdc].map((to) => pay(to));
    const losses = [
      lossOf(usdc, [taker(bob, 1n), taker(carol, 2n)]),
      lossOf(null, [taker(vault, 5n, [alice, usdc, numbered(900)])]),
      lossOf(token, [taker(numbered(max - 1), 9n)]),
    ];
    expect(who({ movements, losses })).toEqual([carol, vault, bob, usdc, ...takers(max - 4)]);
  });

  it("goes on with those who were given most of it", () => {
    const movements = [...takers(max).map((to) => pay(to)), pay(bob, 1n, usdc), pay(carol, 2n, usdc), pay(vault, 7n)];
    const losses = [lossOf(usdc, [taker(numbered(5))], [max, max + 1]), lossOf(token, [], [max + 2])];
    expect(who({ movements, losses }).slice(0, 4)).toEqual([numbered(5), carol, bob, numbered(0)]);
  });

  it("has ether and listed tokens before others if not all movements fit", () => {
    const movements = [...takers(max - 2).map((to) => pay(to)), pay(bob, 1n, null), pay(carol, 1n, usdc)];
    expect(who({ movements })).toEqual([...takers(max - 2), bob, carol]);
    expect(who({ movements: [pay(vault), ...movements] }).slice(0, 4)).toEqual([bob, carol, vault, numbered(0)]);
  });
});

describe("who else took part in a call of the vault", () => {
  const answer = (parts: Parts = {}) => {
    const { counterparties, cut } = list({ ...parts, tx: { to: vault, ...parts.tx } });
    return { who: counterparties.map(({ address }) => nameOf(address.toLowerCase() as Address)), cut };
  };

  it("is in the order of what they had to do with the subject", () => {
    const movements = [move(carol, bob, 1n), move(alice, odd, 1n), move(zero, alice, 1n)];
    const calls = [
      { actor: alice, to: bob },
      { actor: carol, to: numbered(1) },
      { actor: alice, to: null },
    ];
    expect(answer({ movements, calls }).who).toEqual([teller.short(odd), "bob", "vault", "carol"]);
    expect(answer({ tx: { to: null, created: carol, from: bob } }).who).toEqual(["carol", "bob"]);
  });

  it("begins with those whom the actions name, in the order of their sentences, and the contracts that wrote their logs", () => {
    const named = (address: unknown, sender: Address[] = []) => ({ kind: "address", get: () => address, sender });
    const captures = new Map([
      ["b", named(carol)],
      ["a", named(odd)],
      ["z", named(bob)],
      ["mine", named(numbered(9), [numbered(9)])],
      ["none", named("native")],
    ]);
    const rule = { does: parseTemplate("meet {z}"), captures };
    const from = (context: object) =>
      answer({ actions: [{ rule, context: { log: null, call: null, ...context } }] }).who;
    const told = ["bob", teller.short(odd), "carol"];
    expect(from({})).toEqual([...told, "vault"]);
    expect(from({ call: { to: numbered(1) } })).toEqual([...told, teller.short(numbered(1)), "vault"]);
    expect(from({ call: { to: numbered(1) }, log: { address: numbered(2) } })).toEqual([
      ...[...told, teller.short(numbered(2)), "vault"],
    ]);
  });

  it("stays in that order as long as there is room", () => {
    const movements = [move(alice, odd, 1n, token), move(alice, bob, 1n, usdc)];
    const losses = [{ asset: { token: usdc, movements: [1] }, strangers: [{ to: carol, amount: 1n, holders: [] }] }];
    expect(answer({ movements, losses }).who).toEqual([teller.short(odd), "bob", "vault"]);
  });

  it("is at most the limit: those who took ether or listed tokens come before all others", () => {
    const max = limits.counterpartiesMax;
    const junk = Array.from({ length: max + 1 }, (_, i) => move(alice, numbered(i), 1n, token));
    const few = answer({ movements: junk.slice(0, max - 1) });
    expect([few.who.length, few.cut]).toEqual([max, 0]);
    const movements = [...junk, move(alice, bob, 1n, usdc), move(alice, carol, 5n, usdc)];
    expect(answer({ movements }).who.slice(0, 3)).toEqual(["bob", "carol", teller.short(numbered(0))]);
    const asset = (of: Address | null) => ({ token: of, movements: [max + 1, max + 2] });
    const strangers = [
      { to: bob, amount: 1n, holders: [] },
      { to: vault, amount: 5n, holders: [carol] },
    ];
    const taken = (of: Address | null) => answer({ movements, losses: [{ asset: asset(of), strangers }] });
    expect(taken(usdc).who.slice(0, 4)).toEqual(["vault", "carol", "bob", teller.short(numbered(0))]);
    expect(taken(null).who.slice(0, 3)).toEqual(["vault", "carol", "bob"]);
    expect(taken(token).who.slice(0, 2)).toEqual(["bob", "carol"]);
    const all = junk.map(({ to }) => ({ to, amount: 1n, holders: [] }));
    expect(answer({ movements, losses: [{ asset: asset(usdc), strangers: all }] }).cut).toBe(1);
    expect(answer({ movements, losses: [{ asset: asset(usdc), strangers: [] }] }).who.slice(0, 2)).toEqual([
      "carol",
      "bob",
    ]);
  });
});
