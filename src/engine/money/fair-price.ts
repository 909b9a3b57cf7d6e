import type { Address } from "../../kernel/address.ts";
import { oneEther } from "../../kernel/amount.ts";
import type { Labels } from "../../model/label.ts";
import type { AssetChange, BalanceChanges } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { priceSlack, smallPart, trifle } from "./thresholds.ts";

type Facts = Pick<Transaction, "etherWorth" | "listed">;
type Known = Pick<Labels, "token">;

/** Wei; undefined: unknown. */
export function worthOf(
  { token, amount }: Pick<AssetChange, "token" | "amount">,
  { etherWorth }: Facts,
): bigint | undefined {
  const units = token === null ? oneEther : etherWorth(token);
  return units === undefined || units === 0n ? undefined : (amount * oneEther) / units;
}

/** Too little ether, or too little of a listed token, to be a price. */
export function isSpeck(asset: AssetChange, facts: Facts, labels: Known): boolean {
  const { kind, token, amount } = asset;
  const worth = worthOf(asset, facts);
  if (worth !== undefined) return worth < trifle;
  const decimals =
    token === null || kind === "nft" || !facts.listed.has(token) ? undefined : labels.token(token)?.decimals;
  return decimals !== undefined && amount * smallPart <= 10n ** BigInt(decimals);
}

/** By worth where both are known. Else true only where a trifle came for an NFT or a listed token: an unlisted token's worth is unknown. */
export function isGivenAway(
  { gives, gets }: Pick<BalanceChanges, "gives" | "gets">,
  facts: Facts,
  labels: Known,
): boolean {
  if (gives.length === 0 || gets.length === 0) return false;
  let got = 0n;
  for (const asset of gets) {
    const worth = worthOf(asset, facts) ?? (isSpeck(asset, facts, labels) ? 0n : undefined);
    if (worth === undefined) return false;
    got += worth;
  }
  let given = 0n;
  for (const asset of gives) given += worthOf(asset, facts) ?? 0n;
  if (given >= trifle && given > got * priceSlack) return true;
  const counts = (asset: AssetChange): boolean => {
    if (asset.kind === "nft") return true;
    const isOpen = asset.token !== null && facts.listed.has(asset.token) && worthOf(asset, facts) === undefined;
    return isOpen && !isSpeck(asset, facts, labels);
  };
  return got < trifle && gives.some(counts);
}

/** Of an asset that came to the account, the holder's gift counts up to what the account got. */
export function isTakenForTrifle(
  { account, part, holder }: { account: Address; part: AssetChange; holder: Address },
  tx: Transaction,
  labels: Known,
): boolean {
  const own = balanceChanges(tx, account);
  const gets = balanceChanges(tx, holder).gives.map((asset) => {
    const got = own.gets.find(({ key }) => key === asset.key);
    return got !== undefined && got.amount < asset.amount ? got : asset;
  });
  return isGivenAway({ gives: [part], gets }, tx, labels);
}
