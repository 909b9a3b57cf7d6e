import type { Address } from "../kernel/address.ts";

/** The domain of EIP-712 typed data; null for fields that its type leaves out. */
export interface SignedDomain {
  name: string | null;
  version: string | null;
  chainId: bigint | null;
  verifyingContract: Address | null;
  salt: string | null;
}
