import type { Address } from "../../kernel/address.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Payout } from "../../settle/payouts.ts";
import { type AssetNames, heaviestFirst } from "../amounts/asset-names.ts";
import type { Teller } from "../teller/teller.ts";
import type { ToldLoss } from "./losses.ts";

/** Who was paid in an account's place, where no sentence names him. */
export function tellPayees(
  payouts: readonly Payout[],
  isSaid: (name: string) => boolean,
  { names, teller, nameOf }: { names: AssetNames; teller: Teller; nameOf: (address: Address) => string },
): ToldLoss[] {
  const told: ToldLoss[] = [];
  // Those who got dust or a stranger's tokens push out nobody.
  const ordered = heaviestFirst(payouts, ({ assets }) => names.weight(names.weightiest(assets)[0] as AssetChange));
  for (const { account, payee, called, assets } of ordered) {
    const to = nameOf(payee);
    if (!called && isSaid(to)) continue;
    told.push({ account, predicate: teller.say("summary.had_paid", { amount: names.list(assets), to }) });
  }
  return told;
}
