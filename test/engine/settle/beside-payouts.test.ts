import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, bob, token, usdc, vault, weth } from "../../support/case-of.ts";
import { assetOf, move, type Parts, payouts, pool, stranger } from "./paid-case.ts";

describe("an account that was paid although the subject got something too", () => {
  const withdrawn = (fee: bigint, of: Address | null = usdc) =>
    payouts({
      ...{ known: [vault], rule: { tier: tierRank("protocol"), specificity: { place: 3 } } },
      flow: { gives: [], gets: [assetOf(usdc)] },
      moves: [move(pool, alice, 990n), move(pool, bob, fee, of), move(bob, stranger, fee, of)],
    });

  it("is not told if it got only a hundredth, as a fee", () => {
    expect(withdrawn(10n)).toEqual([]);
    expect(withdrawn(11n)).toEqual([[alice, stranger, 11n]]);
    expect(withdrawn(10n, weth)).toEqual([[alice, stranger, 10n]]);
  });
});

describe("the contract of a receipt token that was given back", () => {
  it("may keep what belongs to other holders, if an event of a known contract says so", () => {
    const moves = [move(alice, pool, 5n, pool), move(vault, pool, 9n), move(pool, alice, 1n, token)];
    const part: Parts = { moves, known: [vault], rule: { tier: tierRank("protocol"), specificity: { place: 3 } } };
    const flow = { gives: [assetOf(pool)], gets: [assetOf(token)] };
    expect(payouts({ ...part, flow, movements: [0] })).toEqual([]);
    expect(payouts({ ...part, flow })).toEqual([[alice, pool, 9n]]);
  });
});

describe("who got the same asset that the account gave", () => {
  const leaves = [{ to: vault, frame: -1 }];
  const feePaid = (amount: bigint, known: Address[] = [vault]) =>
    payouts({
      ...{ known, leaves, flow: { gives: [assetOf(usdc)] } },
      moves: [move(alice, vault, 5n), move(vault, stranger, amount)],
    });

  it("got more than that out of a known contract", () => {
    expect(feePaid(500n)).toEqual([[alice, stranger, 500n]]);
    expect(feePaid(5n)).toEqual([]);
    expect(feePaid(500n, [])).toEqual([]);
  });
});
