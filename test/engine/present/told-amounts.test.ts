import { describe, expect, it } from "vitest";
import { ToldAmounts } from "../../../src/engine/present/given/told-amounts.ts";
import type { Loss } from "../../../src/engine/settle/losses.ts";
import { alice, bob, carol, token, usdc, weth } from "../../support/case-of.ts";

const tx = { weth: new Set([weth]), movements: [] };
type Amount = [key: string, amount: bigint];

/** An act of an account whose sentence names these amounts. */
const act = (subject: string, ...amounts: Amount[]) => ({
  rule: {},
  context: { subject, tx, flow: { gets: [] } },
  amounts: amounts.map(([key, amount]) => ({ key, amount })),
});
const loss = (account: string, key: string, gross = 0n) => ({ account, asset: { key }, gross }) as unknown as Loss;

/** The losses that no sentence tells. A loss is given as its account, its asset, its amount, and the amount before something came back. */
function untold(acts: object[], losses: [string, string, bigint, bigint?][]): number[] {
  const made = losses.map(([account, key, amount, gross = amount]) => ({ loss: loss(account, key, gross), amount }));
  const left = new ToldAmounts(acts as never).untold(made);
  return left.map((one) => made.findIndex((other) => other.loss === one));
}

describe("a loss that is told", () => {
  it.each<[string, bigint, bigint, bigint, boolean]>([
    ["as it is", 1_000n, 1_000n, 1_000n, true],
    ["by two hundredths less", 980n, 1_000n, 1_000n, true],
    ["by more than two hundredths less", 979n, 1_000n, 1_000n, false],
    ["by two hundredths more", 1_020n, 1_000n, 1_000n, true],
    ["by more than two hundredths more", 1_021n, 1_000n, 1_000n, false],
    ["with what came back", 2_040n, 1_000n, 2_000n, true],
    ["with more than came back", 2_041n, 1_000n, 2_000n, false],
  ])("is told %s: %d of %d", (_how, amount, net, gross, told) => {
    expect(untold([act(alice, [usdc, amount])], [[alice, usdc, net, gross]])).toEqual(told ? [] : [0]);
  });

  it("is told by its own account and asset alone, and ether by wrapped ether", () => {
    const losses: [string, string, bigint][] = [[alice, usdc, 5n]];
    expect(untold([act(bob, [usdc, 5n])], losses)).toEqual([0]);
    expect(untold([act(alice, [token, 5n])], losses)).toEqual([0]);
    expect(untold([act(alice, ["native", 5n])], [[alice, weth, 5n]])).toEqual([]);
    expect(untold([act(alice, [weth, 5n])], [[alice, "native", 5n]])).toEqual([]);
    expect(untold([act(alice, [weth, 5n])], [[alice, usdc, 5n]])).toEqual([0]);
    // A sentence may say both that wrapped ether came and that ether was paid for it.
    expect(untold([act(alice, [weth, 9n], ["native", 5n])], [[alice, "native", 5n]])).toEqual([]);
  });

  it("is each of them where nothing is told, but for nothing", () => {
    const losses: [string, string, bigint][] = [
      [alice, usdc, 5n],
      [bob, usdc, 0n],
      [carol, token, -1n],
      [bob, token, 1n],
    ];
    expect(untold([], losses)).toEqual([0, 3]);
    expect(untold([act(carol)], losses)).toEqual([0, 3]);
    expect(untold([act(alice, [usdc, 5n])], losses)).toEqual([3]);
  });

  it("is told by the largest amount of each act", () => {
    const told = (...amounts: bigint[]) =>
      untold([act(alice, ...amounts.map((amount): Amount => [usdc, amount]))], [[alice, usdc, 10n]]);
    expect([told(3n, 10n), told(10n, 3n), told(10n, 10n)]).toEqual([[], [], []]);
    expect([told(5n, 5n), told(10n, 11n)]).toEqual([[0], [0]]);
  });

  it("is told by acts one after the other, not by those apart", () => {
    const told = (...amounts: bigint[]) =>
      untold(
        amounts.map((amount) => act(alice, [usdc, amount])),
        [[alice, usdc, 1_000n]],
      );
    expect([told(400n, 600n), told(7n, 400n, 600n), told(400n, 600n, 7_000n)]).toEqual([[], [], []]);
    expect([told(400n, 7_000n, 600n), told(400n, 300n)]).toEqual([[0], [0]]);
  });

  it("is told by twelve acts at most", () => {
    const told = (count: number) =>
      untold(
        Array.from({ length: count }, () => act(alice, [usdc, 1_000n])),
        [[alice, usdc, BigInt(count) * 1_000n]],
      );
    expect([told(12), told(13)]).toEqual([[], [0]]);
  });

  it("is one for each amount, or all of one asset together", () => {
    const both: [string, string, bigint][] = [
      [alice, "native", 1_000n],
      [alice, weth, 1_000n],
    ];
    expect(untold([act(alice, ["native", 1_000n])], both)).toEqual([1]);
    expect(untold([act(alice, ["native", 2_000n])], both)).toEqual([]);
    expect(untold([act(alice, ["native", 1_000n]), act(alice, [weth, 5n]), act(alice, [weth, 1_000n])], both)).toEqual(
      [],
    );
    expect(untold([act(alice, ["native", 1_960n])], both)).toEqual([]);
    expect(untold([act(alice, ["native", 1_959n])], both)).toEqual([0, 1]);
    const three: typeof both = [...both, [alice, "native", 3_000n]];
    expect(untold([act(alice, ["native", 3_000n])], three)).toEqual([0, 1]);
    const others: typeof both = [
      [alice, "native", 1_000n],
      [alice, weth, 3_000n],
      [alice, "native", 9_000n],
    ];
    expect(untold([act(alice, ["native", 1_000n]), act(alice, [weth, 3_000n])], others)).toEqual([2]);
  });
});

describe("a receipt that was given back", () => {
  const asset = (key: string) => ({ key });
  const giving = (subject: string, gets: string[], ...amounts: Amount[]) => ({
    ...act(subject, ...amounts),
    context: { subject, tx, flow: { gets: gets.map(asset) } },
  });
  const other = giving(carol, []);
  const tells = (one: ReturnType<typeof giving>, account: string, amount: bigint, from = one) =>
    new ToldAmounts([other, one] as never).tellsReceipt(account as never, { action: from, amount } as never);

  it.each<[string, bigint, boolean]>([
    ["its number", 1_000n, true],
    ["nearly its number", 980n, true],
    ["too little", 979n, false],
    ["nearly its number and more", 1_020n, true],
    ["too much", 1_021n, false],
  ])("is told by %s", (_what, amount, told) => {
    expect(tells(giving(alice, [], [token, amount]), alice, 1_000n)).toBe(told);
    expect(tells(giving(bob, [], [token, amount]), alice, 1_000n)).toBe(told);
  });

  it("is told by something that its account got", () => {
    expect(tells(giving(alice, [usdc], [usdc, 5n]), alice, 1_000n)).toBe(true);
    expect(tells(giving(alice, [usdc], [token, 5n]), alice, 1_000n)).toBe(false);
    expect(tells(giving(alice, ["native"], [weth, 5n]), alice, 1_000n)).toBe(true);
    expect(tells(giving(alice, [], [usdc, 5n]), alice, 1_000n)).toBe(false);
  });

  it("is told by an act of its account, or the one that it reached", () => {
    const one = giving(bob, [], [token, 1_000n]);
    expect([tells(one, alice, 1_000n), tells(one, alice, 1_000n, other), tells(one, bob, 1_000n, other)]).toEqual([
      ...[true, false, true],
    ]);
  });
});
