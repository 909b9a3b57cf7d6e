import { findAskedGrants } from "../../assess/grants/asked-grants.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import type { ActorCall } from "../../model/match.ts";
import type { GrantEvent } from "../../ruleset/grant-table.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";

/** A right that a carried call would give, and whose it is to give. */
export interface CarriedRight extends GivenRight {
  owner: ActorCall["from"];
  /** Who would keep the allowance, where that is not the token itself. */
  manager: GrantEvent | null;
}

/** Rights over tokens that calls ask for, by their calldata alone: the same as a transaction with these calls asks for. */
export function carriedRights(calls: readonly ActorCall[], ruleset: Ruleset): CarriedRight[] {
  return findAskedGrants({ calls, ruleset }).map(({ token, grantee, owner, amount, expiration, manager }) => ({
    ...{ token, spender: grantee, owner, amount, manager },
    endless: amount !== null && (amount >= unlimitedThreshold || amount === manager?.unlimited),
    until: expiration,
    id: null,
  }));
}
