import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import { readQuantity } from "../../kernel/hex.ts";
import type { SubjectAct } from "../subject-act.ts";
import { recoverAuthority } from "./authority.ts";

/** An account's code set to a delegate by EIP-7702. */
export interface Delegation {
  delegate: Address;
  /** null when the signature was not recorded. */
  authority: Address | null;
}

/** Delegations of this transaction. Clearing one, and one for another chain, delegates nothing; the last of an account stands. */
export function findDelegations({ file }: Pick<SubjectAct, "file">): Delegation[] {
  const found = new Map<string, Delegation>();
  for (const item of file.transaction.authorizationList ?? []) {
    const chain = readQuantity(item.chainId);
    const delegate = readAddress(item.address);
    if (delegate === undefined || (chain !== 0n && chain !== BigInt(file.chain_id))) continue;
    const authority = recoverAuthority(item) ?? null;
    const key = authority ?? `?${found.size}`;
    if (delegate === zeroAddress) found.delete(key);
    else found.set(key, { delegate, authority });
  }
  return [...found.values()];
}
