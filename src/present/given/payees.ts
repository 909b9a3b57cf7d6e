import { compareAmounts } from "../../kernel/amount.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Payout } from "../../settle/payouts.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { Words } from "../teller/words.ts";
import type { ToldLoss } from "./losses.ts";

/** Assets of one payee that are named. */
const assetsMax = 3;

/** Who was paid in an account's place, where no sentence names him. */
export function tellPayees(
  payouts: readonly Payout[],
  isSaid: (name: string) => boolean,
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): ToldLoss[] {
  const told: ToldLoss[] = [];
  for (const { account, payee, called, assets } of weightiest(payouts, names)) {
    const to = nameOf(payee);
    if (!called && isSaid(to)) continue;
    const shown = assets.length <= assetsMax ? assets : names.weightiest(assets).slice(0, assetsMax);
    const amount = joinPhrases(shown.map((asset) => names.asset(asset)));
    told.push({ account, predicate: teller.say("summary.had_paid", { amount, to }) });
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
