import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { FlagCode } from "./explanation.ts";

/**
 * How an explanation was reached (`explain --why`). Lower-case addresses; logs by position in the receipt, calls by `id`, movements by
 * position in the transaction.
 */
export interface Evidence {
  /** Hash of rules, labels and engine version. */
  ruleset: string;
  subject: Address;
  /**
   * Unwrapped calls. `via`: the unwrapper; null for the transaction's own call. `step`: the step of a router's program. `state`:
   * `executed`, `asserted` (the calldata says so, nothing contradicts), `failed`, or `opaque` (not readable).
   */
  calls: {
    id: number;
    via: string | null;
    step: string | null;
    from: Address;
    to: Address | null;
    selector: string;
    state: string;
  }[];
  /** Unix milliseconds, by the block number; only where several blocks share the answer's second. */
  timestamp_ms?: number;
  /** Apps, wallets and services that calls name (ERC-8021). Anybody may append this, so it proves nothing. */
  attribution?: EvidenceAttribution[];
  /** Paths in this evidence of texts that strangers chose. */
  untrusted_fields?: string[];
  /** The headline first. */
  actions: EvidenceAction[];
  /** Fit, but another rule won their evidence. */
  superseded: { rule: string; by: string; reason: string }[];
  /** The subject's, claimed by no action. `amount`: base units; wei where `token` is null. */
  unexplained: { movement: number; token: Address | null; amount: string; from: Address; to: Address }[];
  /** The subject's innermost calls that belong to no action. */
  unexplained_calls: { call: number; to: Address | null; selector: string }[];
  /** Claimed by no action; logs that report movements left out. */
  unclaimed_logs: { log: number; address: Address; topic0: Hex | null }[];
  /** Of the subject's movements and innermost calls. */
  completeness: { movements: { explained: number; total: number }; calls: { explained: number; total: number } };
  /** Why `partial` is true; empty when it is false. */
  partial: string[];
  risk: RiskEvidence;
}

/** `registry`: null: the canonical one. `left_out`: how many codes are not shown. */
export interface EvidenceAttribution {
  call: number;
  schema: number;
  codes: {
    code: string;
    role: "app" | "wallet" | "service" | null;
    registry: { chain_id: number; address: Address } | null;
  }[];
  left_out: number;
}

export interface RiskEvidence {
  /** In the order of examination. */
  examined: { address: Address; roles: string[] }[];
  findings: RiskFinding[];
  lookups: { about: string; status: string; source: string; time: string }[];
}

/** `flag`: null where the evidence is not enough for one. */
export interface RiskFinding {
  flag: FlagCode | null;
  detail: string;
  address: Address | null;
  role: string | null;
  /** Such as `sentinel`, `implementation` or `event_only`. */
  basis: string;
  /** Such as `log 3`, `call 0` or `lookup verification`. */
  evidence: string[];
}

export interface EvidenceAction {
  /** `protocol/rule` */
  rule: string;
  /** Hash of the rule. */
  version: string;
  action: string;
  subject: Address;
  logs: number[];
  calls: number[];
  movements: number[];
}
