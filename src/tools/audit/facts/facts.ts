import type { Address } from "../../../kernel/address.ts";
import type { CaseFile } from "../../../model/case-file.ts";

/** A log of the receipt, in lower case. */
export interface EmittedLog {
  /** Position within the receipt. */
  index: number;
  address: Address;
  topics: string[];
  data: string;
}

/** A call that took effect. */
export interface CallStep {
  /** The position in pre-order; the transaction's own call is 0. */
  index: number;
  /** The index of the calling step; -1 for the transaction's own call. */
  parent: number;
  /** The type that the tracer gives, in upper case. */
  type: string;
  from: Address;
  to: Address;
  value: bigint;
  input: string;
  selector: string;
  /** The logs that the tracer places in this call; empty where the tracer places no logs. */
  emitted: { address: Address; topics: string[]; data: string }[];
}

/** What the logs, calls and ether transfers of the case file prove. Nothing here comes from the decoder. */
export interface Facts {
  file: CaseFile;
  sender: Address;
  /** null: the transaction creates a contract. */
  called: Address | null;
  succeeded: boolean;
  logs: EmittedLog[];
  /** In pre-order. Without a call tree, only the transaction's own call. */
  steps: CallStep[];
  /** Whether `steps` is the real call tree. */
  traced: boolean;
  /** Whether every transfer of ether is known. */
  etherKnown: boolean;
  /** Every movement of value, logs first; empty when the transaction reverted. */
  moves: Move[];
  /** The movements by the key of their asset. */
  byAsset: ReadonlyMap<string, readonly Move[]>;
  /** The calls that emitted a log, by `keyOfLog`. */
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
