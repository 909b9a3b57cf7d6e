import { limits } from "../../kernel/limits.ts";
import { distinct } from "../../kernel/lists.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import { namedTokens } from "./named-tokens.ts";
import { distinctReads, noteReads, planReads } from "./plan.ts";
import { planRisk } from "./risk-plan.ts";

/** `actions`: with those of calls inside. */
interface PlannedCase {
  file: CaseFile;
  act: SubjectAct;
  actions: Parameters<typeof namedTokens>[0];
}

/** Source code of at most `lookupsMax` addresses. */
export function planCase(
  { file, act, actions }: PlannedCase,
  { ruleset, labels }: { ruleset: Ruleset; labels: Labels },
  lookupsMax: number,
): LookupPlan {
  const { transaction, receipt } = file;
  const risk = planRisk(act, lookupsMax);
  const involved = new Set(risk.listed);
  const input = { transaction, receipt, ruleset, labels, principals: act.principals, involved };
  const { tokens, reads } = planReads(input);
  const named = namedTokens(actions);
  const unlisted = named.filter((token) => labels.token(token) === undefined);
  const wanted = distinct([...tokens, ...unlisted]).slice(0, limits.tokensMax);
  const noted = file.simulation === undefined ? [] : noteReads(input, named);
  return { tokens: wanted, reads: distinctReads([...reads, ...noted]), risk };
}
