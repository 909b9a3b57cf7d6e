import type { Address } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { CompiledRule } from "../../ruleset/compiled.ts";
import type { Loss } from "../../settle/losses.ts";
import type { AssetNames, ToldAmount } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { Teller } from "../teller.ts";

/** An act that is told, with the amounts that its sentence names. */
export interface TellingAct {
  rule: CompiledRule;
  context: MatchContext;
  amounts: readonly ToldAmount[];
}

/** A loss in words, as a predicate of the account. */
export interface ToldLoss {
  account: Address;
  predicate: Phrase;
}

/** A sentence tells an amount when it names at least this part of it: fees of tokens and roundings make small differences. */
const toldShare = { part: 98n, of: 100n };

/**
 * What the told acts leave out of what accounts gave: to strangers first, then what reached an act that does not say how much. A
 * receipt that was destroyed for what came back is told by what came back.
 */
export function tellLosses(
  losses: readonly Loss[],
  acts: readonly TellingAct[],
  { names, teller, nameOf }: { names: AssetNames; teller: Teller; nameOf: (address: Address) => string },
): ToldLoss[] {
  const ordered = [...losses].sort((a, b) => weight(b, names) - weight(a, names));
  const told = new ToldAmounts(acts);
  const untold = ordered.filter((loss) => !told.has(loss, wholeOf(loss)));
  const away = [
    ...ordered.flatMap((loss) =>
      loss.strangers.map(({ to, holders, amount }) => ({ loss, to: only(holders) ?? to, amount })),
    ),
    ...untold.flatMap((loss) => loss.sent.map(({ to, amount }) => ({ loss, to, amount }))),
  ];
  const sent = [...Map.groupBy(away, ({ loss, to }) => `${loss.account}${to}`).values()].map((parts) => {
    const [{ loss, to }] = parts as [(typeof parts)[number]];
    const amount = joinPhrases(parts.map((part) => names.asset({ ...part.loss.asset, amount: part.amount })));
    return { account: loss.account, predicate: teller.say("summary.sent", { amount, to: nameOf(to) }) };
  });
  const given = untold.flatMap((loss) => {
    const amount = reachedOf(loss);
    return amount === 0n || told.has(loss, amount) ? [] : [{ loss, amount }];
  });
  const gave = [...Map.groupBy(given, ({ loss }) => loss.account)].map(([account, parts]) => {
    const amount = joinPhrases(parts.map((part) => names.asset({ ...part.loss.asset, amount: part.amount })));
    const isOwn = parts.some(({ loss }) => loss.reached.some(({ action }) => action.context.subject === account));
    return { account, predicate: teller.say(isOwn ? "summary.gave" : "summary.gave_for_it", { amount }) };
  });
  return [...sent, ...gave];
}

function only(holders: readonly Address[]): Address | undefined {
  return holders.length === 1 ? holders[0] : undefined;
}

/** What came to the acts and was not destroyed for what came back. */
function reachedOf({ reached }: Loss): bigint {
  return reached.reduce((sum, part) => (part.redeemed ? sum : sum + part.amount), 0n);
}

function wholeOf(loss: Loss): bigint {
  return loss.sent.reduce((sum, part) => sum + part.amount, reachedOf(loss));
}

/** Ether and listed tokens before what anybody could have made. */
function weight({ asset }: Loss, names: AssetNames): number {
  return names.facts(asset.token).listed ? 1 : 0;
}

/** The largest amount of each asset that a sentence about an account names. Wrapped ether is ether. */
class ToldAmounts {
  readonly #largest: Map<string, bigint> = new Map();
  readonly #context: MatchContext | undefined;

  constructor(acts: readonly TellingAct[]) {
    for (const { context, amounts } of acts)
      for (const { key, amount } of amounts) {
        const place = placeOf(context.subject, key, context);
        if (amount > (this.#largest.get(place) ?? -1n)) this.#largest.set(place, amount);
      }
    this.#context = acts[0]?.context;
  }

  has({ account, asset: { key } }: Loss, amount: bigint): boolean {
    const told = this.#context && this.#largest.get(placeOf(account, key, this.#context));
    return told !== undefined && told * toldShare.of >= amount * toldShare.part;
  }
}

function placeOf(account: Address, key: string, context: MatchContext): string {
  return `${account}${isEther(key, context) ? "native" : key}`;
}

function isEther(key: string, { tx }: MatchContext): boolean {
  return key === "native" || tx.weth.has(key as Address);
}
