import { describe, expect, it } from "vitest";
import { etherWorth } from "../../../src/engine/normalize/ether-worth.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { Labels } from "../../../src/model/label.ts";
import { token, usdc, vault, weth } from "../../support/case-of.ts";

const ether = 10n ** 18n;
/** Dollar tokens: USDC with 6 decimals, `token` with 18, and the vault, for which no label gives the decimals. */
const labels = {
  system: (kind: string) => (kind === "dollars" ? [usdc, token, vault] : kind === "weth" ? [weth] : []),
  token: (address: Address) => (address === vault ? undefined : { decimals: address === usdc ? 6 : 18 }),
} as unknown as Labels;
const worth = (price: object, ...listed: Address[]) => {
  const worthOf = etherWorth({ price } as CaseFile, labels, new Set(listed));
  return [weth, usdc, token, vault].flatMap((of) => {
    const units = worthOf(of);
    return units === undefined ? [] : [[of, units]];
  });
};
const found = (eth_usd: string | null) => ({ status: "found", source: "test", eth_usd });

describe("what one ether is worth", () => {
  it.each<[string, object, Address[], [Address, bigint][]]>([
    ["wrapped ether alone", found("3000"), [], []],
    ["no dollars that are not listed", found("3000"), [weth], []],
    ["dollars in their own units", found("3000"), [usdc], [[usdc, 3_000_000_000n]]],
    ["parts of dollars", found("2999.123456789"), [usdc], [[usdc, 2_999_123_456n]]],
    [
      "of all that are listed",
      found("2000.5"),
      [token, usdc],
      [
        [usdc, 2_000_500_000n],
        [token, (20_005n * ether) / 10n],
      ],
    ],
    ["more than it ever was where no price was found", { status: "unavailable" }, [usdc], [[usdc, 10_000_000_000n]]],
    ["the same where the price is not told", found(null), [usdc], [[usdc, 10_000_000_000n]]],
    ["the same whatever stands beside no price", { ...found("5"), status: "none" }, [usdc], [[usdc, 10_000_000_000n]]],
    ["no dollars of which nobody knows the decimals", found("3000"), [vault], []],
    ["no dollars where the price is no number", found("much"), [usdc, token], []],
  ])("is %s", (_what, price, listed, expected) => {
    expect(worth(price, ...listed)).toEqual([[weth, ether], ...expected]);
    // Without dollars only wrapped ether has a worth: the earlier answer leaves nothing behind.
    expect(worth(price)).toEqual([[weth, ether]]);
  });
});
