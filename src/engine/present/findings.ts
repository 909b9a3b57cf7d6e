import type { MatchContext } from "../../model/match.ts";
import type { Assessment } from "../assess/assess.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import type { Statements } from "../ledger/statements.ts";
import type { Completeness } from "../settle/completeness.ts";
import type { Settled } from "../settle/settle.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { CarriedActs } from "./message/message-findings.ts";

/** Everything that the stages before found out about one transaction. */
export interface Findings extends Pick<SubjectAct, "file" | "tx" | "subject" | "labels" | "ruleset"> {
  unwrapped: Unwrapped;
  settled: Settled;
  completeness: Completeness;
  statements: Statements;
  assessment: Assessment;
  /** For acts whose call holds further calls: what those calls do, by the context of the act. */
  carried: ReadonlyMap<MatchContext, readonly CarriedActs[]>;
}
