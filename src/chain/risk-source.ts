import type { CaseFile } from "../model/case-file.ts";
import type { RiskLookups, RiskPlan } from "../model/risk-lookups.ts";
import type { ReadState } from "../model/state-read.ts";

/** Answers what the risk checks ask about a transaction, beside the second round trip. */
export interface RiskSource {
  /** What to ask, by the case as far as the first round trip tells it. Must not throw. */
  plan(draft: CaseFile): RiskPlan;
  /** Must not reject: a lookup without an answer says so. Ends by its own deadline. */
  look(plan: RiskPlan, io: { readState: ReadState; signal: AbortSignal }): Promise<RiskLookups>;
}
