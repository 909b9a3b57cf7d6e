import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";

/** A log of the receipt, lower case. */
export interface EmittedLog {
  /** Position within the receipt. */
  index: number;
  address: Address;
  topics: string[];
  data: string;
}

/** A call that took effect. */
export interface CallStep {
  /** Position in pre-order; the transaction's own call is 0. */
  index: number;
  /** -1 for the transaction's own call. */
  parent: number;
  /** As the tracer names it, upper case. */
  type: string;
  from: Address;
  to: Address;
  value: bigint;
  input: string;
  selector: string;
  /** What the tracer places in this call; empty where it places no logs. */
  emitted: { address: Address; topics: string[]; data: string }[];
}

/** What the case file proves, by its logs, calls and ether transfers. Nothing of it comes from the decoder. */
export interface Facts {
  file: CaseFile;
  sender: Address;
  /** null: the transaction creates a contract. */
  called: Address | null;
  succeeded: boolean;
  logs: EmittedLog[];
  /** In pre-order; the transaction's own call alone where there is no call tree. */
  steps: CallStep[];
  /** Whether `steps` is the real call tree. */
  traced: boolean;
  /** Whether every transfer of ether is known. */
  etherKnown: boolean;
  /** Every movement of value, logs first; empty when the transaction reverted. */
  moves: Move[];
  /** The same by asset. */
  byAsset: ReadonlyMap<string, readonly Move[]>;
  /** Calls by what they emitted: see `keyOfLog`. */
  byLog: ReadonlyMap<string, readonly CallStep[]>;
}

/** An asset: ether, a token, or one id of a collection. */
export interface Holding {
  /** Equal for equal assets. */
  key: string;
  /** null: ether. */
  token: Address | null;
  /** null: no NFT. */
  id: bigint | null;
}

/** Value that went from one account to another. */
export interface Move extends Holding {
  amount: bigint;
  from: Address;
  to: Address;
  /** Position of the log that states it; -1: a transfer of ether. */
  log: number;
}
