import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";

/** All questions after the first round trip. The plan is made from one decode of the draft. */
export interface LookupPlan {
  /** Tokens whose symbol, name, decimals and ERC-165 standard are asked for. */
  tokens: Address[];
  /** Reads that prove that a contract belongs to a protocol. */
  reads: { to: Address; data: Hex }[];
  /** What the risk checks ask for. */
  risk: RiskPlan;
}

/** What the risk checks ask for about one transaction. */
export interface RiskPlan {
  /** Addresses whose code is examined, the most important first; cut to the limit already. */
  verify: VerifyQuestion[];
  /** Accounts whose earlier acts are asked for, the subject first. */
  histories: Address[];
  /** Every address that is looked for in the drainer lists. */
  listed: Address[];
  place: TransactionPlace;
}

export interface VerifyQuestion {
  address: Address;
  /** The selector that was called there, which finds the facet of a diamond; null when the address was not called. */
  selector: Hex | null;
  /** An account that may own the address, if that is a Safe; null: not asked. */
  owner: Address | null;
}

/** The place of the transaction in the chain. Only what comes before it is history. */
export interface TransactionPlace {
  hash: Hash;
  from: Address;
  /** null when unknown. */
  nonce: number | null;
  block: number;
  /** null when unknown. */
  index: number | null;
}
