import { describe, expect, it } from "vitest";
import { weigherOf } from "../../../src/engine/money/weight.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { caseOf, token, usdc, weth } from "../../support/case-of.ts";
import { labelsOf, nameOf, shippedLabels } from "../../support/labels.ts";

const cbEth = toAddress("0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22");
const ether = 10n ** 18n;
const at = (eth_usd: string | null) =>
  weigherOf(
    caseOf({ price: { status: eth_usd === null ? "absent" : "found", source: "test", eth_usd } }),
    shippedLabels(),
  );
const weigh = at("2000");

describe("how much an asset counts", () => {
  it("is its worth in wei if that is known", () => {
    expect([null, weth].map((of) => weigh({ token: of, amount: ether }))).toEqual([ether, ether]);
    expect(weigh({ token: usdc, amount: 2_000_000_000n })).toBe(ether);
    expect(at("4000")({ token: usdc, amount: 2_000_000_000n })).toBe(ether / 2n);
    // Without a price, ether counts as much as it ever could.
    expect(at(null)({ token: usdc, amount: 10_000_000_000n })).toBe(ether);
  });

  it("is less for other listed tokens of any amount, and least for a stranger's token", () => {
    expect([ether, 10n ** 12n + 1n].map((amount) => weigh({ token: cbEth, amount }))).toEqual([2n, 2n]);
    expect([1n, 10n ** 40n].map((amount) => weigh({ token, amount }))).toEqual([0n, 0n]);
    // An NFT, say, of a collection that labels name.
    const named = weigherOf(caseOf({}), labelsOf({ names: [nameOf(token, "Positions")] }));
    expect(named({ token, amount: 1n })).toBe(2n);
  });

  it("is next to nothing for a trifle", () => {
    const least = ether / 100_000n;
    expect([least, least - 1n, 0n].map((amount) => weigh({ token: null, amount }))).toEqual([least, 1n, 1n]);
    expect(weigh({ token: usdc, amount: 1n })).toBe(1n);
    expect(weigh({ token: cbEth, amount: 10n ** 12n - 1n })).toBe(1n);
  });
});
