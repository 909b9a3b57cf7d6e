import { compareAmounts } from "../kernel/amount.ts";
import type { Candidate } from "../match/candidate.ts";
import type { Movement } from "../model/transaction.ts";
import { downstreamOf, giverOf } from "../money/payees.ts";

/** What an act is compared by. */
type Alike = Pick<Candidate, "rule" | "context">;

/**
 * What an account did once more of the kind and by the protocol of a standing action that tells the money of both: whom it was for is
 * to be told all the same. `passed`: candidates that did not stand because of others. What others paid for is nothing that it did.
 */
export function twinsOf(actions: readonly Candidate[], passed: readonly Candidate[]): Candidate[] {
  if (passed.length === 0) return [];
  const isTold = ({ logs, calls }: Candidate) =>
    actions.some((one) => logs.some((log) => one.logs.includes(log)) || calls.some((call) => one.calls.includes(call)));
  const isTwin = (one: Candidate) => actions.some((action) => isAlike(one, action));
  const twins = passed.filter((one) => one.logs.length + one.calls.length > 0 && isTwin(one) && !isTold(one));
  return twins.filter((one) => paymentFor(one) !== undefined);
}

/** Whether an account did the same by the same protocol. */
export function isAlike({ rule, context }: Alike, other: Alike): boolean {
  if (context.subject !== other.context.subject || rule.action !== other.rule.action) return false;
  return rule.id === other.rule.id || (rule.protocol !== null && rule.protocol === other.rule.protocol);
}

/**
 * What of its account's money came to the contract that tells of an act, since that contract told of the act before it; the most at
 * once. null: not seen; undefined: somebody else paid.
 */
export function paymentFor({ context }: Pick<Candidate, "context">): Movement | null | undefined {
  const { tx, subject, log, legs } = context;
  const own = legs.find((leg) => leg?.from === subject);
  if (own !== undefined && own !== null) return own;
  const topic = log?.topics[0];
  if (log === null || topic === undefined) return null;
  const earlier = context.logsWith(topic).filter((one) => one.address === log.address);
  const since = earlier.findLast(({ index }) => index < log.index)?.index ?? -1;
  const paid = tx.movements.filter((move) => move.to === log.address && move.log > since && move.log < log.index);
  if (paid.length === 0) return null;
  const reached = downstreamOf(tx, [subject]);
  const isOwn = (move: Movement) => move.from === subject || reached.has(giverOf(move));
  return paid.filter(isOwn).sort((a, b) => compareAmounts(b.amount, a.amount))[0];
}
