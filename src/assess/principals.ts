import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { ActorCall } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import { readGrantLog } from "../ruleset/grant-table.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { findGrantCalls } from "./grants/grant-call.ts";

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
 * Whoever's authority the transaction used: those that were found already, the accounts of user operations, and the owners of
 * permits that were handed in at contracts that are known.
 */
export function withPermitOwners(known: readonly Address[], sources: Sources): Set<Address> {
  const { labels, actors } = sources;
  const owners = new Set(known);
  for (const actor of actors) owners.add(actor);
  for (const { to, owner, signed } of findGrantCalls(sources))
    if (signed && (labels.token(to) !== undefined || labels.name(to) !== undefined)) owners.add(owner);
  for (const signer of signersOfAllowances(sources)) owners.add(signer);
  return owners;
}

/** Owners of allowances that another contract keeps, where the call tree shows that somebody else handed them in. */
function signersOfAllowances({ tx, ruleset }: Sources): Address[] {
  // Without a call tree a log belongs to no call.
  if (!tx.traced) return [];
  const { events } = ruleset.grants;
  const signers: Address[] = [];
  for (const log of tx.logs) {
    const kept = events
      .get(log.topics[0] ?? "")
      ?.find(({ contracts, amount }) => amount !== null && contracts.has(log.address));
    const caller = tx.calls[log.call]?.from;
    if (kept === undefined || caller === undefined) continue;
    const owner = readGrantLog(kept, log)?.owner;
    if (owner !== undefined && owner !== caller) signers.push(owner);
  }
  return signers;
}
