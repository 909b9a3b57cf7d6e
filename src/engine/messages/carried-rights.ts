import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { GivenRight } from "../../match/messages/match-message.ts";
import type { ActorCall } from "../../model/match.ts";
import type { GrantCall, GrantTable } from "../../ruleset/grant-table.ts";

/** A right that a carried call would give, and whose it is to give. */
export interface CarriedRight extends GivenRight {
  owner: ActorCall["from"];
}

/** Rights over tokens that calls ask for, by their calldata alone. The last word about a token and a spender counts. */
export function carriedRights(calls: readonly ActorCall[], { calls: known }: GrantTable): CarriedRight[] {
  const rights = new Map<string, CarriedRight | null>();
  for (const { to, from, input, delegate } of calls) {
    // Contracts that keep allowances themselves name the token otherwise.
    const grant = known.get(input.slice(0, 10))?.find(({ contracts }) => contracts === null);
    const args = grant?.call.read(input);
    if (grant === undefined || args === undefined || to === null || delegate) continue;
    const spender = args[grant.spender] as GivenRight["spender"];
    const owner = grant.owner === null ? from : (args[grant.owner] as typeof from);
    const amount = amountOf(grant, args);
    const isTaken = amount === 0n || (grant.given !== null && args[grant.given] === false);
    const right = { token: to, spender, owner, amount, until: null, id: null };
    const endless = amount !== null && amount >= unlimitedThreshold;
    rights.set(`${to}${owner}${spender}`, isTaken ? null : { ...right, endless });
  }
  return [...rights.values()].filter((right) => right !== null);
}

/** A permit without an amount gives all there is; a right of the caller's without one is over NFTs. */
function amountOf({ amount, owner }: GrantCall, args: readonly unknown[]): bigint | null {
  if (amount !== null) return args[amount] as bigint;
  return owner === null ? null : unlimitedThreshold;
}
