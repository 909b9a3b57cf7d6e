import type { AssetChange } from "../../../model/match.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import type { Candidate } from "../../match/candidate.ts";
import { isGivenAway } from "../../money/fair-price.ts";
import { isBelieved } from "../../money/payees.ts";
import { payoutsOf, unwrappedKey } from "./act-payouts.ts";
import { type KnownRun, runOf } from "./run.ts";

/** At unknown contracts: next to nothing for what was given, or less than others kept. Not stated as an exchange. */
export function isShort(candidate: Candidate, known: KnownRun): boolean {
  const { rule, context } = candidate;
  const says = rule.tier > tierRank("authority") && rule.tier < tierRank("fallback") && rule.status === "success";
  if (!says || atKnownPlace(rule)) return false;
  const asksBoth = (rule.flow?.gives?.min ?? 0) > 0 && (rule.flow?.gets?.min ?? 0) > 0;
  if (asksBoth && isGivenAway(context.flow, known.tx, known.labels)) return true;
  return rule.exchanges && isShortChanged(candidate, known);
}

/** For every asset; ether and listed tokens only. */
function isShortChanged(action: Candidate, known: KnownRun): boolean {
  const { gets } = action.context.flow;
  const believed = gets.filter((asset) => asset.kind !== "nft" && isBelieved(asset, known.tx));
  if (believed.length === 0) return false;
  const kept = payoutsOf(action, runOf({ ...known, leaves: [] })).flatMap(({ assets }) => assets);
  const sumOf = (assets: readonly AssetChange[], kind: string) =>
    assets.reduce((sum, { key, amount }) => (unwrappedKey(key, known.tx) === kind ? sum + amount : sum), 0n);
  return believed.map(({ key }) => unwrappedKey(key, known.tx)).every((one) => sumOf(kept, one) > sumOf(believed, one));
}
