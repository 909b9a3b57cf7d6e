import type { Address } from "../kernel/address.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import type { GateKeeper } from "./gates.ts";
import { namedByEvents } from "./subject.ts";

/**
 * Whose authority a transaction used: its sender and the subject, who signed an EIP-7702 authorization, accounts that a known
 * contract's event names as acting, and those that the call tree shows to run the code of known accounts. What a stranger says makes
 * nobody a principal.
 */
export function provenPrincipals({ tx, subject, ruleset, gates }: Found): Set<Address> {
  const signers = tx.authorizations.flatMap(({ authority }) => authority ?? []);
  return new Set([
    tx.from,
    subject,
    ...signers,
    ...namedByEvents({ tx, ruleset, gates }),
    ...knownAccounts(tx, ruleset),
  ]);
}

interface Found {
  tx: Transaction;
  subject: Address;
  ruleset: Ruleset;
  gates: GateKeeper;
}

/** Whose proxy hands a call on, as it came, to the code of known accounts. */
function knownAccounts({ traced, calls }: Transaction, { accounts }: Ruleset): Address[] {
  if (!traced) return [];
  return calls.flatMap(({ kind, ok, from, to, input, parent }) => {
    const known = kind === "delegatecall" && ok && to !== null && accounts.code.has(to);
    return known && calls[parent]?.to === from && calls[parent]?.input === input ? [from] : [];
  });
}
