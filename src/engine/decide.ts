import { type Assessment, assess } from "../assess/assess.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import type { Address } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { Matches } from "../match/candidate.ts";
import { match } from "../match/match.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { Transaction } from "../model/transaction.ts";
import { normalize } from "../normalize/normalize.ts";
import { namedTokens } from "../plan/named-tokens.ts";
import { planLookups } from "../plan/plan.ts";
import { planRisk } from "../plan/risk-plan.ts";
import type { Findings } from "../present/findings.ts";
import { present } from "../present/present.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { measureCompleteness } from "../settle/completeness.ts";
import { type Settled, settle } from "../settle/settle.ts";
import { GateKeeper } from "../unwrap/gates.ts";
import { type Unwrapped, unwrap } from "../unwrap/unwrap.ts";
import { assessedAct } from "./assessed-act.ts";

/**
 * Explains one gathered transaction: normalize, unwrap, match, settle, assess, present. Pure: the same case file, rules and labels
 * give the same bytes. No stage changes what an earlier one made.
 */
export function decide(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): Decision {
  return present(findOut(caseFile, ruleset, labels).findings);
}

/** What all stages but the last found out, and what the flags and grants were made of. */
export interface FoundOut {
  findings: Findings;
  act: SubjectAct;
}

export function findOut(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): FoundOut {
  const file = upgradeCase(caseFile);
  const decoded: Decoded = decodeCase(file, ruleset, labels);
  const { settled, subject, act } = decoded;
  const unwrapped = { ...decoded.unwrapped, truncated: [...decoded.unwrapped.truncated, ...decoded.truncated] };
  const completeness = measureCompleteness({ unwrapped, settled, subject });
  const assessment: Assessment = assess(act);
  const { tx } = unwrapped;
  return { findings: { tx, unwrapped, settled, subject, completeness, assessment, file, ruleset, labels }, act };
}

/** What the stages up to settling found out. */
export interface Decoded {
  unwrapped: Unwrapped;
  settled: Settled;
  /** Whose act is told. */
  subject: Address;
  act: SubjectAct;
  /** What matching left out because of a limit. */
  truncated: readonly string[];
}

/** The stages up to settling. */
export function decodeCase(file: CaseFile, ruleset: Ruleset, labels: Labels): Decoded {
  const normalized: Transaction = normalize(file, labels);
  const gates = new GateKeeper(normalized, file);
  const unwrapped: Unwrapped = unwrap(normalized, ruleset, gates);
  const matches: Matches = match(unwrapped, ruleset, gates);
  const settled: Settled = settle(matches, unwrapped, { grants: ruleset.grants, labels });
  const subject = settled.actions[0]?.context.subject ?? unwrapped.subject;
  const act = assessedAct({ file, unwrapped, settled, subject, ruleset, labels });
  return { unwrapped, settled, truncated: matches.truncated, subject, act };
}

/**
 * Everything to look up after the first round trip, from one decode of what it found. Of the addresses whose code could be
 * examined, at most `lookupsMax` are.
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
  const { tokens, reads } = planLookups({
    transaction,
    receipt,
    ruleset,
    labels,
    principals: act.principals,
    involved,
  });
  const named = namedTokens(settled.actions).filter((token) => labels.token(token) === undefined);
  const wanted = [...new Set([...tokens, ...named])].slice(0, limits.tokensMax);
  return { tokens: wanted, reads, risk };
}
