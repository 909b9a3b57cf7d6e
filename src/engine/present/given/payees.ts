import type { Address } from "../../../kernel/address.ts";
import { compareAmounts } from "../../../kernel/amount.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../../model/match.ts";
import type { MoneyLedger } from "../../ledger/ledger.ts";
import { assetKeyOf } from "../../money/trail.ts";
import type { Loss } from "../../settle/losses.ts";
import type { Payout } from "../../settle/payouts/act-payouts.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";
import { type ToldLoss, toldReceiver } from "./losses.ts";
import { isNear, toldPlaceOf } from "./told-amounts.ts";

/** What the sentences say already, and the money behind them. */
interface Telling {
  acts: readonly ToldAct[];
  losses: readonly Loss[];
  told: readonly ToldLoss[];
  ledger: () => Pick<MoneyLedger, "gaveBy">;
}

/** In an account's place, where no sentence has payee and amount. `told`: losses already stated. */
export function tellPayees(
  payouts: readonly Payout[],
  telling: Telling,
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): ToldLoss[] {
  const { acts, losses, told } = telling;
  const paid: ToldLoss[] = [];
  // Dust and strangers' tokens push nobody out.
  const ordered = heaviestFirst(payouts, ({ assets }) => names.weight(names.weightiest(assets)[0] as AssetChange));
  for (const { account, payee, assets } of ordered) {
    const to = nameOf(payee);
    const naming = acts.filter(({ text, subject }) => text.includes(to) || subject === to);
    const isNamed = told.some(({ predicate: { text } }) => text.includes(to));
    const open = assets.flatMap((asset) => {
      if (naming.some((act) => tells(act, payee, asset))) return [];
      if (isNamed && isLostTo(losses, payee, asset, acts[0]?.context)) return [];
      // The same money may be in both.
      const stated = [statedFor(payee, asset, account, naming), givenOver(payee, asset, account, telling)];
      const amount = asset.amount - (stated.toSorted(compareAmounts).at(-1) as bigint);
      return amount > 0n ? [{ ...asset, amount }] : [];
    });
    if (open.length === 0) continue;
    const amount = names.list(open);
    const clause = teller.say("summary.went", { amount, to });
    paid.push({ account, predicate: teller.say("summary.had_paid", { amount, to }), clause });
  }
  return paid;
}

/**
 * Whether what is told as lost to this payee is all that he got. Not what an act's contract sent him: its sentence may be about another
 * receiver. Wrapped ether is ether.
 */
function isLostTo(
  losses: readonly Loss[],
  payee: Address,
  { key, amount }: AssetChange,
  context: MatchContext | undefined,
): boolean {
  const placeOf = (one: string) => (context === undefined ? one : toldPlaceOf(payee, one, context));
  let sum = 0n;
  for (const { asset, strangers } of losses) {
    if (placeOf(asset.key) !== placeOf(key)) continue;
    for (const part of strangers) if (toldReceiver(part) === payee) sum += part.amount;
  }
  return isNear(sum, amount, amount);
}

/** Of what a payee got, what the acts that name him state: what they bind to him, and what the account itself gave him. */
function statedFor(
  payee: Address,
  { key, movements }: AssetChange,
  account: Address,
  naming: readonly ToldAct[],
): bigint {
  const stated = new Map<number, bigint>();
  for (const { context, amounts } of naming) {
    for (const leg of context.legs) if (leg?.to === payee && assetKeyOf(leg) === key) stated.set(leg.index, leg.amount);
    if (context.subject !== account || !amounts.some((one) => one.key === key)) continue;
    for (const move of movements.flatMap((index) => context.tx.movements[index] ?? []))
      if (move.from === account && move.to === payee) stated.set(move.index, move.amount);
  }
  return [...stated.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** What the account gave of it, over contracts of an exchange whose sentence states that: the same money is not told twice. */
function givenOver(payee: Address, { key }: AssetChange, account: Address, { acts, ledger }: Telling): bigint {
  const stating = acts.filter(
    ({ rule, context: { subject }, amounts }) =>
      rule.exchanges && subject === account && amounts.some((one) => one.key === key),
  );
  if (stating.length === 0) return 0n;
  let given = 0n;
  for (const { asset, keeper, via, amount } of ledger().gaveBy(account))
    if (
      asset === key &&
      keeper === payee &&
      stating.some(({ rule, context }) => via.every(({ at }) => context.admits(rule.home, at)))
    )
      given += amount;
  return given;
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
