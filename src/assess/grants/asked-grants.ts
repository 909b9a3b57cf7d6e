import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import { admits, type GrantCall, type GrantTable } from "../../ruleset/grant-table.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Grant } from "./grants.ts";

/**
 * Rights that a transaction asks to give which nobody ran: by its calldata alone, with the calls inside of wrappers. Whose they are
 * makes no difference here, so none stays untold.
 */
export function findAskedGrants({ calls, ruleset }: Pick<SubjectAct, "calls" | "ruleset">): Grant[] {
  const grants = new Map<string, Grant>();
  for (const call of calls) {
    const grant = call.delegate || call.to === null ? undefined : readGrant(call, call.to, ruleset.grants);
    if (grant === undefined || grant.grantee === zeroAddress) continue;
    // The last word counts.
    grants.set(`${grant.owner}${grant.kind}${grant.token}${grant.grantee}`, grant);
  }
  return [...grants.values()].filter(({ stands }) => stands);
}

function readGrant({ id, from, input }: ActorCall, to: Address, table: GrantTable): Grant | undefined {
  const known = table.calls.get(input.slice(0, 10))?.find(({ contracts }) => admits(contracts, to));
  const args = known?.call.read(input);
  if (known === undefined || args === undefined) return undefined;
  const at = <T>(place: number | null, otherwise: T): T => (place === null ? otherwise : (args[place] as T));
  const amount = at<bigint | null>(known.amount, null);
  const given = at<unknown>(known.given, true) !== false;
  const manager = known.token === null ? null : (managerAt(to, table) ?? null);
  return {
    owner: at<Address>(known.owner, from),
    kind: kindOf(known),
    manager,
    token: at<Address>(known.token, to),
    grantee: args[known.spender] as Address,
    // DAI's permit gives all or nothing.
    amount: known.given !== null && known.owner !== null ? largest : amount,
    stands: given && amount !== 0n,
    uncertain: false,
    expiration: at<bigint | null>(known.until, null),
    basis: "call",
    logs: [],
    call: id,
  };
}

const largest = (1n << 256n) - 1n;

/** A right without an amount is one over NFTs, unless its owner is named: then it is a permit of a token. */
function kindOf({ amount, owner, token }: GrantCall): Grant["kind"] {
  if (token !== null) return "managed";
  return amount === null && owner === null ? "operator" : "erc20";
}

function managerAt(contract: Address, { events }: GrantTable) {
  return [...events.values()].flat().find(({ contracts, amount }) => amount !== null && contracts.has(contract));
}
