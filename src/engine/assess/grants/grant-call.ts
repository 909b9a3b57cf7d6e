import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { admits, type GrantTable, readRights } from "../../../rules/ruleset/grant-table.ts";
import type { SubjectAct } from "../subject-act.ts";

/** By its calldata. */
export interface CalledGrant {
  to: Address;
  /** The named owner of a permit, else the caller. */
  owner: Address;
  /** The call names the owner: the right rests on his signature. */
  signed: boolean;
}

/** By the `grants` of the rules, from the call tree, or from the calldata where there is none. */
export function findGrantCalls({ tx, calls, ruleset }: Pick<SubjectAct, "tx" | "calls" | "ruleset">): CalledGrant[] {
  const frames = tx.traced
    ? tx.calls.filter((call) => call.ok && call.kind === "call")
    : calls.filter((call) => call.state !== "failed" && !call.delegate);
  return frames.flatMap(({ from, to, input }) => (to === null ? [] : readGrant({ from, to, input }, ruleset.grants)));
}

export function isGrantCall(input: string, { calls }: GrantTable): boolean {
  return calls.get(input.slice(0, 10))?.some(({ contracts }) => contracts === null) ?? false;
}

function readGrant({ from, to, input }: { from: Address; to: Address; input: Hex }, table: GrantTable): CalledGrant[] {
  const known = table.calls.get(input.slice(0, 10))?.find(({ contracts }) => admits(contracts, to));
  if (known === undefined) return [];
  const signed = known.owner !== null;
  return (readRights(known, input) ?? []).map(({ owner }) => ({ to, owner: owner ?? from, signed }));
}
