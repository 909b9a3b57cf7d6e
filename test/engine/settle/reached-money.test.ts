import { describe, expect, it } from "vitest";
import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import { type Address, deadAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { callOf, candidateOf, type FitParts, logAt } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import {
  all,
  callRule,
  elsewhere,
  flowRule,
  givingRule,
  lost,
  paid,
  reached,
  type World,
  worldOf,
} from "./reached-case.ts";

describe("what an account gave reaches an act", () => {
  it.each<[string, World, FitParts, unknown[]]>([
    ["where a contract that the rule admits has it", { moves: [paid(vault)] }, {}, all],
    [
      "where the contract that wrote the log has it",
      { moves: [paid(bob)], calls: elsewhere },
      { context: { log: logAt(bob) } },
      all,
    ],
    ["not where a stranger has it", { moves: [paid(bob)], calls: elsewhere }, {}, lost(bob)],
    [
      "where the called contract has it, by a rule about the call",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: callRule, context: { call: callOf({ to: bob }) } },
      all,
    ],
    [
      "not where another contract was called",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: callRule, context: { call: callOf({ to: token }) } },
      lost(bob),
    ],
    [
      "where the called contract has it, by a rule about the event beside the call",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { anchor: { kind: "event", companion: {} } as never }, context: { call: callOf({ to: bob }) } },
      all,
    ],
    [
      "not where a call is known to a rule about an event alone",
      { moves: [paid(bob)], calls: elsewhere },
      { context: { call: callOf({ to: bob }) } },
      lost(bob),
    ],
    [
      "where a leg names who has it",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { legs: [{ to: [bob] }] as never } },
      all,
    ],
    [
      "not where a leg lets anybody have it",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { legs: [{ to: Object.assign([bob], { kind: "any" }) }] as never } },
      lost(bob),
    ],
    [
      "not by a leg that names nobody",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { legs: [{ to: null }, { to: () => bob }] as never } },
      lost(bob),
    ],
    [
      "not by money flow alone, though the rule admits him",
      { moves: [paid(vault)], calls: elsewhere },
      { rule: flowRule },
      lost(vault),
    ],
    ["where it was burned", { moves: [paid(deadAddress)] }, { place: 0, home: [] }, all],
    ["where its own contract has it", { moves: [paid(usdc)] }, { place: 0, home: [] }, all],
    ["where wrapped ether has it", { moves: [paid(weth, null)] }, { place: 0, home: [] }, all],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));

  it("if a leg is bound to it by receiver, by id, or by a name in the sentence, but not by its amount", () => {
    const { tx } = worldOf({ moves: [paid(bob)] });
    const bound = (leg: object, captures = new Map()) =>
      reached(
        { moves: tx.movements, calls: elsewhere },
        { rule: { legs: [leg] as never, captures }, context: { legs: tx.movements } },
      );
    // A movement is recognized by its identity, so the test uses the same object.
    const world = worldOf({ moves: [paid(bob)], calls: elsewhere });
    const covers = (leg: object, captures: [string, object][] = []) => {
      const [asset] = balanceChanges(world.tx, alice).gives;
      const [parcel] = world.money.trail.parcelsOf(alice, asset as never);
      const act = candidateOf("act", world.tx, {
        rule: { legs: [leg] as never, captures: new Map(captures) as never },
        context: { legs: world.tx.movements },
      });
      return world.money.covers(act, alice, asset as never, parcel as never);
    };
    expect(bound({ to: null, id: null })).toEqual(lost(bob));
    expect(covers({ to: () => bob, id: null })).toBe("reached");
    expect(covers({ to: null, id: () => 1n })).toBe("reached");
    expect(covers({ to: null, id: null })).toBeNull();
    const names = (address: Address, kind = "address") => ["who", { kind, get: () => address }] as [string, object];
    expect(covers({ to: null, id: null }, [names(bob)])).toBe("reached");
    expect(covers({ to: null, id: null }, [names(carol)])).toBeNull();
    expect(covers({ to: null, id: null }, [names(bob, "text")])).toBeNull();
  });

  it("if it is the movement that the rule is about", () => {
    const { tx, money } = worldOf({ moves: [paid(bob)], calls: elsewhere });
    const [asset] = balanceChanges(tx, alice).gives;
    const [parcel] = money.trail.parcelsOf(alice, asset as never);
    const covers = (of: Movement | null) =>
      money.covers(candidateOf("act", tx, { context: { move: of } }), alice, asset as never, parcel as never);
    expect(covers(tx.movements[0] as Movement)).toBe("reached");
    expect(covers(null)).toBeNull();
  });

  it.each<[string, World, FitParts, unknown[]]>([
    ["what passed an admitted contract", { moves: [paid(vault), move(usdc, vault, bob, 10n)] }, {}, all],
    [
      "not what passed strangers",
      { moves: [paid(carol), move(usdc, carol, bob, 10n)], calls: elsewhere },
      {},
      lost(bob),
    ],
    [
      "for an exchange only a fifth of it, as sent on",
      { moves: [paid(vault), move(usdc, vault, bob, 2n)] },
      { rule: { exchanges: true } },
      [10, [], "reached"],
    ],
    [
      "for an exchange no more than that",
      { moves: [paid(vault), move(usdc, vault, bob, 3n)] },
      { rule: { exchanges: true } },
      [7, [[bob, 3]], "reached"],
    ],
    [
      "for an exchange all that somebody gave ether for",
      { moves: [paid(vault), move(usdc, vault, bob, 10n), move(null, bob, carol, 1n)] },
      { rule: { exchanges: true } },
      all,
    ],
    [
      "what somebody gave ether for to a place of the act",
      { moves: [paid(bob), move(null, bob, vault, 1n)], calls: elsewhere },
      { context: { log: logAt(vault) } },
      all,
    ],
    [
      "what somebody gave ether for to whom a leg names",
      { moves: [paid(bob), move(null, bob, carol, 1n)], calls: elsewhere },
      { context: { legs: [null, move(null, bob, carol, 1n)] } },
      all,
    ],
    [
      "not what he gave ether for to somebody else",
      { moves: [paid(bob), move(null, bob, carol, 1n)], calls: elsewhere },
      { context: { log: logAt(vault) } },
      lost(bob),
    ],
    [
      "for an exchange what he gave ether for to the account, over somebody else",
      { moves: [paid(bob), move(null, bob, carol, 1n), move(null, carol, alice, 1n)], calls: elsewhere },
      { rule: { exchanges: true }, context: { log: logAt(vault) } },
      all,
    ],
    [
      "not what somebody gave a token for that nobody knows",
      { moves: [paid(bob), move(token, bob, vault, 1n)], calls: elsewhere },
      { context: { log: logAt(vault) } },
      lost(bob),
    ],
    [
      "what somebody gave a token for that an admitted contract gave, too",
      { moves: [paid(bob), move(token, bob, vault, 1n), move(token, vault, carol, 1n)], calls: elsewhere },
      { context: { log: logAt(vault) } },
      all,
    ],
    [
      "not where no contract is proven and the act is not about what is given",
      { moves: [paid(bob), move(token, bob, alice, 1n)], calls: elsewhere },
      { place: 1 },
      lost(bob),
    ],
    [
      "not where the account did not keep what he gave, beside what it got",
      {
        moves: [paid(bob), move(token, bob, alice, 1n), move(token, alice, zero, 1n), move(weth, carol, alice, 1n)],
        calls: elsewhere,
      },
      { place: 1, rule: givingRule },
      lost(bob),
    ],
    [
      "not ether that he gave to somebody else, where a token came to the account that nobody knows",
      { moves: [paid(bob), move(token, bob, alice, 1n), move(null, bob, carol, 1n)], calls: elsewhere },
      { context: { log: logAt(vault) } },
      lost(bob),
    ],
    [
      "not where he gave it to somebody else",
      { moves: [paid(bob), move(token, bob, carol, 1n)], calls: elsewhere },
      { place: 1, rule: givingRule },
      lost(bob),
    ],
    [
      "not ether that he gave to somebody else, either",
      { moves: [paid(bob), move(null, bob, carol, 1n)], calls: elsewhere },
      { place: 1, rule: givingRule },
      lost(bob),
    ],
  ])("of what was passed on or paid for, %s", (_, world, parts, expected) =>
    expect(reached(world, parts)).toEqual(expected),
  );

  const bobs = { subject: bob };
  it.each<[string, World, FitParts, unknown]>([
    ["it passed an admitted contract", { moves: [paid(vault), move(usdc, vault, bob, 10n)] }, { context: bobs }, all],
    ["an admitted contract sent it", { moves: [paid(bob)] }, { context: bobs }, all],
    [
      "it passed an admitted contract among others that were called",
      { moves: [paid(vault), move(usdc, vault, bob, 10n)], calls: [callOf(), callOf({ id: 1, to: carol })] },
      { context: bobs },
      all,
    ],
    ["nobody admitted had to do with it", { moves: [paid(bob)], calls: elsewhere }, { context: bobs }, lost(bob)],
  ])("to whom it is about, where %s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));
});
