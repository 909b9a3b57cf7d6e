import type { Address } from "../../kernel/address.ts";
import { distinct } from "../../kernel/lists.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { Candidate } from "../match/candidate.ts";
import { givesRights } from "../unwrap/subject.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { findLosses } from "./losses.ts";
import type { ReachedMoney } from "./reached-money.ts";

interface Standing {
  actions: readonly Candidate[];
  money: ReachedMoney;
}

/**
 * Accounts whose authority was used or whose acts are stated, the subject first. Not several accounts of a bundle, which is stated by their
 * number.
 */
export function principalsOf({ subject, principals, actors }: Unwrapped, actions: readonly Candidate[]): Address[] {
  const isOwn = ({ context }: Candidate) => context.subject === subject;
  if (principals.size === 1 && principals.has(subject) && actions.every(isOwn)) return [subject];
  const bundled = actors.length > 1 ? new Set(actors) : none;
  const single = [...principals].filter((account) => !bundled.has(account));
  return distinct([subject, ...single, ...actions.map(({ context }) => context.subject)]);
}

const none: ReadonlySet<Address> = new Set();

/** Something given without an action, or a right: it keeps the headline. */
function hasStakeUntold({ tx, subject }: Unwrapped, { actions, money }: Standing): boolean {
  const own = distinct([subject, tx.from]);
  if (tx.status === "success" && own.some((account) => givesRights(tx, account))) return true;
  return findLosses(own, { tx, actions, money }).some(({ strangers }) => strangers.length > 0);
}

/** Lost something or gave a right without an act of its own. Submitting others' operations is none. */
export function isOwed(unwrapped: Unwrapped, standing: Standing): boolean {
  if (standing.actions.some((action) => isOwn(action, unwrapped.subject))) return false;
  return hasStakeUntold(unwrapped, standing);
}

/** Where something given or allowed is not stated. */
export function principalFirst(unwrapped: Unwrapped, standing: Standing): Candidate[] {
  if (standing.actions.length < 2) return [...standing.actions];
  const own: Candidate[] = [];
  const others: Candidate[] = [];
  for (const action of standing.actions) (isOwn(action, unwrapped.subject) ? own : others).push(action);
  const inOrder = others.length === 0 || own.length === 0 || !hasStakeUntold(unwrapped, standing);
  return inOrder ? [...standing.actions] : [...own, ...others];
}

function isOwn({ rule, context, foreign }: Candidate, subject: Address): boolean {
  return !foreign && context.subject === subject && rule.tier > tierRank("system");
}
