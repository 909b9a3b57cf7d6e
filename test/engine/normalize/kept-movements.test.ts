import { describe, expect, it } from "vitest";
import { keepWhatMatters } from "../../../src/engine/normalize/movements.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

describe("of too many movements", () => {
  const max = limits.movementsMax;
  const others = (count: number, one: Movement) => Array.from({ length: count }, () => one);
  const kept = (some: readonly Movement[], fill: Movement, count = max) => {
    const truncated: string[] = [];
    const tx = moved([...others(count, fill), ...some], { listed: new Set([usdc]) });
    const list = keepWhatMatters(tx.movements, tx, truncated);
    return { list, truncated };
  };

  it("as many are kept as the limit says, numbered anew, and it is told how many are not", () => {
    const { list, truncated } = kept([move(usdc, alice, bob, 7n)], move(token, bob, carol, 1n));
    expect([list.length, truncated]).toEqual([max, ["1 movements"]]);
    expect(list.at(-1)).toMatchObject({ index: max - 1, amount: 7n });
    const all = kept([], move(token, bob, carol, 1n));
    expect([all.list.length, all.truncated]).toEqual([max, []]);
  });

  // Each of these is kept if all other movements are of the next kind.
  const ranks = [
    move(null, alice, bob, 1n),
    move(usdc, bob, vault, 1n),
    move(null, bob, carol, 1n),
    move(token, alice, bob, 1n),
    move(token, bob, carol, 1n),
    move(usdc, alice, bob, 0n),
  ];
  it.each([
    [0, 2],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ])("the more telling one stays: %d before %d", (first, second) => {
    const [one, other] = [ranks[first], ranks[second]] as [Movement, Movement];
    expect(kept([one], other).list.at(-1)).toMatchObject({ token: one.token, from: one.from, to: one.to });
    expect(kept([other], one).list).toHaveLength(max);
    expect(kept([other], one).list.at(-1)).toMatchObject({ token: one.token, from: one.from, to: one.to });
  });
  it.each([move(token, bob, alice, 1n), move(token, vault, bob, 1n), move(token, bob, vault, 1n)])(
    "what the sender and the called account gave or got stays: %#",
    (own) => {
      expect(kept([own], move(token, bob, carol, 1n)).list.at(-1)).toMatchObject({ from: own.from, to: own.to });
    },
  );
});
