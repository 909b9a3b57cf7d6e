import type { AssetChange } from "../../model/match.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Candidate } from "../match/candidate.ts";
import { flowFits } from "../match/flow-fit.ts";
import { isOwnTransfer, type Reached, type ReachedMoney } from "./reached-money.ts";

/**
 * Removes money that did not reach what the act is about: it neither claims nor states what strangers got. undefined: the rule no longer
 * fits. Acts that only say "sent" or "called" keep all of it.
 */
export function narrow(candidate: Candidate, money: ReachedMoney): Candidate | undefined {
  const { rule, context } = candidate;
  if (rule.status === "reverted" || context.flow.gives.length === 0 || !promises(candidate)) return candidate;
  const { gives } = context.flow;
  const parts = gives.map((asset) => money.of(candidate, context.subject, asset));
  if (parts.every(({ strangers }) => strangers.length === 0)) return candidate;
  const strange = strangeMovements(gives, parts);
  if (context.legs.some((move) => move !== null && strange.has(move.index))) return undefined;
  const flow = { ...context.flow, gives: gives.flatMap((asset, i) => reduced(asset, parts[i] as Reached, strange)) };
  if (rule.flow !== null && !flowFits(rule.flow, flow, context, rule.exchanges)) return undefined;
  const keep = (movements: readonly number[]) => movements.filter((index) => !strange.has(index));
  return {
    ...candidate,
    context: { ...context, flow },
    movements: keep(candidate.movements),
    absorbedMovements: keep(candidate.absorbedMovements),
  };
}

/** States what the money was for, more than sent, allowed or called. */
export function promises(candidate: Candidate): boolean {
  const { rule } = candidate;
  if (isOwnTransfer(candidate)) return true;
  if (rule.tier <= tierRank("act")) return rule.tier > tierRank("authority");
  // At a known contract "sent" and "called" do too.
  const isPlain = rule.tier === tierRank("transfer") || rule.tier === tierRank("fallback");
  return isPlain && atKnownPlace(rule);
}

/** No part of them reached the act. */
function strangeMovements(gives: readonly AssetChange[], parts: readonly Reached[]): Set<number> {
  const strange = new Set<number>();
  gives.forEach((asset, i) => {
    const { amount, strangers } = parts[i] as Reached;
    const lost = new Map<number, bigint>();
    for (const { first, amount: part } of strangers) lost.set(first.index, (lost.get(first.index) ?? 0n) + part);
    for (const { first } of strangers)
      if (amount === 0n || (lost.get(first.index) ?? 0n) >= first.amount) strange.add(first.index);
    if (amount === 0n) for (const index of asset.movements) strange.add(index);
  });
  return strange;
}

function reduced(asset: AssetChange, { amount }: Reached, strange: ReadonlySet<number>): AssetChange[] {
  if (amount === 0n) return [];
  return [{ ...asset, amount, movements: asset.movements.filter((index) => !strange.has(index)) }];
}
