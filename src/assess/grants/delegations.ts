import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { SubjectAct } from "../subject-act.ts";

/** An account's code set to a delegate by EIP-7702. */
export interface Delegation {
  delegate: Address;
  /** null when the signature was not recorded. */
  authority: Address | null;
}

/** Delegations of this transaction. Clearing one delegates nothing. */
export function findDelegations({ tx }: Pick<SubjectAct, "tx">): Delegation[] {
  return tx.authorizations.filter(({ delegate }) => delegate !== zeroAddress);
}
