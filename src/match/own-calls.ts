import type { Address } from "../kernel/address.ts";
import type { ActorCall } from "../model/match.ts";
import { allowsSpending, type GrantTable } from "../ruleset/grant-table.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** Innermost calls of the subject. */
export function leavesOf({ calls, subject }: Unwrapped): ActorCall[] {
  return leafCalls(calls).filter((call) => call.actor === subject);
}

/**
 * What the account called in the end: the first call that leaves it. Allowances that it gave on the way only prepare the act,
 * unless there is no other.
 */
export function targetOf(
  leaves: readonly ActorCall[],
  account: Address,
  grants: GrantTable,
): Address | null | undefined {
  let first: ActorCall | undefined;
  for (const call of leaves) {
    if (call.to === account) continue;
    if (!allowsSpending(grants, call.input)) return call.to;
    first ??= call;
  }
  return first?.to;
}

/**
 * Tells whose gifts of ether are all known without a call tree: the sender's by the transaction's value, the subject's where each
 * of its calls ran as the calldata writes it.
 */
export function seesGifts(unwrapped: Unwrapped, leaves: readonly ActorCall[]): (account: Address) => boolean {
  const { tx } = unwrapped;
  const isWritten = ({ state }: ActorCall) => state !== "failed";
  const known = leaves.some(isWritten) && leaves.every((call) => !isWritten(call) || ranAsWritten(call, unwrapped));
  return (account) => (account === tx.from && tx.to !== tx.from) || (account === unwrapped.subject && known);
}

/** The call by which the account was left, around this one or this one itself, is certain; what happens behind it is not the account's. */
function ranAsWritten(call: ActorCall, { calls, subject, certain }: Unwrapped): boolean {
  for (let at: ActorCall | undefined = call; at !== undefined; at = at.parent < 0 ? undefined : calls[at.parent])
    if (at.from === subject && at.to !== subject && !at.delegate && certain.has(at.id)) return true;
  return false;
}
