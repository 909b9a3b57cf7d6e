import { describe, expect, it } from "vitest";
import { callOf } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, zero } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { all, approve, flowRule, lost, paid, reached, type World } from "./reached-case.ts";

describe("money flow alone", () => {
  const made = move(token, zero, alice, 1n);
  const calls = [callOf({ to: bob })];
  it.each<[string, World, object, unknown[]]>([
    ["reaches the called contract", { calls, moves: [paid(bob)] }, { target: bob }, all],
    [
      "reaches whom the called contract passed it to",
      { calls, moves: [paid(bob), move(usdc, bob, carol, 10n)] },
      { target: bob },
      all,
    ],
    ["reaches nobody else", { moves: [paid(carol)] }, { target: bob }, lost(carol)],
    [
      "is not for what a known contract made that the called one has no part in",
      { calls, moves: [paid(bob), made], names: [token] },
      { target: bob, legs: [null, made] },
      lost(bob),
    ],
    [
      "is for what a known contract made, where the called one is known",
      { calls, moves: [paid(bob), made], names: [token, bob] },
      { target: bob, legs: [made] },
      all,
    ],
    ["is for what an unknown contract made", { calls, moves: [paid(bob), made] }, { target: bob, legs: [made] }, all],
    [
      "is for what a known contract sold",
      { calls, moves: [paid(bob), made], names: [token] },
      { target: bob, legs: [move(token, carol, alice, 1n)] },
      all,
    ],
    [
      "is for what the called contract made itself",
      { moves: [paid(token), made] },
      { target: token, legs: [made] },
      all,
    ],
    [
      "is not for what came while another contract was called too",
      { calls: [...calls, callOf({ id: 1, to: carol })], moves: [paid(bob), made] },
      { target: bob, legs: [made] },
      lost(bob),
    ],
    [
      "is for what the called contract gave beside other calls",
      { calls: [...calls, callOf({ id: 1, to: carol })], moves: [paid(bob), move(token, bob, alice, 1n)] },
      { target: bob },
      all,
    ],
    [
      "is for what came beside allowances and failed calls",
      {
        calls: [callOf({ input: approve }), callOf({ id: 1, state: "failed" }), callOf({ id: 2, to: bob })],
        moves: [paid(bob), made],
      },
      { target: bob, legs: [made] },
      all,
    ],
  ])("%s", (_, world, context, expected) =>
    expect(reached(world, { rule: flowRule, place: 0, context })).toEqual(expected),
  );
});
