import type { Address } from "../../kernel/address.ts";
import { oneEther } from "../../kernel/amount.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { AssetChange } from "../../model/match.ts";
import { etherWorth } from "../normalize/ether-worth.ts";
import { smallPart, trifle } from "./thresholds.ts";

/** Above 1: more than a trifle. */
export type Weigh = (asset: Pick<AssetChange, "token" | "amount">) => bigint;

/**
 * For sentences that cannot name all. Wei where known; 2: other listed tokens and NFTs of labelled collections; 1: trifles; 0: anybody
 * could have made it.
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
