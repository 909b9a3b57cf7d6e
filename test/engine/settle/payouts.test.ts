import { describe, expect, it } from "vitest";
import { findPayouts } from "../../../src/engine/settle/payouts/payouts.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import {
  assetOf,
  given,
  givesWeth,
  type Made,
  move,
  other,
  type Parts,
  paid,
  payouts,
  pool,
  stranger,
} from "./paid-case.ts";

describe("an account that was paid for what the subject gave", () => {
  it("is the one that had the proceeds in the end", () => {
    expect(payouts()).toEqual([[alice, stranger, 2n]]);
    const way = [move(vault, bob, 2n), move(bob, carol, 2n), move(carol, stranger, 2n)];
    expect(payouts({ moves: [given, ...way] })).toEqual([[alice, stranger, 2n]]);
    expect(payouts({ moves: [given, move(bob, stranger, 2n)] })).toEqual([]);
  });

  it("is told for ether and listed tokens, no matter what else comes back", () => {
    const rebate = (of: Address) => ({
      moves: [given, paid, move(vault, alice, 1n, of)],
      flow: { gets: [assetOf(of)] },
    });
    expect(payouts(rebate(usdc))).toEqual([[alice, stranger, 2n]]);
    expect(payouts(rebate(token))).toEqual([[alice, stranger, 2n]]);
    const junk = [given, move(vault, stranger, 2n, token), move(vault, alice, 1n)];
    expect(payouts({ moves: junk, flow: { gets: [assetOf(usdc)] } })).toEqual([]);
    // What is not told as got counts too if it is a known asset.
    expect(payouts({ moves: junk })).toEqual([]);
    expect(payouts({ moves: [given, move(vault, stranger, 2n, pool), move(vault, alice, 1n, token)] })).toEqual([
      [alice, stranger, 2n],
    ]);
  });

  it("is not one that paid for it with a known asset, or with what the subject got", () => {
    const traded = (of: Address, more: Made[] = [], gets: Address[] = []) =>
      payouts({ moves: [given, paid, move(stranger, vault, 7n, of), ...more], flow: { gets: gets.map(assetOf) } });
    expect(traded(weth)).toEqual([]);
    expect(traded(token)).toEqual([[alice, stranger, 2n]]);
    expect(traded(token, [move(vault, alice, 7n, token)], [token])).toEqual([]);
  });

  it("is each of several, except those that together got only a fee", () => {
    const parts = (...amounts: bigint[]) =>
      payouts({
        moves: [given, ...amounts.map((amount, i) => move(vault, [stranger, other, bob][i] as Address, amount))],
      });
    expect(parts(4n, 4n, 4n)).toEqual([stranger, other, bob].map((payee) => [alice, payee, 4n]));
    expect(parts(1n, 8n)).toEqual([[alice, other, 8n]]);
    expect(parts(8n, 2n)).toEqual([[alice, stranger, 8n]]);
    expect(parts(79n, 21n)).toHaveLength(2);
  });

  it("is told if all together got more than a fifth, without fees and burnt tokens", () => {
    const part = [given, move(carol, vault, 1n, weth), move(vault, stranger, 2n), move(vault, carol, 7n)];
    expect(payouts({ moves: part })).toEqual([[alice, stranger, 2n]]);
    expect(payouts({ moves: [...part, move(vault, zeroAddress, 9n)] })).toEqual([[alice, stranger, 2n]]);
    expect(payouts({ moves: [...part, move(vault, carol, 1n)] })).toEqual([]);
    expect(payouts({ moves: [...part, move(vault, carol, 9n, usdc, { fee: true })] })).toEqual([[alice, stranger, 2n]]);
  });

  it.each<[string, Parts]>([
    ["it reverted", { tx: { status: "reverted" } }],
    ["nothing moved", { moves: [] }],
    ["nothing was given and a stranger was called", { flow: { gives: [] } }],
    ["a known contract sold nothing", { rule: { specificity: { place: 2 } }, flow: { gets: [assetOf(token)] } }],
    ["he is known", { known: [stranger] }],
    ["it is what was given", { moves: [given, move(vault, stranger, 5n, weth)] }],
    [
      "he may have passed on the ether unseen",
      {
        moves: [move(alice, vault, 5n), move(vault, stranger, 2n, null)],
        flow: { gives: [assetOf(usdc)], complete: false },
      },
    ],
  ])("is nobody where %s", (_case, parts) => {
    expect(payouts(parts)).toEqual([]);
  });

  it("is told for ether that is still wrapped if other ether is not seen", () => {
    const moves = [move(alice, vault, 5n), move(vault, stranger, 2n, weth)];
    expect(payouts({ moves, flow: { gives: [assetOf(usdc)], complete: false } })).toEqual([[alice, stranger, 2n]]);
  });

  it("is told if the legs of an act account for little of what was given", () => {
    const deposit = (bound: bigint) =>
      payouts({
        rule: { specificity: { place: 3 } },
        moves: [move(alice, vault, 100n, weth), move(vault, alice, 1n, token), paid],
        flow: { gives: [{ ...assetOf(weth), kind: "erc20", amount: 100n }], gets: [assetOf(token)] },
        context: { legs: [null, move(alice, pool, bound, weth), move(vault, alice, 1n, token)] },
      });
    expect([deposit(49n), deposit(50n), deposit(0n)]).toEqual([[[alice, stranger, 2n]], [], []]);
  });

  it("is not told if another act tells everything that was given", () => {
    const back = [given, paid, move(vault, alice, 1n, token)];
    const beside = (movements: number[]) =>
      payouts({ moves: back, flow: { gets: [assetOf(token)] }, others: [{ movements }] });
    expect(beside([])).toEqual([[alice, stranger, 2n]]);
    expect(beside([0])).toEqual([]);
  });

  it("is told if a known contract made the exchange, no matter what came back", () => {
    const rule = { specificity: { place: 2 }, exchanges: true };
    expect(payouts({ rule, flow: { gets: [assetOf(token)] } })).toEqual([[alice, stranger, 2n]]);
  });
});

describe("an account that was paid when a known contract traded an NFT", () => {
  const piece = (to: Address, id: bigint) => move(pool, to, 1n, token, { standard: "erc721", tokenId: id });
  const nft = { ...assetOf(token), key: `${token}:1`, kind: "nft" };
  const rule = { specificity: { place: 3 } };

  it("is the one that got the price, or an NFT of the collection that the subject bought", () => {
    const sale = { rule, moves: [move(alice, vault, 1n, token, { tokenId: 1n }), paid], flow: { gives: [nft] } };
    expect(payouts({ ...sale, flow: { gives: [nft], gets: [assetOf(usdc)] } })).toEqual([[alice, stranger, 2n]]);
    const moves = [move(alice, pool, 5n, weth), piece(alice, 1n), piece(stranger, 2n)];
    expect(payouts({ rule, moves, flow: { gets: [nft] } })).toEqual([[alice, stranger, 1n]]);
  });

  it("is not told if no money was traded, or an NFT of another collection came", () => {
    expect(payouts({ rule, flow: { gives: [nft], gets: [nft] } })).toEqual([]);
    expect(payouts({ rule, flow: { gives: [assetOf(token)], gets: [nft] } })).toEqual([]);
    const moves = [move(alice, pool, 5n, weth), piece(stranger, 2n)];
    expect(payouts({ rule, moves, flow: { gets: [{ ...nft, token: other }] } })).toEqual([]);
  });
});

describe("an account that a known contract paid from what it keeps", () => {
  const kept: Parts = { flow: { gives: [] }, moves: [move(bob, stranger, 2n)], known: [vault] };

  it("is told if the subject called the contract and got nothing", () => {
    expect(payouts(kept)).toEqual([[alice, stranger, 2n]]);
    expect(payouts({ ...kept, flow: {}, moves: [given, move(bob, stranger, 2n)] })).toEqual([[alice, stranger, 2n]]);
  });

  it("is not told if the contract paid many", () => {
    const [one, two, three] = [stranger, other, carol].map((to) => move(bob, to, 2n)) as [Made, Made, Made];
    expect(payouts({ ...kept, moves: [one, two, three] })).toEqual([]);
    expect(payouts({ ...kept, moves: [one, two] })).toHaveLength(2);
    expect(payouts({ ...kept, flow: {}, moves: [given, one, two, three] })).toHaveLength(3);
  });

  it.each<[string, Parts]>([
    ["somebody else acted", { rule: { actsFor: {} } }],
    ["it was a bundle of others' acts", { rule: { tier: tierRank("system") } }],
    ["a contract is created", { context: { target: null } }],
    ["he sent the transaction", { tx: { from: stranger } }],
    [
      "it came out of what the account gave",
      {
        flow: {},
        moves: [given, move(vault, stranger, 2n), move(vault, alice, 1n)],
        rule: { specificity: { place: 2 } },
      },
    ],
  ])("is nobody where %s", (_case, parts) => {
    expect(payouts({ ...kept, ...parts })).toEqual([]);
  });
});

describe("an account that an act paid out", () => {
  const leg = move(pool, bob, 2n);
  const act = (parts: Parts & { leg?: Made } = {}) =>
    payouts({
      moves: [leg],
      rule: { specificity: { place: 3 } },
      ...parts,
      flow: { gives: [], ...parts.flow },
      context: { legs: [null, parts.leg ?? leg], ...parts.context },
    });

  it("is the one that got it, also through others", () => {
    expect(act()).toEqual([[alice, bob, 2n]]);
    expect(act({ moves: [leg, move(bob, stranger, 2n)] })).toEqual([[alice, stranger, 2n]]);
    expect(act({ moves: [leg, move(bob, alice, 2n)], flow: { gets: [assetOf(usdc)] } })).toEqual([]);
    // Neither the called contract nor the sender is an exception.
    expect(act({ tx: { to: bob } })).toEqual([[alice, bob, 2n]]);
    expect(act({ tx: { from: bob } })).toEqual([[alice, bob, 2n]]);
  });

  it("is told once, also for many acts", () => {
    const rule = { tier: tierRank("flow"), actsFor: null, exchanges: false, specificity: { place: 3 }, flow: {} };
    const context = { subject: alice, target: vault, log: null, legs: [leg], flow: { ...givesWeth, gives: [] } };
    const tx = { status: "success", from: alice, to: vault, movements: [{ ...leg, index: 0 }], weth: new Set() };
    const labels = { name: () => undefined, token: () => undefined };
    const known = { tx: { ...tx, listed: new Set([usdc]), etherWorth: () => undefined }, labels, leaves: [] };
    const one = { rule, context, movements: [] };
    expect(findPayouts([one, one] as never, known as never, new Set()).map(({ payee }) => payee)).toEqual([bob]);
    // Another asset that another act paid him is told too.
    const more = move(pool, bob, 9n, weth);
    const both = {
      ...known,
      tx: {
        ...known.tx,
        movements: [leg, more].map((each, index) => ({ ...each, index })),
        listed: new Set([usdc, weth]),
      },
    };
    const two = { ...one, context: { ...context, legs: [more] } };
    const found = findPayouts([one, two] as never, both as never, new Set());
    expect(found.flatMap(({ assets }) => assets.map(({ token: of, amount }) => [of, amount]))).toEqual([
      [usdc, 2n],
      [weth, 9n],
    ]);
  });

  it.each<[string, Parameters<typeof act>[0]]>([
    ["nothing proves the place", { rule: { specificity: { place: 1 } } }],
    ["the account paid it", { leg: move(alice, bob, 2n) }],
    ["the account got it", { leg: move(pool, alice, 2n) }],
    ["the called contract gave it", { leg: move(vault, bob, 2n) }],
    ["it came to the contract of the act", { context: { legs: [leg], log: { address: bob } } }],
    ["it came to a known contract", { known: [bob] }],
    ["anybody could have made it", { leg: move(pool, bob, 2n, token), moves: [move(pool, bob, 2n, token)] }],
  ])("is nobody where %s", (_case, parts) => {
    expect(act(parts)).toEqual([]);
  });
});
