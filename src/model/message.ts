import type { Address } from "../kernel/address.ts";

/** What the domain of EIP-712 typed data says, as far as its type has it; null for what it leaves out. */
export interface SignedDomain {
  name: string | null;
  version: string | null;
  chainId: bigint | null;
  verifyingContract: Address | null;
  salt: string | null;
}
