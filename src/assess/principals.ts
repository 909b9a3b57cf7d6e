import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import { isLabelled, type Labels } from "../model/label.ts";
import type { ActorCall } from "../model/match.ts";
import type { Log, Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import { findGrantCalls } from "./grants/grant-call.ts";
import { readApproval, readManaged } from "./grants/grants.ts";

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

/**
 * Owners of rights that somebody else handed in, with a permit for example. The call tree shows who asked the known contract. Without one,
 * it is an owner who wrote no log and made no known call, where a contract was called that nobody knows.
 */
function signersOfRights({ tx, ruleset, labels, calls }: Sources): Address[] {
  const isKnown = (address: Address) => isLabelled(labels, address);
  let called: Set<Address> | undefined;
  let isUnseen: boolean | undefined;
  let busy: Set<Address | null> | undefined;
  const mayHandIn = (token: Address) => {
    called ??= new Set(leafCalls(calls).flatMap(({ state, to }) => (state === "failed" || to === null ? [] : [to])));
    isUnseen ??= [...called].some((to) => !isKnown(to));
    return isUnseen || called.has(token);
  };
  const isBusy = (owner: Address) => {
    busy ??= new Set([...tx.logs.map(({ address }) => address), ...calls.flatMap(({ from, to }) => [from, to])]);
    return busy.has(owner);
  };
  const signers: Address[] = [];
  for (const log of tx.logs) {
    const right = readManaged(log, ruleset.grants) ?? readApproval(log);
    if (!right?.stands || !isKnown(log.address)) continue;
    const { owner, manager } = right;
    const isSigned = tx.traced
      ? (askerOf(log, tx) ?? owner) !== owner
      : manager === null && !isKnown(owner) && mayHandIn(log.address) && !isBusy(owner);
    if (isSigned) signers.push(owner);
  }
  return signers;
}

/** Who called the contract that wrote a log. A call over the contract's own proxy counts as one. */
function askerOf({ call, address }: Log, { calls }: Transaction): Address | undefined {
  let frame = calls[call];
  while (frame?.from === address) frame = calls[frame.parent];
  return frame?.from;
}
