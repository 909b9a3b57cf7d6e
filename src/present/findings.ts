import type { Assessment } from "../assess/assess.ts";
import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { MatchContext } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import type { Completeness } from "../settle/completeness.ts";
import type { Settled } from "../settle/settle.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { CarriedActs } from "./message/message-findings.ts";

/** Everything that the stages before found out about one transaction. */
export interface Findings {
  file: CaseFile;
  ruleset: Ruleset;
  labels: Labels;
  tx: Transaction;
  unwrapped: Unwrapped;
  settled: Settled;
  /** The account whose act is told. */
  subject: Address;
  completeness: Completeness;
  assessment: Assessment;
  /** What the calls do that the calls of acts hold, by the context of the act. */
  carried: ReadonlyMap<MatchContext, readonly CarriedActs[]>;
}
