import type { Address } from "../../kernel/address.ts";
import type { Payout } from "../../settle/payouts.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";
import type { ToldLoss } from "./losses.ts";

/** Assets of one payee that are named. */
const assetsMax = 3;

/** Who was paid in an account's place, where no sentence names him. */
export function tellPayees(
  payouts: readonly Payout[],
  isSaid: (name: string) => boolean,
  { names, teller, nameOf }: { names: AssetNames; teller: Teller; nameOf: (address: Address) => string },
): ToldLoss[] {
  const told: ToldLoss[] = [];
  for (const { account, payee, assets } of payouts) {
    const to = nameOf(payee);
    if (isSaid(to)) continue;
    const amount = joinPhrases(assets.slice(0, assetsMax).map((asset) => names.asset(asset)));
    told.push({ account, predicate: teller.say("summary.had_paid", { amount, to }) });
  }
  return told;
}
