import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";

/** All questions after the first round trip, from one decode of the draft. */
export interface LookupPlan {
  /** For symbol, name, decimals and ERC-165 standard. */
  tokens: Address[];
  /** Proofs that a contract belongs to a protocol. */
  reads: { to: Address; data: Hex }[];
  risk: RiskPlan;
}

export interface RiskPlan {
  /** Code to examine, the most important first, cut to the limit. */
  verify: VerifyQuestion[];
  /** Accounts with earlier acts to read, the subject first. */
  histories: Address[];
  /** For the drainer lists. */
  listed: Address[];
  place: TransactionPlace;
}

export interface VerifyQuestion {
  address: Address;
  /** The called selector, which finds a diamond's facet; null: not called. */
  selector: Hex | null;
  /** May own the address, if that is a Safe; null: not asked. */
  owner: Address | null;
}

/** Only what comes before it is history. */
export interface TransactionPlace {
  hash: Hash;
  from: Address;
  /** null when unknown. */
  nonce: number | null;
  block: number;
  /** null when unknown. */
  index: number | null;
}
