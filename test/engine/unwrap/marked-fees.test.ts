import { describe, expect, it } from "vitest";
import { unmarkOwnEther, withFees } from "../../../src/engine/unwrap/unwrap.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { alice, bob, carol, vault } from "../../support/case-of.ts";
import { call, movement, txOf } from "./made-transaction.ts";

describe("ether that looks like gas", () => {
  const marked = (calls: ActorCall[], parts: object = {}, fees = [0, 1]) => {
    const tx = txOf({
      movements: [movement(bob, carol, 5n, { call: 3 }), movement(bob, carol, 7n, { call: 4 })],
      ...parts,
    });
    const set = new Set(fees);
    unmarkOwnEther({ tx, calls, fees: set });
    return [...set];
  };
  const own = call(1, { from: bob, actor: bob, to: carol, value: 7n, frame: 3 });

  it("is none where the account sent it by a call of its own", () => {
    expect(marked([own])).toEqual([0]);
    expect(marked([own], { traced: true })).toEqual([1]);
    expect(marked([{ ...own, frame: 4 }], { traced: true })).toEqual([0]);
    expect(marked([own, { ...own, value: 5n }])).toEqual([]);
    for (const change of [
      { actor: alice },
      { value: 0n },
      { delegate: true },
      { to: vault },
      { value: 6n },
      { from: carol, actor: carol },
    ])
      expect(marked([{ ...own, ...change }])).toEqual([0, 1]);
    expect(marked([own], {}, [0])).toEqual([0]);
    expect(marked([own], {}, [])).toEqual([]);
    expect(marked([{ ...own, value: 0n, frame: 3 }], { traced: true })).toEqual([0, 1]);
  });

  it("is marked in the movements, which stay as they are where there is none", () => {
    const { movements } = txOf({ movements: [movement(bob, carol), movement(bob, vault)] });
    expect(withFees(movements, new Set())).toBe(movements);
    expect(withFees(movements, new Set([1])).map(({ fee }) => fee)).toEqual([false, true]);
  });
});
