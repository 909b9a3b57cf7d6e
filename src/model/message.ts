import type { Address } from "../kernel/address.ts";

/** EIP-712; null for fields that its type leaves out. */
export interface SignedDomain {
  name: string | null;
  version: string | null;
  chainId: bigint | null;
  verifyingContract: Address | null;
  salt: string | null;
}
