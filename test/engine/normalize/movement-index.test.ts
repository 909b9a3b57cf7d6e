import { describe, expect, it } from "vitest";
import { isIndexed, movementsIn, movementsOf } from "../../../src/engine/normalize/movement-index.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

describe("the index of many movements", () => {
  it("has the same as the list, by party and by token", () => {
    const list = moved([
      ...Array.from({ length: 62 }, () => move(weth, bob, carol, 1n)),
      move(usdc, alice, alice, 1n),
      move(null, alice, bob, 2n),
    ]).movements;
    expect([isIndexed(list), isIndexed(list.slice(1))]).toEqual([true, false]);
    expect(movementsOf(list, alice)).toEqual(list.slice(62));
    expect(movementsOf(list, vault)).toEqual([]);
    expect(movementsIn(list, null)).toEqual(list.slice(63));
    expect(movementsIn(list, usdc)).toEqual(list.slice(62, 63));
    expect(movementsIn(list, token)).toEqual([]);
    expect(movementsOf(list, bob)).toHaveLength(63);
    expect(movementsOf(list.slice(1), alice)).toHaveLength(63);
  });
});
