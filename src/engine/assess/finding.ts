import type { RiskFinding } from "../../model/evidence.ts";
import type { Statement } from "../../rules/ruleset/wording/phrases.ts";

/** A flag or evidence; becomes words in present. */
export interface Finding extends Omit<RiskFinding, "detail"> {
  statement: Statement;
}
