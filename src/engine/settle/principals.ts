import type { Address } from "../../kernel/address.ts";
import { distinct } from "../../kernel/lists.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { Candidate } from "../match/candidate.ts";
import { givesRights } from "../unwrap/subject.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { findLosses } from "./losses.ts";
import type { ReachedMoney } from "./reached-money.ts";

/** What has been settled so far. */
interface Standing {
  actions: readonly Candidate[];
  money: ReachedMoney;
}

/**
 * Accounts whose authority the transaction used, and those whose acts are told. The account that it ran for comes first. The accounts of
 * a bundle are left out where there are several: a bundle is told by their number.
 */
export function principalsOf({ subject, principals, actors }: Unwrapped, actions: readonly Candidate[]): Address[] {
  const isOwn = ({ context }: Candidate) => context.subject === subject;
  if (principals.size === 1 && principals.has(subject) && actions.every(isOwn)) return [subject];
  const bundled = actors.length > 1 ? new Set(actors) : none;
  const single = [...principals].filter((account) => !bundled.has(account));
  return distinct([subject, ...single, ...actions.map(({ context }) => context.subject)]);
}

const none: ReadonlySet<Address> = new Set();

/**
 * Whether the principal or the sender gave something that no action accounts for, or a right over its tokens. Then it keeps the
 * headline.
 */
function hasStakeUntold({ tx, subject }: Unwrapped, { actions, money }: Standing): boolean {
  const own = distinct([subject, tx.from]);
  if (tx.status === "success" && own.some((account) => givesRights(tx, account))) return true;
  return findLosses(own, { tx, actions, money }).some(({ strangers }) => strangers.length > 0);
}

/** Whether the principal lost something or gave a right, and no act of its own stands. To submit others' operations is no act of its own. */
export function isOwed(unwrapped: Unwrapped, standing: Standing): boolean {
  if (standing.actions.some((action) => isOwn(action, unwrapped.subject))) return false;
  return hasStakeUntold(unwrapped, standing);
}

/** Puts the principal's own acts before those of others where the principal gave or allowed something that no action tells. */
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
