import { describe, expect, it } from "vitest";
import { hasPart } from "../../../src/engine/settle/reached-money.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Movement, Transaction } from "../../../src/model/transaction.ts";
import { callOf } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const grants = { calls: new Map(), events: new Map() } as never;

describe("whether the called contract sold what came", () => {
  const frame = (index: number, parent: number, to: Address): Call => ({
    ...{ index, parent, depth: 0, kind: "call", from: alice, to, value: 0n, input: "0x", ok: true },
  });
  /** The outermost call calls the vault, which calls a market. It also calls bob, who calls a market too. */
  const calls = [frame(0, -1, alice), frame(1, 0, vault), frame(2, 1, carol), frame(3, 0, bob), frame(4, 3, carol)];
  const beside = [callOf({ to: vault }), callOf({ id: 1, to: bob })];

  const judge = (moves: Movement[], leaves: ActorCall[] = beside, more: Partial<Transaction> = {}) => {
    const tx = moved(moves, { calls, traced: true, ...more });
    const gets = [{ key: token, token, amount: 1n, movements: tx.movements.map(({ index }) => index) }];
    return hasPart(vault, gets as never, { tx, leaves, grants });
  };
  const given = (call: number, from: Address = carol) => move(token, from, alice, 1n, { call });

  it("holds if nothing else was called", () => {
    expect(judge([given(4)], [callOf({ to: vault })])).toBe(true);
    expect(judge([given(4)], [callOf({ to: vault }), callOf({ id: 1, to: bob, state: "failed" })])).toBe(true);
    expect(judge([given(4)])).toBe(false);
  });

  it("holds if one of the assets moved while the contract ran, at any depth", () => {
    expect([1, 2, 3, 4, -1].map((call) => judge([given(call)]))).toEqual([true, true, false, false, false]);
    expect(judge([given(4), given(2)])).toBe(true);
    expect(judge([given(2)], beside, { traced: false })).toBe(false);
  });

  it("holds if the contract gave the asset, or is the asset", () => {
    expect(judge([given(4, vault)])).toBe(true);
    const own = [{ key: vault, token: vault, amount: 1n, movements: [] }];
    const tx = moved([]);
    expect(hasPart(vault, own as never, { tx, leaves: beside, grants })).toBe(true);
    expect(hasPart(usdc, own as never, { tx, leaves: beside, grants })).toBe(false);
  });
});
