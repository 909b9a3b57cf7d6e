import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";

/** How an explanation was reached: what `explain --why` prints. */
export interface Evidence {
  ruleset: string;
  subject: Address;
  /** Unwrapped calls: which envelope held what, and whether it ran. */
  calls: { id: number; via: string | null; from: Address; to: Address | null; selector: string; state: string }[];
  /** Actions that stand, the headline first. */
  actions: EvidenceAction[];
  /** Rules that matched and lost, and to whom. */
  superseded: { rule: string; by: string; reason: string }[];
  /** Value-bearing logs and movements of the subject that nobody claimed. */
  unexplained: { movement: number; token: Address | null; amount: string; from: Address; to: Address }[];
  /** Innermost calls of the subject that no action has to do with. */
  unexplained_calls: { call: number; to: Address | null; selector: string }[];
  /** Logs that no action rests on; those that state movements are not among them. */
  unclaimed_logs: { log: number; address: Address; topic0: Hex | null }[];
  /** How many of the subject's movements of value and innermost calls are accounted for. */
  completeness: { movements: { explained: number; total: number }; calls: { explained: number; total: number } };
  /** Why `partial` is true; empty when it is false. */
  partial: string[];
}

export interface EvidenceAction {
  rule: string;
  version: string;
  action: string;
  subject: Address;
  logs: number[];
  calls: number[];
  movements: number[];
}
