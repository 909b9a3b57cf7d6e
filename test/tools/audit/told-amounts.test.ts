import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { Move } from "../../../src/tools/audit/facts/facts.ts";
import { alice, bob, token, usdc, weth } from "../../support/case-of.ts";
import { dollars, listOf, losses, two, unlisted, untold } from "./made-loss.ts";
import { dora, moveOf } from "./made-scene.ts";

describe("law 3 takes an amount as told", () => {
  const from = (amount: bigint, back: bigint) => [
    moveOf(usdc, alice, bob, amount),
    ...(back === 0n ? [] : [moveOf(usdc, bob, alice, back)]),
  ];
  const isTold = (moves: Move[], amounts: string) => {
    const found = losses({ moves, summary: `${shorten(alice)} gave ${amounts}.` });
    expect(found.every((text) => text.endsWith("the summary does not tell it."))).toBe(true);
    return found.length === 0;
  };

  it.each<[string, boolean]>([
    ["989 USDC", true],
    ["988 USDC", false],
    ["1,011 USDC", true],
    ["1,012 USDC", false],
    ["500 USDC and 500 USDC", true],
    ["500 USDC and 7 USDC and 500 USDC", true],
    ["3 USDC and 200 USDC, 300 USDC and 500 USDC", true],
    ["200 USDC and 900 USDC", false],
    ["all its USDC", true],
    ["7 USDC and unlimited USDC", true],
  ])("of a thousand: %s: %s", (amounts, told) => expect(isTold(from(1000n, 0n), amounts)).toBe(told));

  it("between what was lost in the end and all that was given", () => {
    const told = ["493", "494", "809", "810"].map((amount) => isTold(from(800n, 300n), `${amount} USDC`));
    expect(told).toEqual([false, true, true, false]);
  });

  it("among the first forty numbers", () => {
    const many = (count: number) => `${"5000 USDC and ".repeat(count)}1000 USDC`;
    expect([isTold(from(1000n, 0n), many(39)), isTold(from(1000n, 0n), many(40))]).toEqual([true, false]);
  });
});

describe("law 3 takes ether and wrapped ether as one", () => {
  const wrapped = "1 WETH";
  const sent = (moves: Move[], summary: string) => {
    const answer = {
      assets_moved: listOf(moves).map((one) => (one.token === "FOO" ? { ...one, token: "WETH" } : one)),
    };
    return losses({ moves, summary: `${shorten(alice)} gave ${summary}.`, answer });
  };
  const one = 10n ** 18n;

  it("by either name, or both together", () => {
    expect(sent([moveOf(weth, alice, bob, one)], "1 ETH")).toEqual([]);
    expect(sent([moveOf(weth, alice, bob, one)], "1.2 ETH")).toEqual([untold(`${one} units of ${checksum(weth)}`)]);
    const both = [moveOf(weth, alice, bob, one), moveOf(null, alice, bob, one)];
    expect(sent(both, "2 ETH")).toEqual([
      // Its entry is written with one ether's decimals at most.
      unlisted(`${one} units of ether`),
    ]);
    expect(sent([moveOf(weth, alice, bob, 5n), moveOf(usdc, bob, alice, 5n)], wrapped)).not.toEqual([]);
  });

  it("where what came back of one is as much as what was given of the other", () => {
    const swap = (back: bigint) => [moveOf(weth, alice, bob, 500n), moveOf(null, bob, alice, back)];
    expect(sent(swap(500n), "something")).toEqual([]);
    expect(sent(swap(499n), "something")).toEqual([untold(`500 units of ${checksum(weth)}`)]);
    const beside = [...swap(500n), moveOf(usdc, alice, bob, 500n)];
    expect(sent(beside, "500 USDC")).toEqual([]);
    expect(sent([...swap(500n), moveOf(weth, dora, bob, 500n)], "something")).toEqual([]);
    expect(
      losses({ moves: [...swap(500n), moveOf(weth, dora, bob, 9n)], principals: two(), summary: "x" }),
    ).not.toContain(untold(`500 units of ${checksum(weth)}`));
    const hundred = (told: number) => sent([moveOf(weth, alice, bob, 100n)], `0.000000000000000${told} ETH`);
    expect([hundred(102), hundred(103)]).toEqual([[], [untold(`100 units of ${checksum(weth)}`)]]);
    // What another principal gave, and what came of another asset, is not counted.
    const others = [moveOf(weth, alice, bob, 500n), moveOf(token, bob, alice, 500n)];
    expect(sent(others, "something")).toEqual([untold(`500 units of ${checksum(weth)}`)]);
    expect(sent([moveOf(usdc, alice, bob, 500n), moveOf(null, bob, alice, 500n)], "something")).toEqual([
      untold(dollars(500)),
    ]);
  });
});
