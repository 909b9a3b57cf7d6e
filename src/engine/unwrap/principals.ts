import type { Address } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { GateKeeper } from "./gates.ts";
import { namedBy } from "./subject.ts";

/**
 * Sender, subject, EIP-7702 signers, accounts named by known contracts' events, and those seen to run known account code. A stranger's
 * claim proves nothing.
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
  /** By events of known contracts. */
  named: readonly Address[];
}

/** A proxy passes a call on unchanged, or its logs are those of known accounts. */
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
