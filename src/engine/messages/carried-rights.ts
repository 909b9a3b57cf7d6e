import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { ActorCall } from "../../model/match.ts";
import type { GrantEvent } from "../../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { findAskedGrants } from "../assess/grants/asked-grants.ts";
import type { GivenRight } from "../match/messages/signed-offer.ts";

export interface CarriedRight extends GivenRight {
  owner: ActorCall["from"];
  /** Would hold the allowance, such as Permit2; null: the token itself. */
  manager: GrantEvent | null;
}

/** By calldata alone, like a transaction with these calls. */
export function carriedRights(calls: readonly ActorCall[], ruleset: Ruleset): CarriedRight[] {
  return findAskedGrants({ calls, ruleset }).map(({ token, grantee, owner, amount, expiration, manager }) => ({
    ...{ token, spender: grantee, owner, amount, manager },
    endless: amount !== null && (amount >= unlimitedThreshold || amount === manager?.unlimited),
    until: expiration,
    id: null,
  }));
}
