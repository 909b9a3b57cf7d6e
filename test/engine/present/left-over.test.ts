import { expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { tellLeftOver } from "../../../src/engine/present/reasons/missing.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { caseOf, metadata, token, usdc, vault, weth } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const file = caseOf({ tokens: { [token]: metadata("ODD", 2) } });
const left = (of: Movement["token"], amount: bigint, tokenId: bigint | null = null) => ({
  ...{ move: { token: of, tokenId } as Movement, amount },
});
const usd = left(usdc, 1_000_000n);
const odd = left(token, 150n);
const oddName = '1.5 "ODD" (0x7070…7070)';
const nft = "NFT #7 of 0x5a5A…5A5A";

it.each<[string, ReturnType<typeof left>[], string, boolean]>([
  ["one", [usd], "1 USDC received is not explained.", false],
  ["one that left", [left(usdc, -2_000_000n)], "2 USDC sent is not explained.", false],
  ["two", [usd, left(weth, -(10n ** 18n))], "1 USDC received and 1 WETH sent are not explained.", false],
  [
    "three",
    [usd, left(null, 10n ** 18n), odd],
    "1 USDC received, 1 ETH received and 1 more asset are not explained.",
    false,
  ],
  [
    "four",
    [usd, odd, left(weth, 1n), left(null, 1n)],
    `1 USDC received, ${oddName} received and 2 more assets are not explained.`,
    true,
  ],
  ["of a stranger", [odd], `${oddName} received is not explained.`, true],
  ["an NFT", [left(vault, 1n, 7n)], `${nft} received is not explained.`, false],
  ["an NFT that left", [left(vault, -1n, 7n)], `${nft} sent is not explained.`, false],
  ["copies of an NFT", [left(vault, 3n, 7n)], `3 × ${nft} received is not explained.`, false],
  ["copies of it that left", [left(vault, -3n, 7n)], `3 × ${nft} sent is not explained.`, false],
])("what no action explains: %s", (_what, assets, text, untrusted) => {
  const teller = shippedTeller();
  const names = new AssetNames(file, shippedLabels(), policy, teller);
  expect(tellLeftOver(assets, names, teller)).toEqual({ text, untrusted });
  expect(tellLeftOver([], names, teller)).toBeUndefined();
});
