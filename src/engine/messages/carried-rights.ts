import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { ActorCall } from "../../model/match.ts";
import type { GrantEvent } from "../../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { findAskedGrants } from "../assess/grants/asked-grants.ts";
import type { GivenRight } from "../match/messages/signed-offer.ts";

/** A right that a carried call would give, with the account that gives it. */
export interface CarriedRight extends GivenRight {
  owner: ActorCall["from"];
  /** The contract that would keep the allowance, such as Permit2; null: the token itself. */
  manager: GrantEvent | null;
}

/** The rights over tokens that calls ask for, by their calldata alone. A transaction with these calls would ask for the same rights. */
export function carriedRights(calls: readonly ActorCall[], ruleset: Ruleset): CarriedRight[] {
  return findAskedGrants({ calls, ruleset }).map(({ token, grantee, owner, amount, expiration, manager }) => ({
    ...{ token, spender: grantee, owner, amount, manager },
    endless: amount !== null && (amount >= unlimitedThreshold || amount === manager?.unlimited),
    until: expiration,
    id: null,
  }));
}
