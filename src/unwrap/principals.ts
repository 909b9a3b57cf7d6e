import type { Address } from "../kernel/address.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import type { GateKeeper } from "./gates.ts";
import { namedBy } from "./subject.ts";

/**
 * Whose authority a transaction used: its sender and the subject, who signed an EIP-7702 authorization, accounts that a known
 * contract's event names as acting or as having signed, and those that the call tree shows to run the code of known accounts. What a
 * stranger says makes nobody else a principal.
 */
export function provenPrincipals({ tx, subject, ruleset, gates, named }: Found): Set<Address> {
  const authorities = tx.authorizations.flatMap(({ authority }) => authority ?? []);
  const signers = namedBy(ruleset.signers, { tx, gates });
  return new Set([tx.from, subject, ...authorities, ...named, ...signers, ...knownAccounts(tx, ruleset)]);
}

interface Found {
  tx: Transaction;
  subject: Address;
  ruleset: Ruleset;
  gates: GateKeeper;
  /** Accounts that events of known contracts name. */
  named: readonly Address[];
}

/**
 * Accounts whose proxy passes a call on, unchanged, to the code of known accounts, and that write the logs which these write when they act.
 */
function knownAccounts({ traced, calls, logs }: Transaction, { accounts }: Ruleset): Address[] {
  const found = logs.flatMap(({ address, topics: [topic] }) => (accounts.acts.has(topic ?? "") ? [address] : []));
  if (!traced) return found;
  for (const { kind, ok, from, to, input, parent } of calls) {
    const known = kind === "delegatecall" && ok && to !== null && accounts.code.has(to);
    if (known && calls[parent]?.to === from && calls[parent]?.input === input) found.push(from);
  }
  return found;
}
