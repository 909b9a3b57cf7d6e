import type { Labels } from "../model/label.ts";
import type { AssetChange, BalanceChanges } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import { smallPart, trifle } from "./weight.ts";

const oneEther = 10n ** 18n;
/** What came may be worth so many times less than what was given for it: markets are thin, and the price of ether is not always known. */
const slack = 10n;

/**
 * Whether what came is next to nothing beside what was given: as far as the worth of both is known, else where only a trifle came for an
 * NFT or for a listed token. What a token that anybody could have made is worth is not known.
 */
export function isGivenAway(
  { gives, gets }: Pick<BalanceChanges, "gives" | "gets">,
  { etherWorth, listed }: Pick<Transaction, "etherWorth" | "listed">,
  labels: Pick<Labels, "token">,
): boolean {
  const worthOf = ({ token, amount }: AssetChange): bigint | undefined => {
    const units = token === null ? oneEther : etherWorth(token);
    return units === undefined || units === 0n ? undefined : (amount * oneEther) / units;
  };
  if (gives.length === 0 || gets.length === 0) return false;
  let got = 0n;
  for (const asset of gets) {
    const worth = worthOf(asset);
    if (worth === undefined) return false;
    got += worth;
  }
  let given = 0n;
  for (const asset of gives) given += worthOf(asset) ?? 0n;
  if (given >= trifle && given > got * slack) return true;
  const counts = (asset: AssetChange): boolean => {
    if (asset.kind === "nft") return true;
    if (asset.token === null || !listed.has(asset.token) || worthOf(asset) !== undefined) return false;
    return asset.amount * smallPart >= 10n ** BigInt(labels.token(asset.token)?.decimals ?? 0);
  };
  return got < trifle && gives.some(counts);
}
