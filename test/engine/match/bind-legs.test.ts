import { describe, expect, it } from "vitest";
import type { MatchContext } from "../../../src/model/match.ts";
import type { CompiledLeg } from "../../../src/rules/ruleset/compiled.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { bound, is, leg, three } from "./bound-legs.ts";

describe("several legs", () => {
  const same = [1n, 2n, 3n].map((amount) => move(usdc, alice, bob, amount));

  it("are empty if no leg is asked for", () => {
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
