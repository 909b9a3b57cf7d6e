import { describe, expect, it } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import type { AssetChange } from "../../src/model/match.ts";
import { isGivenAway } from "../../src/money/fair-price.ts";
import { bob, carol, token, usdc, weth } from "../support/case-of.ts";
import { labelsOf, tokenOf } from "../support/labels.ts";

const ether = 10n ** 18n;
/** Carol's is a listed token whose worth is not known, `token` one of a stranger's making. */
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
    ["ether for more of it", false, [of(null, ether)], [of(carol, 10n ** 12n)]],
    ["a stranger's token for a speck", false, [of(token, ether)], [speck]],
    ["an NFT for a speck", true, [nft], [speck]],
    ["an NFT for more", false, [nft], [of(weth, 10n ** 13n)]],
    ["an NFT for another", false, [nft], [of(carol, 1n, "nft")]],
    ["a gift", false, [of(null, ether)], []],
    ["what came for nothing", false, [], [speck]],
  ])("%s: %j", (_what, expected, gives, gets) => {
    expect(away(gives, gets)).toBe(expected);
  });

  it("is not known of a token whose worth is nothing", () => {
    expect(
      isGivenAway({ gives: [of(null, ether)], gets: [of(usdc, 1n)] }, { ...tx, etherWorth: () => 0n }, labels),
    ).toBe(false);
  });
});
