import { describe, expect, it } from "vitest";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { alice, token, weth } from "../../support/case-of.ts";
import { assetOf, given, type Made, move, paid, payouts, pool, stranger } from "./paid-case.ts";

describe("an account that a known contract paid in an act that tells little of the money", () => {
  it("is told if a receipt was destroyed and no leg tells what came for it", () => {
    const redeemed = (...bound: Made[]) =>
      payouts({
        rule: { specificity: { place: 3 } },
        moves: [move(alice, zeroAddress, 100n, token), move(token, stranger, 2n), move(pool, alice, 1n, weth)],
        flow: { gives: [{ ...assetOf(token), kind: "erc20", amount: 100n }], gets: [assetOf(weth)] },
        context: { legs: [move(alice, zeroAddress, 100n, token), ...bound] },
      });
    expect(redeemed()).toEqual([[alice, stranger, 2n]]);
    expect(redeemed(move(pool, alice, 1n, weth))).toEqual([]);
  });

  it("is told if only money flow says what a known contract gave and got", () => {
    const beside = { flow: { gets: [assetOf(token)] }, moves: [given, paid, move(pool, alice, 1n, token)] };
    const stake = (rule: object, legs: (Made | null)[] = []) =>
      payouts({ ...beside, rule: { specificity: { place: 3 }, ...rule }, context: { legs } });
    const both = { flow: { gives: { min: 1 }, gets: { min: 1 } } };
    expect([stake(both), stake(both, [null])]).toEqual([[[alice, stranger, 2n]], [[alice, stranger, 2n]]]);
    expect(stake(both, [given])).toEqual([]);
    expect(stake({ flow: { gives: { min: 1 }, gets: null } })).toEqual([]);
  });
});
