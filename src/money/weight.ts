import type { Address } from "../kernel/address.ts";
import { oneEther } from "../kernel/amount.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { AssetChange } from "../model/match.ts";
import { etherWorth } from "../normalize/ether-worth.ts";

/** What is worth less than this, in wei, is a trifle: a few cents. */
export const trifle = oneEther / 100_000n;
/** Of a listed token whose worth is not known, a trifle is at most one part in so many of one token. */
export const smallPart = 1_000_000n;

/** How much an asset counts beside others: the larger the more. Above 1 it is more than a trifle. */
export type Weigh = (asset: Pick<AssetChange, "token" | "amount">) => bigint;

/**
 * Weighs assets where a sentence cannot name all of them: by their worth in wei where it is known; 2 for other listed tokens and for NFTs
 * of collections that labels name; 1 for trifles; 0 for what anybody could have made.
 */
export function weigherOf(file: CaseFile, labels: Labels): Weigh {
  const worthOf = etherWorth(file, labels, { has: (token: Address) => labels.token(token) !== undefined });
  return ({ token, amount }) => {
    const units = token === null ? oneEther : worthOf(token);
    if (units !== undefined && units > 0n) {
      const worth = (amount * oneEther) / units;
      return worth < trifle ? 1n : worth;
    }
    const listed = token === null ? undefined : labels.token(token);
    if (listed === undefined) return token !== null && labels.name(token) !== undefined ? 2n : 0n;
    return amount * smallPart <= 10n ** BigInt(listed.decimals) ? 1n : 2n;
  };
}
