import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { ActorCall } from "../../../model/match.ts";
import { admits, type GrantCall, type GrantTable, readRights } from "../../../rules/ruleset/grant-table.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Grant } from "./grants.ts";

/** By the calldata alone, wrapped calls included. Of all owners, so that none is missed. */
export function findAskedGrants({ calls, ruleset }: Pick<SubjectAct, "calls" | "ruleset">): Grant[] {
  const grants = new Map<string, Grant>();
  for (const call of calls) {
    if (call.delegate || call.to === null) continue;
    for (const grant of readGrants(call, call.to, ruleset.grants)) {
      if (grant.grantee === zeroAddress) continue;
      // A later call replaces an earlier one.
      grants.set(`${grant.owner}${grant.kind}${grant.token}${grant.grantee}${call.to}${grant.key}`, grant);
    }
  }
  return [...grants.values()].filter(({ stands }) => stands);
}

function readGrants({ id, from, input }: ActorCall, to: Address, table: GrantTable): Grant[] {
  const known = table.calls.get(input.slice(0, 10))?.find(({ contracts }) => admits(contracts, to));
  if (known === undefined) return [];
  const manager = known.token === null ? null : (managerAt(to, table) ?? null);
  return (readRights(known, input) ?? []).map(({ owner, spender, amount, given, token, until, key }) => ({
    owner: owner ?? from,
    kind: kindOf(known),
    manager,
    token: token ?? to,
    grantee: spender,
    // A permit without an amount, such as DAI's, is unlimited.
    amount: known.amount === null && known.owner !== null ? largest : amount,
    stands: given,
    uncertain: false,
    expiration: until,
    basis: "call",
    logs: [],
    key,
    call: id,
  }));
}

const largest = (1n << 256n) - 1n;

/** Without an amount it is over NFTs, but with a named owner it is a permit of a token. */
function kindOf({ amount, owner, token }: GrantCall): Grant["kind"] {
  if (token !== null) return "managed";
  return amount === null && owner === null ? "operator" : "erc20";
}

function managerAt(contract: Address, { events }: GrantTable) {
  return [...events.values()].flat().find(({ contracts, amount }) => amount !== null && contracts.has(contract));
}
