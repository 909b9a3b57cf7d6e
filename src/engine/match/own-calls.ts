import type { Address } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import { allowsSpending, type GrantTable } from "../../rules/ruleset/grant-table.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** Innermost calls of the subject. */
export function leavesOf({ calls, subject }: Unwrapped): ActorCall[] {
  return leafCalls(calls).filter((call) => call.actor === subject);
}

/**
 * The contract that the account called: the target of its first innermost call to somebody else. A call that gives an allowance only
 * prepares an act, so it counts only where there is no other.
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
 * Returns a test: whether all ether that an account gave is known without a call tree. It is known for the sender, by the transaction's
 * value, and for the subject if each of its calls ran as its calldata says.
 */
export function seesGifts(unwrapped: Unwrapped, leaves: readonly ActorCall[]): (account: Address) => boolean {
  const { tx } = unwrapped;
  const isWritten = ({ state }: ActorCall) => state !== "failed";
  const known = leaves.some(isWritten) && leaves.every((call) => !isWritten(call) || ranAsWritten(call, unwrapped));
  return (account) => (account === tx.from && tx.to !== tx.from) || (account === unwrapped.subject && known);
}

/**
 * Whether the call by which money left the account certainly ran: this call, or one around it. What happens inside it is not the account's
 * own.
 */
function ranAsWritten(call: ActorCall, { calls, subject, certain }: Unwrapped): boolean {
  for (let at: ActorCall | undefined = call; at !== undefined; at = at.parent < 0 ? undefined : calls[at.parent])
    if (at.from === subject && at.to !== subject && !at.delegate && certain.has(at.id)) return true;
  return false;
}
