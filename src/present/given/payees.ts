import type { Address } from "../../kernel/address.ts";
import { compareAmounts } from "../../kernel/amount.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Payout } from "../../settle/payouts.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import type { Teller } from "../teller/teller.ts";
import type { ToldLoss } from "./losses.ts";

/** Who was paid in an account's place, where no sentence names him. */
export function tellPayees(
  payouts: readonly Payout[],
  isSaid: (name: string) => boolean,
  { names, teller, nameOf }: { names: AssetNames; teller: Teller; nameOf: (address: Address) => string },
): ToldLoss[] {
  const told: ToldLoss[] = [];
  for (const { account, payee, called, assets } of weightiest(payouts, names)) {
    const to = nameOf(payee);
    if (!called && isSaid(to)) continue;
    told.push({ account, predicate: teller.say("summary.had_paid", { amount: names.list(assets), to }) });
  }
  return told;
}

/** Whoever got what counts most first: those who got dust or a stranger's tokens push out nobody. */
function weightiest(payouts: readonly Payout[], names: AssetNames): readonly Payout[] {
  if (payouts.length < 2) return payouts;
  const weights = new Map(
    payouts.map((payout) => [payout, names.weight(names.weightiest(payout.assets)[0] as AssetChange)]),
  );
  return [...payouts].sort((a, b) => compareAmounts(weights.get(b) as bigint, weights.get(a) as bigint));
}
