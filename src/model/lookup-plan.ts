import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";

/** Everything to ask for after the first round trip. It is made from one decode of what that trip found. */
export interface LookupPlan {
  /** Token contracts whose symbol, name, decimals and ERC-165 standard are wanted. */
  tokens: Address[];
  /** Reads that prove that a contract belongs to a protocol. */
  reads: { to: Address; data: Hex }[];
  /** What the risk checks want to know. */
  risk: RiskPlan;
}

/** What the risk checks want to know about one transaction. */
export interface RiskPlan {
  /** Addresses whose code is examined, the most telling first; already cut to the cap. */
  verify: VerifyQuestion[];
  /** Accounts whose earlier acts are wanted, the subject first. */
  histories: Address[];
  /** Every address that is looked for in the drainer lists. */
  listed: Address[];
  place: TransactionPlace;
}

export interface VerifyQuestion {
  address: Address;
  /** Selector that was called there: finds the facet of a diamond. null when the address was not called. */
  selector: Hex | null;
  /** Account that may own the address if it is a Safe; null: not asked. */
  owner: Address | null;
}

/** Where the transaction stands: history is what lies before it. */
export interface TransactionPlace {
  hash: Hash;
  from: Address;
  /** null when unknown. */
  nonce: number | null;
  block: number;
  /** null when unknown. */
  index: number | null;
}
