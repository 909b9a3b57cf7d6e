import type { MatchContext } from "../../model/match.ts";
import type { Movement } from "../../model/transaction.ts";
import { type TierName, tierRank } from "../../rules/ruleset/actions.ts";
import type { Candidate } from "../match/candidate.ts";

/**
 * - Control over another account comes after all that the subject did. In a reverted transaction, a change that remains comes after what
 * was tried.
 * - Where the subject only sent or approved a token by its own function, that comes first; others' acts come after it: an order's fill, or
 * an event tied to the subject only by what it sent.
 */
export function othersLast(candidates: readonly Candidate[]): readonly Candidate[] {
  const ordered = candidates.some(isBeside)
    ? [...candidates.filter((one) => !isBeside(one)), ...candidates.filter(isBeside)]
    : candidates;
  const own = ordered.filter((one) => isTokenSend(one) || isApproval(one));
  if (own.length === 0) return ordered;
  const sent = own.some(isTokenSend);
  const foreign = new Set(
    ordered.filter((one) => {
      if (one.rule.control) return one.foreign;
      return one.rule.actsFor === null ? isUntied(one, sent) : !own.some((act) => sharesEvidence(one, act));
    }),
  );
  return foreign.size === 0 ? ordered : [...ordered.filter((one) => !foreign.has(one)), ...foreign];
}

function isBeside({ rule, foreign, context }: Candidate): boolean {
  return rule.control && (foreign || context.tx.status === "reverted");
}

/** Nothing but the called token moved. */
function isTokenSend(one: Candidate): boolean {
  const { context, movements } = one;
  return (
    isOwnCall(one, "transfer") &&
    movements.length > 0 &&
    movements.every((index) => context.tx.movements[index]?.token === context.call?.to)
  );
}

function isApproval(one: Candidate): boolean {
  return isOwnCall(one, "approval") && one.context.log?.address === one.context.call?.to;
}

function isOwnCall({ rule, alone }: Candidate, tier: TierName): boolean {
  return alone && rule.tier === tierRank(tier) && rule.actsFor === null && !rule.yields;
}

/** Names nobody, and nothing of the subject is bound. `sent`: its own call explains its balance changes. */
function isUntied({ rule, context, movements }: Candidate, sent: boolean): boolean {
  if (rule.anchor.kind === "none")
    return sent && rule.legs.length > 0 && !context.legs.some((move) => isOf(context, move));
  if (rule.anchor.kind !== "event" || rule.anchor.companion !== null || rule.who.length > 0) return false;
  const bound = sent ? context.legs : movements.map((index) => context.tx.movements[index]);
  return !bound.some((move) => isOf(context, move));
}

function isOf({ subject }: MatchContext, move: Movement | null | undefined): boolean {
  return move?.from === subject || move?.to === subject;
}

function sharesEvidence(one: Candidate, other: Candidate): boolean {
  const shares = (a: readonly number[], b: readonly number[]) => a.some((index) => b.includes(index));
  return shares(one.logs, other.logs) || shares(one.calls, other.calls) || shares(one.movements, other.movements);
}
