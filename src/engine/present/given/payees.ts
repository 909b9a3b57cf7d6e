import type { Address } from "../../../kernel/address.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { AssetChange } from "../../../model/match.ts";
import { assetKeyOf } from "../../money/trail.ts";
import type { Payout } from "../../settle/payouts/act-payouts.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";
import type { ToldLoss } from "./losses.ts";
import { isNear, toldPlaceOf } from "./told-amounts.ts";

/** In an account's place, where no sentence has payee and amount. `told`: losses already stated. */
export function tellPayees(
  payouts: readonly Payout[],
  { acts, told }: { acts: readonly ToldAct[]; told: readonly ToldLoss[] },
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): ToldLoss[] {
  const paid: ToldLoss[] = [];
  // Dust and strangers' tokens push nobody out.
  const ordered = heaviestFirst(payouts, ({ assets }) => names.weight(names.weightiest(assets)[0] as AssetChange));
  for (const { account, payee, assets } of ordered) {
    const to = nameOf(payee);
    const naming = acts.filter(({ text, subject }) => text.includes(to) || subject === to);
    const open = assets.filter((asset) => !naming.some((act) => tells(act, payee, asset)));
    if (open.length === 0) continue;
    const amount = names.list(open);
    // A list may name the same assets in another order.
    const isTold = ({ predicate: { text } }: ToldLoss) =>
      text.includes(to) && open.every((asset) => text.includes(names.asset(asset).text));
    if (!told.some(isTold)) paid.push({ account, predicate: teller.say("summary.had_paid", { amount, to }) });
  }
  return paid;
}

/** By sentence, or a leg to this payee. Wrapped ether is ether. */
function tells({ amounts, context }: ToldAct, payee: Address, { key, amount }: AssetChange): boolean {
  const bound = context.legs.flatMap((leg) =>
    leg?.to === payee ? [{ key: assetKeyOf(leg), amount: leg.amount }] : [],
  );
  const place = toldPlaceOf(payee, key, context);
  return [...amounts, ...bound].some(
    (one) => toldPlaceOf(payee, one.key, context) === place && isNear(one.amount, amount, amount),
  );
}
