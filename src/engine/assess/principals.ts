import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import { findGrantCalls } from "./grants/grant-call.ts";
import { type Grant, readApproval, readManaged } from "./grants/grants.ts";

interface Sources {
  file: CaseFile;
  tx: Transaction;
  calls: readonly ActorCall[];
  /** Named by genuine wrappers. */
  actors: readonly Address[];
  labels: Labels;
  ruleset: Ruleset;
}

/** Adds accounts of user operations, and owners of permits used at known contracts. */
export function withPermitOwners(known: readonly Address[], sources: Sources): Set<Address> {
  const { labels, actors } = sources;
  const owners = new Set(known);
  for (const actor of actors) owners.add(actor);
  for (const { to, owner, signed } of findGrantCalls(sources)) if (signed && isLabelled(labels, to)) owners.add(owner);
  for (const signer of signersOfRights(sources)) owners.add(signer);
  return owners;
}

/** Others used their right: by a permit, or by code that an account runs for any caller. */
function signersOfRights(sources: Sources): Address[] {
  const { tx, ruleset, labels } = sources;
  const rights = tx.logs.flatMap((log) => {
    const right = readManaged(log, ruleset.grants) ?? readApproval(log);
    return right?.stands && isLabelled(labels, log.address) ? [{ ...right, log }] : [];
  });
  if (rights.length === 0) return [];
  return rights.filter((tx.traced ? seenIn : likelyIn)(sources)).map(({ owner }) => owner);
}

type Right = Pick<Grant, "owner" | "grantee" | "manager"> & { log: Log };

/**
 * By the call tree, who asked the known contract. An owner who asked itself may run code for any caller: it counts, unless the sender
 * called it, it was just made, it is known, or it allowed something to the called or to a well-known contract.
 */
function seenIn({ tx, labels }: Sources): (right: Right) => boolean {
  const { from, to, calls } = tx;
  const own = new Set([from, to, ...calls.map((one) => (one.kind.startsWith("create") ? one.to : one.from + one.to))]);
  return ({ log, owner, grantee }) =>
    (askerOf(log, tx) ?? owner) !== owner ||
    (![owner, grantee].some((one) => isLabelled(labels, one)) &&
      !own.has(owner) &&
      !own.has(`${owner}${grantee}` as Address));
}

/** Without a call tree: no log and no known call of the owner, and a call of an unknown contract. */
function likelyIn({ tx, labels, calls }: Sources): (right: Right) => boolean {
  const called = new Set(leafCalls(calls).map(({ state, to }) => (state === "failed" ? null : to)));
  const isUnseen = [...called].some((to) => to !== null && !isLabelled(labels, to));
  const busy = new Set([...tx.logs.map(({ address }) => address), ...calls.flatMap(({ from, to }) => [from, to])]);
  return ({ log, owner, manager }) =>
    manager === null && !isLabelled(labels, owner) && (isUnseen || called.has(log.address)) && !busy.has(owner);
}

/** Over the contract's own proxy it is one call. */
function askerOf({ call, address }: Log, { calls }: Transaction): Address | undefined {
  let frame = calls[call];
  while (frame?.from === address) frame = calls[frame.parent];
  return frame?.from;
}
