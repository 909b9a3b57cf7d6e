import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { SubjectAct } from "../subject-act.ts";

/** An account that sets its code to a delegate (EIP-7702). */
export interface Delegation {
  delegate: Address;
  /** null when the signature was not recorded. */
  authority: Address | null;
}

/** Delegations of this transaction. Clearing a delegation is none. */
export function findDelegations({ tx }: Pick<SubjectAct, "tx">): Delegation[] {
  return tx.authorizations.filter(({ delegate }) => delegate !== zeroAddress);
}
