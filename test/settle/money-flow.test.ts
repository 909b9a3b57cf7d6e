import { describe, expect, it } from "vitest";
import { alice, bob, carol, token, usdc, zero } from "../support/case-of.ts";
import { move } from "../support/movements.ts";
import { all, flowRule, lost, paid, reached, type World } from "./reached-case.ts";

describe("money flow alone", () => {
  const made = move(token, zero, alice, 1n);
  it.each<[string, World, object, unknown[]]>([
    ["reaches the called contract", { moves: [paid(bob)] }, { target: bob }, all],
    [
      "reaches whom the called contract passed it to",
      { moves: [paid(bob), move(usdc, bob, carol, 10n)] },
      { target: bob },
      all,
    ],
    ["reaches nobody else", { moves: [paid(carol)] }, { target: bob }, lost(carol)],
    [
      "is not for what a known contract made that the called one has no part in",
      { moves: [paid(bob), made], names: [token] },
      { target: bob, legs: [null, made] },
      lost(bob),
    ],
    [
      "is for what a known contract made, where the called one is known",
      { moves: [paid(bob), made], names: [token, bob] },
      { target: bob, legs: [made] },
      all,
    ],
    ["is for what an unknown contract made", { moves: [paid(bob), made] }, { target: bob, legs: [made] }, all],
    [
      "is for what a known contract sold",
      { moves: [paid(bob), made], names: [token] },
      { target: bob, legs: [move(token, carol, alice, 1n)] },
      all,
    ],
    [
      "is for what the called contract made itself",
      { moves: [paid(token), made] },
      { target: token, legs: [made] },
      all,
    ],
  ])("%s", (_, world, context, expected) =>
    expect(reached(world, { rule: flowRule, place: 0, context })).toEqual(expected),
  );
});
