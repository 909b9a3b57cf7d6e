import type { Candidate } from "../../match/candidate.ts";
import type { AssetChange } from "../../model/match.ts";
import { isGivenAway } from "../../money/fair-price.ts";
import { isBelieved } from "../../money/payees.ts";
import { tierRank } from "../../ruleset/actions.ts";
import { atKnownPlace } from "../../ruleset/precedence.ts";
import { payoutsOf, unwrappedKey } from "./act-payouts.ts";
import { type KnownRun, runOf } from "./run.ts";

/**
 * Whether an exchange that no known contract proves left its account the smaller part of the proceeds, or next to nothing for what it
 * gave.
 */
export function isShort(candidate: Candidate, known: KnownRun): boolean {
  const { rule, context } = candidate;
  const says = rule.tier > tierRank("authority") && rule.tier < tierRank("fallback") && rule.status === "success";
  if (!says || atKnownPlace(rule)) return false;
  const asksBoth = (rule.flow?.gives?.min ?? 0) > 0 && (rule.flow?.gets?.min ?? 0) > 0;
  if (asksBoth && isGivenAway(context.flow, known.tx, known.labels)) return true;
  return rule.exchanges && isShortChanged(candidate, known);
}

/**
 * Whether others kept more of what came for an account's money than the account got of it: then the account exchanged nothing. What
 * anybody could have made is not asked about.
 */
function isShortChanged(action: Candidate, known: KnownRun): boolean {
  const { gets } = action.context.flow;
  const believed = gets.filter((asset) => asset.kind !== "nft" && isBelieved(asset, known.tx));
  if (believed.length === 0) return false;
  const kept = payoutsOf(action, runOf({ ...known, leaves: [] })).flatMap(({ assets }) => assets);
  const sumOf = (assets: readonly AssetChange[], kind: string) =>
    assets.reduce((sum, { key, amount }) => (unwrappedKey(key, known.tx) === kind ? sum + amount : sum), 0n);
  return believed.map(({ key }) => unwrappedKey(key, known.tx)).every((one) => sumOf(kept, one) > sumOf(believed, one));
}
