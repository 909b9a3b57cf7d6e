import { describe, expect, it } from "vitest";
import { gainsOf, lossesOf, sumOf } from "../../../src/tools/audit/facts/losses.ts";
import { holdingOf } from "../../../src/tools/audit/facts/moves.ts";
import { alice, bob, carol, token, usdc } from "../../support/case-of.ts";
import { known, moveOf, sceneOf } from "./made-scene.ts";

describe("what an account lost and gained", () => {
  const moves = [
    moveOf(usdc, alice, bob, 9n),
    moveOf(null, alice, bob, 3n),
    moveOf(usdc, bob, alice, 4n),
    moveOf(token, bob, alice, 2n),
    moveOf(token, bob, carol, 2n),
    moveOf(null, bob, alice, 3n),
  ];
  const { facts } = sceneOf({ moves });

  it("is net, by asset, in the order in which it began", () => {
    expect(lossesOf(alice, facts, known)).toEqual([
      { ...holdingOf(usdc, null), account: alice, net: 5n, gross: 9n, outflows: [facts.moves[0]] },
    ]);
    expect(lossesOf(bob, facts, known).map(({ key, net, gross }) => [key, net, gross])).toEqual([[token, 4n, 4n]]);
    expect([...gainsOf(alice, facts)]).toEqual([[token, 2n]]);
    expect([...gainsOf(bob, facts)]).toEqual([[usdc, 5n]]);
    expect(sumOf([{ amount: 1n }, { amount: 2n }])).toBe(3n);
  });
});
