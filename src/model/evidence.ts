import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { FlagCode } from "./explanation.ts";

/**
 * How an explanation was reached; `explain --why` prints it. Addresses are lower case. Logs are numbered by their position in the receipt,
 * calls by their `id`, movements by their position in the transaction.
 */
export interface Evidence {
  /** Hash of rules, labels and engine version. */
  ruleset: string;
  /** The account whose act is told. */
  subject: Address;
  /**
   * Unwrapped calls. `via`: the unwrapper that found the call; null for the transaction's own call. `step`: the name of the step, where the
   * call is a step of a router's program. `state`: `executed`, `asserted` (the calldata says so and nothing contradicts it), `failed`, or
   * `opaque` (not readable).
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
  /**
   * When the block was made, in Unix milliseconds; only where several blocks share one second of the answer's `timestamp`. Blocks come at
   * fixed times, so it follows from the block number.
   */
  timestamp_ms?: number;
  /**
   * With which apps, wallets and services calls say they were sent (ERC-8021); only where one does. Anybody may append this to a call, so
   * it proves nothing.
   */
  attribution?: EvidenceAttribution[];
  /** Paths in this evidence of texts that strangers chose; only where there are any. */
  untrusted_fields?: string[];
  /** Actions that stand, the headline first. */
  actions: EvidenceAction[];
  /** Rules that fit but lost their evidence, with the rule that won it. */
  superseded: { rule: string; by: string; reason: string }[];
  /** Movements of the subject's assets that no action claimed. `amount`: base units of the token; wei where `token` is null. */
  unexplained: { movement: number; token: Address | null; amount: string; from: Address; to: Address }[];
  /** Innermost calls of the subject that belong to no action. */
  unexplained_calls: { call: number; to: Address | null; selector: string }[];
  /** Logs that no action claimed, without those that report movements. */
  unclaimed_logs: { log: number; address: Address; topic0: Hex | null }[];
  /** How many of the subject's movements and innermost calls are explained. */
  completeness: { movements: { explained: number; total: number }; calls: { explained: number; total: number } };
  /** Why `partial` is true; empty when it is false. */
  partial: string[];
  risk: RiskEvidence;
}

/** `registry`: where the code is registered; null: in the canonical registry. `left_out`: the number of codes that are not shown. */
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

/** What flags and checks are based on. */
export interface RiskEvidence {
  /** Examined addresses, in the order of examination. */
  examined: { address: Address; roles: string[] }[];
  findings: RiskFinding[];
  /** Answers of the lookups, with their time. */
  lookups: { about: string; status: string; source: string; time: string }[];
}

/** A finding about an address. `flag` is null where the evidence is not enough for a flag. */
export interface RiskFinding {
  flag: FlagCode | null;
  detail: string;
  address: Address | null;
  role: string | null;
  /** The kind of evidence, such as `sentinel`, `implementation` or `event_only`. */
  basis: string;
  /** The evidence, such as `log 3`, `call 0` or `lookup verification`. */
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
