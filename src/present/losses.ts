import type { Address } from "../kernel/address.ts";
import type { MatchContext } from "../model/match.ts";
import type { Phrase } from "../model/phrase.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import type { Loss } from "../settle/losses.ts";
import type { AssetNames, ToldAmount } from "./amounts/asset-names.ts";
import { joinPhrases } from "./phrase.ts";
import type { Teller } from "./teller.ts";

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
  const strange = ordered.flatMap(({ account, asset, strangers }) =>
    strangers.map(({ to, holders, amount }) => {
      const last = holders.length === 1 ? (holders[0] as Address) : to;
      return {
        account,
        predicate: teller.say("summary.sent", { amount: names.asset({ ...asset, amount }), to: nameOf(last) }),
      };
    }),
  );
  const untold = ordered.flatMap(({ account, asset, reached }) => {
    const parts = reached.filter((part) => !part.redeemed);
    const amount = parts.reduce((sum, part) => sum + part.amount, 0n);
    if (amount === 0n || isTold({ account, key: asset.key, amount }, acts)) return [];
    const own = parts.some(({ action }) => action.context.subject === account);
    return [{ account, own, amount: names.asset({ ...asset, amount }) }];
  });
  const gave = [...Map.groupBy(untold, ({ account }) => account)].map(([account, parts]) => {
    const words = joinPhrases(parts.map(({ amount }) => amount));
    const says = parts.some(({ own }) => own) ? "summary.gave" : "summary.gave_for_it";
    return { account, predicate: teller.say(says, { amount: words }) };
  });
  return [...strange, ...gave];
}

/** Ether and listed tokens before what anybody could have made. */
function weight({ asset }: Loss, names: AssetNames): number {
  return names.facts(asset.token).listed ? 1 : 0;
}

function isTold(loss: { account: Address; key: string; amount: bigint }, acts: readonly TellingAct[]): boolean {
  return acts.some(({ context, amounts }) => {
    if (context.subject !== loss.account) return false;
    const isSame = ({ key }: ToldAmount) => key === loss.key || (isEther(key, context) && isEther(loss.key, context));
    return amounts.some((told) => isSame(told) && told.amount * toldShare.of >= loss.amount * toldShare.part);
  });
}

function isEther(key: string, { tx }: MatchContext): boolean {
  return key === "native" || tx.weth.has(key as Address);
}
