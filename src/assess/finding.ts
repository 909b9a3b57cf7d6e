import type { RiskFinding } from "../model/evidence.ts";
import type { Statement } from "../ruleset/wording/phrases.ts";

/** Something that was found. How it is told comes later. */
export interface Finding extends Omit<RiskFinding, "detail"> {
  statement: Statement;
}
