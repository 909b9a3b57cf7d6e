import type { Address } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { GateKeeper } from "./gates.ts";
import { namedBy } from "./subject.ts";

/**
 * The accounts whose authority a transaction used: its sender, the subject, signers of EIP-7702 authorizations, accounts that a known
 * contract's event names as acting or as signers, and accounts that are seen to run the code of known accounts. A claim of a stranger makes
 * nobody else a principal.
 */
export function provenPrincipals({ tx, subject, ruleset, gates, named }: Found): Set<Address> {
  const principals = new Set<Address>().add(tx.from).add(subject);
  for (const { authority } of tx.authorizations) if (authority) principals.add(authority);
  for (const account of named) principals.add(account);
  for (const signer of namedBy(ruleset.signers, { tx, gates })) principals.add(signer);
  for (const account of knownAccounts(tx, ruleset)) principals.add(account);
  return principals;
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
 * Accounts that run the code of known accounts: their proxy passes a call on to it unchanged. Also contracts that write the logs which
 * known accounts write when they act.
 */
function knownAccounts({ traced, calls, logs }: Transaction, { accounts }: Ruleset): Address[] {
  const found: Address[] = [];
  for (const { address, topics } of logs) if (accounts.acts.has(topics[0] ?? "")) found.push(address);
  if (!traced) return found;
  for (const { kind, ok, from, to, input, parent } of calls) {
    const known = kind === "delegatecall" && ok && to !== null && accounts.code.has(to);
    if (known && calls[parent]?.to === from && calls[parent]?.input === input) found.push(from);
  }
  return found;
}
