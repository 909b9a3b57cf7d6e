import { describe, expect, it } from "vitest";
import { type FitParts, logAt } from "../../support/candidate.ts";
import { alice, bob, token, vault, zero } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { all, elsewhere, givingRule, lost, paid, reached, type World } from "./reached-case.ts";

describe("what somebody gave to the account itself for its money", () => {
  it.each<[string, World, FitParts, unknown[]]>([
    [
      "not what he gave ether for to the account alone, though it went on to the act",
      { moves: [paid(bob), move(null, bob, alice, 1n), move(null, alice, vault, 2n)], calls: elsewhere },
      { context: { log: logAt(vault), legs: [move(null, bob, alice, 1n)] } },
      lost(bob),
    ],
    [
      "where no contract is proven, what somebody gave towards what the account got, for an exchange or an NFT",
      { moves: [paid(bob), move(token, bob, alice, 1n)], calls: elsewhere },
      { place: 1, rule: { ...givingRule, exchanges: true } },
      all,
    ],
    [
      "where money flow alone tells, what somebody gave towards what the account got",
      { moves: [paid(bob), move(token, bob, alice, 1n)], calls: elsewhere },
      { place: 1, rule: { ...givingRule, anchor: { kind: "none" } } as never },
      all,
    ],
    [
      "not where no contract is proven, for an act that is no exchange",
      { moves: [paid(bob), move(token, bob, alice, 1n)], calls: elsewhere },
      { place: 1, rule: givingRule },
      lost(bob),
    ],
    [
      "what the contract of a listed receipt made the account for it",
      { moves: [paid(token), move(token, zero, alice, 1n)], calls: elsewhere, tx: { listed: new Set([token]) } },
      { context: { log: logAt(vault) } },
      all,
    ],
    [
      "not what a receipt was made for that nobody knows",
      { moves: [paid(token), move(token, zero, alice, 1n)], calls: elsewhere },
      { context: { log: logAt(vault) } },
      lost(token),
    ],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));
});
