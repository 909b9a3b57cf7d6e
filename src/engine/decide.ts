import { limits } from "../kernel/limits.ts";
import { distinct } from "../kernel/lists.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Ruleset } from "../rules/ruleset/ruleset.ts";
import { type Assessment, assess } from "./assess/assess.ts";
import type { SubjectAct } from "./assess/subject-act.ts";
import { carriedBy } from "./carried-acts.ts";
import { type Decoded, decodeCase } from "./decode-case.ts";
import { namedTokens } from "./plan/named-tokens.ts";
import { distinctReads, noteReads, planLookups } from "./plan/plan.ts";
import { planRisk } from "./plan/risk-plan.ts";
import type { Findings } from "./present/findings.ts";
import { present } from "./present/present.ts";
import { measureCompleteness } from "./settle/completeness.ts";
import type { Unwrapped } from "./unwrap/unwrap.ts";

/**
 * Explains one gathered transaction: normalize, unwrap, match, settle, assess, present. Pure: the same case file, rules and labels give the
 * same bytes. No stage changes the result of an earlier one.
 */
export function decide(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): Decision {
  return present(findOut(caseFile, ruleset, labels).findings).decision;
}

/** What all stages before `present` found out. `act`: what flags and grants were made from. */
export interface FoundOut {
  findings: Findings;
  act: SubjectAct;
}

/** Runs all stages before `present` on a case file of any version. Pure. */
export function findOut(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): FoundOut {
  const file = upgradeCase(caseFile);
  const decoded: Decoded = decodeCase(file, ruleset, labels);
  const { settled, subject, act } = decoded;
  const unwrapped = withTruncated(decoded);
  const completeness = measureCompleteness({ unwrapped, settled, subject });
  const assessment: Assessment = assess(act);
  const carried = carriedBy(settled.actions, file, { ruleset, labels });
  const { tx } = unwrapped;
  return {
    findings: { tx, unwrapped, settled, subject, completeness, assessment, carried, file, ruleset, labels },
    act,
  };
}

/** The unwrapped transaction, with notes of everything that limits left out. */
function withTruncated({ unwrapped, truncated }: Decoded): Unwrapped {
  if (truncated.length === 0) return unwrapped;
  return { ...unwrapped, truncated: [...unwrapped.truncated, ...truncated] };
}

/**
 * Plans all lookups after the first round trip, from one decode of the draft. Source code is looked up for at most `lookupsMax` addresses.
 */
export function plan(
  draft: CaseFile | CaseFileV1,
  { ruleset, labels, lookupsMax }: { ruleset: Ruleset; labels: Labels; lookupsMax: number },
): LookupPlan {
  const file = upgradeCase(draft);
  const { settled, act } = decodeCase(file, ruleset, labels);
  const { transaction, receipt } = file;
  const risk = planRisk(act, lookupsMax);
  const involved = new Set(risk.listed);
  const input = { transaction, receipt, ruleset, labels, principals: act.principals, involved };
  const { tokens, reads } = planLookups(input);
  const inner = [...carriedBy(settled.actions, file, { ruleset, labels }).values()].flat();
  const told = [...settled.actions, ...inner.flatMap(({ actions }) => actions)];
  const named = namedTokens(told);
  const unlisted = named.filter((token) => labels.token(token) === undefined);
  const wanted = distinct([...tokens, ...unlisted]).slice(0, limits.tokensMax);
  const noted = file.simulation === undefined ? [] : noteReads(input, named);
  return { tokens: wanted, reads: distinctReads([...reads, ...noted]), risk };
}
