import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { AssetChange } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import type { Loss } from "../../settle/losses.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";
import { type TellingAct, ToldAmounts } from "./told-amounts.ts";

/** Predicate of the account. */
export interface ToldLoss {
  account: Address;
  predicate: Phrase;
  /** Says the same as a whole clause, where it is no act of the account. */
  clause?: Phrase;
  /** Receipt positions, of an allowance. */
  logs?: readonly number[];
}

/** Sentences about losses and allowances cover all of the act, so it is no further step. */
export function isToldBeside(
  { rule, account, logs, amounts }: Pick<ToldAct, "rule" | "account" | "logs" | "amounts">,
  { grants, losses }: { grants: readonly ToldLoss[]; losses: readonly Loss[] },
): boolean {
  if (rule.tier === tierRank("approval")) return grants.some((grant) => logs.some((log) => grant.logs?.includes(log)));
  const isLost = ({ key }: { key: string }) =>
    losses.some((loss) => loss.account === account && loss.asset.key === key);
  const isPayment = rule.tier === tierRank("transfer") && !rule.flow?.gets?.min;
  return isPayment && amounts.length > 0 && amounts.every(isLost);
}

/** More would let gifts hide the loss. */
const gainsMax = 2;

/** Losses to strangers first, then those to acts without an amount. A destroyed receipt needs no words where its return is stated. */
export function tellLosses(
  losses: readonly Loss[],
  acts: readonly TellingAct[],
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): ToldLoss[] {
  if (losses.length === 0) return [];
  const ordered = weightiest(losses, names);
  const told = new ToldAmounts(acts);
  const open = told.untold(ordered.map((loss) => ({ loss, amount: wholeOf(loss, told) })));
  if (open.length === 0 && losses.every(({ strangers }) => strangers.length === 0)) return [];
  const away = [
    ...ordered.flatMap((loss) => loss.strangers.map((part) => ({ loss, to: toldReceiver(part), amount: part.amount }))),
    ...open.flatMap((loss) => loss.sent.map(({ to, amount }) => ({ loss, to, amount }))),
  ];
  const gains = new Map(ordered.map(({ account, got }) => [account, got]));
  const sent = [...Map.groupBy(away, ({ loss, to }) => `${loss.account}${to}`).values()].map((parts) => {
    const [{ loss, to }] = parts as [(typeof parts)[number]];
    const amount = names.list(parts.map((part) => ({ ...part.loss.asset, amount: part.amount })));
    const lost =
      to === zeroAddress
        ? teller.say("summary.had_burned", { amount })
        : teller.say("summary.sent", { amount, to: nameOf(to) });
    const predicate = withGains(lost, gains.get(loss.account) ?? [], { names, teller });
    gains.delete(loss.account);
    return { account: loss.account, predicate };
  });
  const given = told.untold(open.map((loss) => ({ loss, amount: reachedOf(loss, told) })));
  const gave = [...Map.groupBy(given, ({ account }) => account)].map(([account, parts]) => {
    const amount = names.list(parts.map((loss) => ({ ...loss.asset, amount: reachedOf(loss, told) })));
    return { account, predicate: teller.say("summary.gave", { amount }) };
  });
  return [...sent, ...gave];
}

/** Adds the listed assets that came for it. */
function withGains(
  lost: Phrase,
  gains: readonly AssetChange[],
  { names, teller }: Pick<Words, "names" | "teller">,
): Phrase {
  const known = gains.filter(({ token }) => names.facts(token).listed);
  const { length: count } = known;
  if (count === 0) return lost;
  const amount =
    count > gainsMax ? teller.say("summary.assets", { count }) : joinPhrases(known.map((asset) => names.asset(asset)));
  return teller.say("summary.received", { lost, amount });
}

/** Who is told to have got it: who has it in the end, if that is one account. */
export function toldReceiver({ to, holders }: Pick<Loss["strangers"][number], "to" | "holders">): Address {
  const [holder, ...others] = holders;
  return holder !== undefined && others.length === 0 ? holder : to;
}

/** Not receipts whose return a sentence states. */
function reachedOf({ account, reached }: Loss, told: ToldAmounts): bigint {
  return reached.reduce(
    (sum, part) => (part.redeemed && told.tellsReceipt(account, part) ? sum : sum + part.amount),
    0n,
  );
}

function wholeOf(loss: Loss, told: ToldAmounts): bigint {
  return loss.sent.reduce((sum, part) => sum + part.amount, reachedOf(loss, told));
}

/** Of equal weight, accounts take turns: many worthless tokens hide no one's loss. */
function weightiest(losses: readonly Loss[], names: AssetNames): readonly Loss[] {
  if (losses.length < 2) return losses;
  const weigh = ({ asset }: Loss) => names.weight(asset);
  const ordered = heaviestFirst(losses, weigh);
  // A later turn weighs less.
  const counts = new Map<Address, bigint>();
  const turns = new Map<Loss, bigint>();
  for (const loss of ordered) {
    const turn = (counts.get(loss.account) ?? 0n) - 1n;
    counts.set(loss.account, turn);
    turns.set(loss, turn);
  }
  return heaviestFirst(
    heaviestFirst(ordered, (loss) => turns.get(loss) as bigint),
    weigh,
  );
}
