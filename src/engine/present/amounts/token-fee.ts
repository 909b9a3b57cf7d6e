import type { Address } from "../../../kernel/address.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Movement } from "../../../model/transaction.ts";
import { joinPhrases } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";
import type { AssetNames } from "./asset-names.ts";

/** `paid 0.02 USDC for gas`, net of refunds. */
export function tellTokenFee(
  movements: readonly Movement[],
  payer: Address,
  names: AssetNames,
  teller: Teller,
): Phrase | null {
  if (!movements.some(({ fee }) => fee)) return null;
  const paid = new Map<Address, bigint>();
  for (const { fee, token, from, to, amount } of movements) {
    if (!fee || token === null || (from !== payer && to !== payer)) continue;
    paid.set(token, (paid.get(token) ?? 0n) + (from === payer ? amount : -amount));
  }
  const told = [...paid].filter(([, amount]) => amount > 0n).map(([token, amount]) => names.amount(token, amount));
  if (told.length === 0) return null;
  return teller.say("summary.gas_in_tokens", { amounts: joinPhrases(told) });
}
