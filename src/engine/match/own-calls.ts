import type { Address } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import { allowsSpending, type GrantTable } from "../../rules/ruleset/grant-table.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** Innermost. */
export function leavesOf({ calls, subject }: Unwrapped): ActorCall[] {
  return leafCalls(calls).filter((call) => call.actor === subject);
}

/** Target of the first innermost call to somebody else. An allowance prepares an act, so it counts only where there is no other call. */
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

/** Without a call tree, all ether given is known for the sender (the value), and for the subject if each call ran as its calldata says. */
export function seesGifts(unwrapped: Unwrapped, leaves: readonly ActorCall[]): (account: Address) => boolean {
  const { tx } = unwrapped;
  const isWritten = ({ state }: ActorCall) => state !== "failed";
  const known = leaves.some(isWritten) && leaves.every((call) => !isWritten(call) || ranAsWritten(call, unwrapped));
  return (account) => (account === tx.from && tx.to !== tx.from) || (account === unwrapped.subject && known);
}

/** This call, or one around it, certainly ran. What happens inside is not the account's own. */
function ranAsWritten(call: ActorCall, { calls, subject, certain }: Unwrapped): boolean {
  for (let at: ActorCall | undefined = call; at !== undefined; at = at.parent < 0 ? undefined : calls[at.parent])
    if (at.from === subject && at.to !== subject && !at.delegate && certain.has(at.id)) return true;
  return false;
}
