import { describe, expect, it } from "vitest";
import { narrow, promises } from "../../../src/engine/settle/narrow.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { callOf, candidateOf, type FitParts } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";
import { callRule, elsewhere, paid, worldOf } from "./reached-case.ts";

describe("an act without what went to strangers", () => {
  const moves = [paid(vault), move(usdc, alice, bob, 4n), move(token, alice, carol, 5n)];
  const world = (list: readonly Movement[] = moves) => worldOf({ moves: list, calls: elsewhere });
  const narrowed = (parts: FitParts = {}, list: readonly Movement[] = moves) => {
    const { tx, money } = world(list);
    const act = candidateOf("act", tx, { fit: { movements: [0, 1, 2], absorbedMovements: [1, 0] }, ...parts });
    const found = narrow(act, money);
    if (found === act) return "whole";
    return (
      found && {
        gives: found.context.flow.gives.map(({ key, amount, movements }) => [key, Number(amount), movements]),
        movements: found.movements,
        absorbed: found.absorbedMovements,
      }
    );
  };

  it("neither claims nor tells it", () => {
    expect(narrowed()).toEqual({ gives: [[usdc, 10, [0]]], movements: [0], absorbed: [0] });
  });

  it.each<[string, FitParts, Movement[]]>([
    ["of a transaction that reverted", { rule: { status: "reverted" } }, moves],
    ["where nothing was given", {}, [move(usdc, bob, alice, 1n)]],
    ["where all reached it", {}, [paid(vault)]],
    ["that promises nothing", { tier: "approval" }, moves],
  ])("is whole %s", (_, parts, list) => expect(narrowed(parts, list)).toBe("whole"));

  it("is dropped if a leg went to strangers, or the rest does not fit", () => {
    const legs = (...places: number[]) => ({
      context: { legs: [null, ...places.map((place) => ({ ...(moves[place] as Movement), index: place }))] },
    });
    expect(narrowed(legs(1))).toBeUndefined();
    expect(narrowed(legs(0))).toMatchObject({ movements: [0] });
    const side = (min: number) => ({ min, max: 9, kind: "any", others: true, token: null, unseen: false });
    const flow = (min: number) => ({ rule: { flow: { gives: side(min), gets: null, open: {} } as never } });
    expect(narrowed(flow(1))).toMatchObject({ movements: [0] });
    expect(narrowed(flow(2))).toBeUndefined();
  });

  it("keeps a movement if a part of it reached the act", () => {
    const split = [move(usdc, alice, carol, 10n), move(usdc, carol, bob, 4n), move(usdc, carol, vault, 6n)];
    expect(narrowed({}, split)).toEqual({ gives: [[usdc, 6, [0]]], movements: [0, 1, 2], absorbed: [1, 0] });
    const whole = [move(usdc, alice, carol, 10n), move(usdc, carol, bob, 4n), move(usdc, carol, zero, 0n), paid(vault)];
    expect(narrowed({ fit: { movements: [0, 3] } }, whole)).toEqual({
      gives: [[usdc, 10, [3]]],
      movements: [3],
      absorbed: [],
    });
  });

  it.each<[string, FitParts, boolean]>([
    ["system", { tier: "system" }, false],
    ["authority", { tier: "authority" }, false],
    ["protocol", {}, true],
    ["act", { tier: "act" }, true],
    ["approval", { tier: "approval" }, false],
    ["transfer", { tier: "transfer" }, true],
    ["transfer", { tier: "transfer", place: 1 }, false],
    ["transfer", { tier: "transfer", place: 1, rule: callRule, context: { call: callOf() } }, true],
    ["fallback", { tier: "fallback" }, true],
    ["fallback", { tier: "fallback", place: 2 }, true],
    ["fallback", { tier: "fallback", place: 1 }, false],
  ])("of tier %s promises something, case %#", (_, parts, expected) => {
    expect(promises(candidateOf("act", moved([]), parts))).toBe(expected);
  });
});
