import type { Address } from "../kernel/address.ts";

/** What a server tells about a contract whose source code is published. The contract's author wrote name and ABI. */
export interface VerifiedContract {
  name: unknown;
  abi: unknown;
  /** What runs behind the contract when it is a proxy. */
  implementation: Address | undefined;
}
