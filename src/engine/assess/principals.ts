import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import { findGrantCalls } from "./grants/grant-call.ts";
import { type Grant, readApproval, readManaged } from "./grants/grants.ts";

/** What shows whose authority a transaction used. */
interface Sources {
  file: CaseFile;
  tx: Transaction;
  calls: readonly ActorCall[];
  /** Accounts that genuine wrappers name. */
  actors: readonly Address[];
  labels: Labels;
  ruleset: Ruleset;
}

/**
 * Accounts whose authority the transaction used: those found already, the accounts of user operations, and the owners of permits that were
 * handed in at known contracts.
 */
export function withPermitOwners(known: readonly Address[], sources: Sources): Set<Address> {
  const { labels, actors } = sources;
  const owners = new Set(known);
  for (const actor of actors) owners.add(actor);
  for (const { to, owner, signed } of findGrantCalls(sources)) if (signed && isLabelled(labels, to)) owners.add(owner);
  for (const signer of signersOfRights(sources)) owners.add(signer);
  return owners;
}

/** Owners of rights that somebody else handed in, with a permit for example, or took by code that an account runs for whoever calls it. */
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
 * The call tree shows who asked the known contract. An owner who asked itself may run code for whoever calls it: it counts unless it was
 * called by the sender, was just made, is known, or allowed something to whom it calls or everybody knows.
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

/** Without a call tree, it is an owner who wrote no log and made no known call, where a contract was called that nobody knows. */
function likelyIn({ tx, labels, calls }: Sources): (right: Right) => boolean {
  const called = new Set(leafCalls(calls).map(({ state, to }) => (state === "failed" ? null : to)));
  const isUnseen = [...called].some((to) => to !== null && !isLabelled(labels, to));
  const busy = new Set([...tx.logs.map(({ address }) => address), ...calls.flatMap(({ from, to }) => [from, to])]);
  return ({ log, owner, manager }) =>
    manager === null && !isLabelled(labels, owner) && (isUnseen || called.has(log.address)) && !busy.has(owner);
}

/** Who called the contract that wrote a log. A call over the contract's own proxy counts as one. */
function askerOf({ call, address }: Log, { calls }: Transaction): Address | undefined {
  let frame = calls[call];
  while (frame?.from === address) frame = calls[frame.parent];
  return frame?.from;
}
