import type { RiskFinding } from "../../model/evidence.ts";
import type { Statement } from "../../rules/ruleset/wording/phrases.ts";

/** A finding: a flag or evidence, with its statement. It becomes words in present. */
export interface Finding extends Omit<RiskFinding, "detail"> {
  statement: Statement;
}
