import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { SubjectAct } from "../subject-act.ts";

/** EIP-7702. */
export interface Delegation {
  delegate: Address;
  /** null: no signature was recorded. */
  authority: Address | null;
}

/** Clearing a delegation is none. */
export function findDelegations({ tx }: Pick<SubjectAct, "tx">): Delegation[] {
  return tx.authorizations.filter(({ delegate }) => delegate !== zeroAddress);
}
