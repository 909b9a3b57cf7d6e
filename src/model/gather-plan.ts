import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";

/** What the second round trip asks for: computed from the first one's answer by the decoder, fetched by the chain sources. */
export interface GatherPlan {
  /** Token contracts whose symbol, name, decimals and ERC-165 standard are wanted. */
  tokens: Address[];
  /** Reads that prove membership of a contract in a protocol. */
  reads: { to: Address; data: Hex }[];
}
