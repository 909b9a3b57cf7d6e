import type { AssetChange } from "../../model/match.ts";
import type { Payout } from "../../settle/payouts.ts";
import { heaviestFirst } from "../amounts/asset-names.ts";
import type { Words } from "../teller/words.ts";
import type { ToldLoss } from "./losses.ts";

/** Who was paid in an account's place, where no sentence names him. */
export function tellPayees(
  payouts: readonly Payout[],
  isSaid: (name: string) => boolean,
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): ToldLoss[] {
  const told: ToldLoss[] = [];
  // Those who got dust or a stranger's tokens push out nobody.
  const ordered = heaviestFirst(payouts, ({ assets }) => names.weight(names.weightiest(assets)[0] as AssetChange));
  for (const { account, payee, called, assets } of ordered) {
    const to = nameOf(payee);
    const said = !called && isSaid(to);
    const untold = said ? assets.filter((asset) => !isSaid(names.list([asset]).text)) : assets;
    // Of one asset the sentence that names him tells enough, whatever its amount.
    if (said && (untold.length === 0 || untold.length === assets.length)) continue;
    told.push({ account, predicate: teller.say("summary.had_paid", { amount: names.list(untold), to }) });
  }
  return told;
}
