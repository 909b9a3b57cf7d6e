import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import { admits, type GrantTable, readRights } from "../../ruleset/grant-table.ts";
import type { SubjectAct } from "../subject-act.ts";

/** A call that gives a right over tokens, as far as its calldata says. */
export interface CalledGrant {
  /** The contract that was called. */
  to: Address;
  /** Whose right it is to give: the named owner of a permit, else the caller. */
  owner: Address;
  /** The call names the owner: it rests on a signature. */
  signed: boolean;
}

/**
 * Calls of this transaction that give rights over tokens, by the `grants` of the rule files. Of the real call tree where there is
 * one, else of the calldata.
 */
export function findGrantCalls({ tx, calls, ruleset }: Pick<SubjectAct, "tx" | "calls" | "ruleset">): CalledGrant[] {
  const frames = tx.traced
    ? tx.calls.filter((call) => call.ok && call.kind === "call")
    : calls.filter((call) => call.state !== "failed" && !call.delegate);
  return frames.flatMap(({ from, to, input }) => (to === null ? [] : readGrant({ from, to, input }, ruleset.grants)));
}

/** Whether calldata begins with a function of tokens that gives a right. */
export function isGrantCall(input: string, { calls }: GrantTable): boolean {
  return calls.get(input.slice(0, 10))?.some(({ contracts }) => contracts === null) ?? false;
}

function readGrant({ from, to, input }: { from: Address; to: Address; input: Hex }, table: GrantTable): CalledGrant[] {
  const known = table.calls.get(input.slice(0, 10))?.find(({ contracts }) => admits(contracts, to));
  if (known === undefined) return [];
  const signed = known.owner !== null;
  return (readRights(known, input) ?? []).map(({ owner }) => ({ to, owner: owner ?? from, signed }));
}
