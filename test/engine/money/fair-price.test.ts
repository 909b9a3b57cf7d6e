import { describe, expect, it } from "vitest";
import { isGivenAway, isTakenForTrifle } from "../../../src/engine/money/fair-price.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { AssetChange } from "../../../src/model/match.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { labelsOf, tokenOf } from "../../support/labels.ts";
import { move, moved } from "../../support/movements.ts";

const ether = 10n ** 18n;
/** Carol is a listed token whose worth is not known, and `token` is a stranger's token. */
const labels = labelsOf({ tokens: [tokenOf(usdc, "USDC", { decimals: 6 }), tokenOf(carol, "CAR")] });
const worth = new Map<Address, bigint>([
  [weth, ether],
  [usdc, 3_000_000_000n],
]);
const tx = { etherWorth: (of: Address) => worth.get(of), listed: new Set([usdc, weth, carol]) };
const of = (what: Address | null, amount: bigint, kind: AssetChange["kind"] = "erc20") =>
  ({ key: what ?? "native", kind, token: what, tokenId: null, amount, movements: [] }) as AssetChange;
const away = (gives: AssetChange[], gets: AssetChange[]) => isGivenAway({ gives, gets }, tx, labels);
const nft = of(bob, 1n, "nft");
const speck = of(null, 9n * 10n ** 12n);

describe("what is given for next to nothing", () => {
  it.each<[string, boolean, AssetChange[], AssetChange[]]>([
    ["3,000 USDC for a fair price", false, [of(usdc, 3_000_000_000n)], [of(null, ether)]],
    ["3,000 USDC for a tenth of it", false, [of(usdc, 3_000_000_000n)], [of(weth, ether / 10n)]],
    ["3,000 USDC for less", true, [of(usdc, 3_000_000_000n)], [of(weth, ether / 10n - 1n)]],
    ["ether for one unit of USDC", true, [of(null, ether)], [of(usdc, 1n)]],
    ["what all together is worth more", true, [of(null, ether / 2n), of(weth, ether / 2n)], [of(null, ether / 11n)]],
    ["what comes together", false, [of(null, ether)], [of(usdc, 150_000_000n), of(weth, ether / 20n)]],
    ["a speck for less", false, [speck], [of(usdc, 1n)]],
    ["ether for a token that nobody knows", false, [of(null, ether)], [of(token, 1n)]],
    ["ether for that and a speck", false, [of(null, ether)], [of(token, 1n), speck]],
    ["a token of unknown worth and ether for a speck", true, [of(token, 1n), of(null, ether)], [speck]],
    ["a listed token for a speck", true, [of(carol, ether)], [speck]],
    ["a speck of a listed token for a speck", false, [of(carol, 10n ** 11n)], [speck]],
    ["a listed token for more than a speck", false, [of(carol, ether)], [of(null, 10n ** 13n)]],
    ["ether for a speck of a listed token", true, [of(null, ether)], [of(carol, 1n)]],
    ["ether for as much of it as is a speck", true, [of(null, ether)], [of(carol, 10n ** 12n)]],
    ["ether for more of it", false, [of(null, ether)], [of(carol, 10n ** 12n + 1n)]],
    ["a stranger's token for a speck", false, [of(token, ether)], [speck]],
    ["an NFT for a speck", true, [nft], [speck]],
    ["an NFT for more", false, [nft], [of(weth, 10n ** 13n)]],
    ["an NFT for another", false, [nft], [of(carol, 1n, "nft")]],
    ["a gift", false, [of(null, ether)], []],
    ["what came for nothing", false, [], [speck]],
  ])("%s: %j", (_what, expected, gives, gets) => {
    expect(away(gives, gets)).toBe(expected);
  });

  it("is not known for a token without a worth", () => {
    expect(
      isGivenAway({ gives: [of(null, ether)], gets: [of(usdc, 2n)] }, { ...tx, etherWorth: () => 0n }, labels),
    ).toBe(false);
  });
});

describe("what somebody took for next to nothing", () => {
  /** Bob took 3,000 USDC from alice and gave ether to her and to others. Some of the ether came through others. */
  const taken = (toAlice: bigint, toOthers: bigint, got = toAlice) => {
    const given = [move(null, bob, alice, toAlice), move(null, bob, vault, toOthers)].filter(
      ({ amount }) => amount > 0n,
    );
    const over = got === toAlice ? [] : [move(null, vault, alice, got)];
    const world = { ...moved([move(usdc, alice, bob, 3_000_000_000n), ...given, ...over]), ...tx };
    return isTakenForTrifle({ account: alice, part: of(usdc, 3_000_000_000n), holder: bob }, world, labels);
  };

  it.each<[string, boolean, [bigint, bigint, bigint?]]>([
    ["a price", false, [ether, 0n]],
    ["a price that came over others", false, [0n, ether, ether]],
    ["a price for somebody else", false, [0n, ether]],
    ["a trifle", true, [5n, 0n]],
    ["a trifle beside what others got", true, [5n, ether]],
    ["nothing", false, [0n, 0n]],
  ])("is told by what it gave: %s", (_what, expected, given) => expect(taken(...given)).toBe(expected));
});
