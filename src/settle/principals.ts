import type { Address } from "../kernel/address.ts";
import type { Candidate } from "../match/candidate.ts";
import { tierRank } from "../ruleset/actions.ts";
import { givesRights } from "../unwrap/subject.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { findLosses } from "./losses.ts";
import type { ReachedMoney } from "./reached-money.ts";

/** What has been settled so far. */
interface Standing {
  actions: readonly Candidate[];
  money: ReachedMoney;
}

/** Whoever's authority the transaction used, the account that it ran for first: its principals, and those whose acts are told. */
export function principalsOf({ subject, principals }: Unwrapped, actions: readonly Candidate[]): Address[] {
  return [...new Set([subject, ...principals, ...actions.map(({ context }) => context.subject)])];
}

/**
 * Whether the principal, or the sender, gave something that no action accounts for, or a right over its tokens: then it does not
 * give up the headline.
 */
export function hasStakeUntold({ tx, subject }: Unwrapped, { actions, money }: Standing): boolean {
  const own = [...new Set([subject, tx.from])];
  if (tx.status === "success" && own.some((account) => givesRights(tx, account))) return true;
  return findLosses(own, { tx, actions, money }).some(({ strangers }) => strangers.length > 0);
}

/** Whether an act of the principal itself stands. To submit others' operations is none. */
export function hasOwnAct({ subject }: Unwrapped, { actions }: Standing): boolean {
  return actions.some((action) => isOwn(action, subject));
}

/** The acts of others, and what was done for them, come after the principal's own where it gave something or allowed something. */
export function principalFirst(actions: Candidate[], { subject }: Unwrapped, untold: boolean): Candidate[] {
  if (!untold) return actions;
  return [
    ...actions.filter((action) => isOwn(action, subject)),
    ...actions.filter((action) => !isOwn(action, subject)),
  ];
}

function isOwn({ rule, context, foreign }: Candidate, subject: Address): boolean {
  return !foreign && context.subject === subject && rule.tier > tierRank("system");
}
