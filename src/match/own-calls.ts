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
 * The contract that the account called: that of its first innermost call to somebody else. Allowances only prepare an act, so a call that
 * gives one counts only where there is no other.
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
 * Tells of which accounts all ether that they gave is known without a call tree: of the sender by the transaction's value, of the subject
 * where each of its calls ran as the calldata says.
 */
export function seesGifts(unwrapped: Unwrapped, leaves: readonly ActorCall[]): (account: Address) => boolean {
  const { tx } = unwrapped;
  const isWritten = ({ state }: ActorCall) => state !== "failed";
  const known = leaves.some(isWritten) && leaves.every((call) => !isWritten(call) || ranAsWritten(call, unwrapped));
  return (account) => (account === tx.from && tx.to !== tx.from) || (account === unwrapped.subject && known);
}

/** Whether the call by which money left the account certainly ran: this call, or one around it. What happens behind it is not its own. */
function ranAsWritten(call: ActorCall, { calls, subject, certain }: Unwrapped): boolean {
  for (let at: ActorCall | undefined = call; at !== undefined; at = at.parent < 0 ? undefined : calls[at.parent])
    if (at.from === subject && at.to !== subject && !at.delegate && certain.has(at.id)) return true;
  return false;
}
