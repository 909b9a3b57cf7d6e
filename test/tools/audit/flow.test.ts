import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import type { Facts, Move } from "../../../src/tools/audit/facts/facts.ts";
import {
  gaveFor,
  isAdmitted,
  isWorth,
  keepersOf,
  reachedFrom,
  shareOfEach,
} from "../../../src/tools/audit/facts/flow.ts";
import { holdingOf } from "../../../src/tools/audit/facts/moves.ts";
import { alice, bob, carol, caseOf, token, usdc, zero } from "../../support/case-of.ts";
import { acme, known, moveOf, sceneOf, stepsOf } from "./made-scene.ts";

const factsOf = (moves: Move[], facts: Partial<Facts> = {}) => sceneOf({ moves, facts }).facts;

describe("the account that has what was lost", () => {
  const lose = (net: bigint) => ({ ...holdingOf(usdc, null), account: alice, net, gross: net, outflows: [] });
  const keepers = (moves: Move[], net = 10n, parts = 5n) =>
    keepersOf(lose(net), factsOf(moves), known, parts).map(({ account, kept }) => [account, kept]);
  const gave = moveOf(usdc, alice, bob, 10n);

  it.each<[string, Move[], unknown[]]>([
    ["whoever got it", [gave], [[bob, 10n]]],
    ["whoever it was passed on to", [gave, moveOf(usdc, bob, carol, 10n)], [[carol, 10n]]],
    [
      "nobody behind one who gave something for it",
      [gave, moveOf(usdc, bob, carol, 10n), moveOf(token, bob, carol, 1n)],
      [],
    ],
    ["nobody behind a contract that is known", [moveOf(usdc, alice, acme, 10n), moveOf(usdc, acme, carol, 10n)], []],
    ["nobody where it was burned", [moveOf(usdc, alice, zero, 10n)], []],
    ["not a fee", [gave, moveOf(usdc, bob, carol, 2n)], [[bob, 8n]]],
    [
      "more than a fee",
      [gave, moveOf(usdc, bob, carol, 3n)],
      [
        [bob, 7n],
        [carol, 3n],
      ],
    ],
  ])("is %s", (_, moves, expected) => expect(keepers(moves)).toEqual(expected));

  it("is found along the moves, and counted by their differences", () => {
    const moves = [gave, moveOf(usdc, bob, carol, 4n), moveOf(usdc, acme, zero, 1n), moveOf(usdc, carol, alice, 1n)];
    expect([...reachedFrom(alice, moves)]).toEqual([alice, bob, carol]);
    expect([...shareOfEach(moves)]).toEqual([
      [alice, -9n],
      [bob, 6n],
      [carol, 3n],
      [acme, -1n],
      [zero, 1n],
    ]);
  });

  it("gave something for it if it gave another asset, or its own token", () => {
    const given = (move: Move, counts = () => true) => gaveFor(bob, usdc, factsOf([move]), counts);
    expect(given(moveOf(token, bob, carol, 1n))).toBe(true);
    expect(given(moveOf(token, bob, carol, 1n), () => false)).toBe(false);
    expect(given(moveOf(usdc, bob, carol, 1n))).toBe(false);
    expect(given(moveOf(token, bob, zero, 1n))).toBe(false);
    expect(given(moveOf(token, carol, bob, 1n))).toBe(false);
    expect(given(moveOf(bob, zero, carol, 1n), () => false)).toBe(true);
    expect(given(moveOf(bob, alice, carol, 1n))).toBe(false);
    expect([isWorth(known)({ token: null }), isWorth(known)({ token: usdc }), isWorth(known)({ token })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("may be a contract that is known, or that a known contract knows or created", () => {
    const read = (result: string | null, to: string = acme, data = `0x12345678${"0".repeat(24)}${bob.slice(2)}`) =>
      isAdmitted(
        bob,
        factsOf([], { file: { ...caseOf(), reads: [{ status: "found", source: "x", to, data, result }] as never } }),
        known,
      );
    const made = (from: Address, type = "CREATE2", to: Address = bob) =>
      isAdmitted(bob, factsOf([], { steps: stepsOf({ from, to, type }) }), known);
    expect([acme, usdc, bob].map((one) => isAdmitted(one, factsOf([]), known))).toEqual([true, true, false]);
    expect([read("0x01"), read("0x00"), read("0x"), read(null), read("0x01", carol)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([read("0x01", acme, "0x12"), read(`0x${bob.slice(2)}`, acme, "0x12")]).toEqual([false, true]);
    expect([made(acme), made(acme, "CREATE"), made(carol), made(acme, "CALL"), made(acme, "CREATE", carol)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
