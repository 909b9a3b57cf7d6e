import type { Address } from "../../../kernel/address.ts";
import type { CaseFile } from "../../../model/case-file.ts";

/** A log, in lower case. */
export interface EmittedLog {
  /** In the receipt. */
  index: number;
  address: Address;
  topics: string[];
  data: string;
}

/** A call that took effect. */
export interface CallStep {
  /** Pre-order; the transaction's own call is 0. */
  index: number;
  /** -1 for the transaction's own call. */
  parent: number;
  /** Of the tracer, in upper case. */
  type: string;
  from: Address;
  to: Address;
  value: bigint;
  input: string;
  selector: string;
  /** Empty where the tracer places no logs. */
  emitted: { address: Address; topics: string[]; data: string }[];
}

/** What logs, calls and ether transfers prove. Nothing comes from the decoder. */
export interface Facts {
  file: CaseFile;
  sender: Address;
  /** null: creates a contract. */
  called: Address | null;
  succeeded: boolean;
  logs: EmittedLog[];
  /** Pre-order; without a call tree, the transaction's own call. */
  steps: CallStep[];
  /** `steps` is the real call tree. */
  traced: boolean;
  /** Every transfer of ether is known. */
  etherKnown: boolean;
  /** Logs first; empty when the transaction reverted. */
  moves: Move[];
  byAsset: ReadonlyMap<string, readonly Move[]>;
  /** By `keyOfLog`: the calls that emitted it. */
  byLog: ReadonlyMap<string, readonly CallStep[]>;
}

/** Ether, a token, or one id of a collection. */
export interface Holding {
  key: string;
  /** null: ether. */
  token: Address | null;
  /** null: no NFT. */
  id: bigint | null;
}

export interface Move extends Holding {
  amount: bigint;
  from: Address;
  to: Address;
  /** Position of its log; -1: ether. */
  log: number;
}
