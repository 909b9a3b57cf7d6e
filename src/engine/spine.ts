import type { Address } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import { distinct } from "../kernel/lists.ts";
import { type CaseFile, type CaseFileV1, upgradeCase, type ViewLookups } from "../model/case-file.ts";
import type { ViewedDecision } from "../model/decision.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import type { AccountView } from "../model/told/account-view.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../rules/ruleset/ruleset.ts";
import { type Assessment, assess } from "./assess/assess.ts";
import { findGrants, type Grant } from "./assess/grants/grants.ts";
import type { SubjectAct } from "./assess/subject-act.ts";
import { assessedAct, type Decoded } from "./assessed-act.ts";
import { carriedBy } from "./carried-acts.ts";
import { openStatements, type Statements } from "./ledger/statements.ts";
import type { Matches } from "./match/candidate.ts";
import { match } from "./match/match.ts";
import { normalize } from "./normalize/normalize.ts";
import { namedTokens } from "./plan/named-tokens.ts";
import { distinctReads, noteReads, planReads } from "./plan/plan.ts";
import { planRisk } from "./plan/risk-plan.ts";
import type { Findings } from "./present/findings.ts";
import { gatherPictureFacts } from "./present/picture-facts.ts";
import { present } from "./present/present.ts";
import { shortenerOf } from "./present/teller/short-addresses.ts";
import { openWords } from "./present/teller/words.ts";
import { presentView } from "./present/view/view.ts";
import { measureCompleteness } from "./settle/completeness.ts";
import { type Settled, settle } from "./settle/settle.ts";
import { GateKeeper, precompilesIn } from "./unwrap/gates.ts";
import { type Unwrapped, unwrap } from "./unwrap/unwrap.ts";

/** What a case is decided by. */
export interface World {
  ruleset: Ruleset;
  labels: Labels;
}

/** A decided case. What is seldom asked for is made on demand. */
export interface DecidedCase extends ViewedDecision {
  view(account: Address | null, lookups?: ViewLookups): AccountView;
}

/**
 * Explains one gathered transaction: normalize, unwrap, match, settle, assess, present. Pure: the same case file, rules and labels give the
 * same bytes. No stage changes the result of an earlier one.
 */
export function decide(caseFile: CaseFile | CaseFileV1, ruleset: Ruleset, labels: Labels): DecidedCase {
  const file = upgradeCase(caseFile);
  const decoded: Decoded = decodeCase(file, { ruleset, labels });
  const { settled, subject, act } = decoded;
  const unwrapped = withTruncated(decoded);
  const completeness = measureCompleteness({ unwrapped, settled, subject });
  const assessment: Assessment = assess(act);
  const carried = carriedBy(settled.actions, file, (held) => decodeCase(held, { ruleset, labels }));
  const { tx } = unwrapped;
  const statements: Statements = openStatements(unwrapped, settled, { labels, ruleset });
  const findings: Findings = {
    ...{ tx, unwrapped, settled, statements, subject, completeness, assessment, carried },
    ...{ file, ruleset, labels },
  };
  const { decision, kept, words } = present(findings);
  return {
    ...decision,
    pictureFacts: () => gatherPictureFacts(findings, kept, words),
    view: (account, lookups) => accountView({ findings, act }, account, { ...decision, lookups }),
  };
}

/** Runs the stages from `normalize` to `settle`. Pure. */
export function decodeCase(file: CaseFile, { ruleset, labels }: World): Decoded {
  const normalized: Transaction = normalize(file, labels, precompilesIn(file, ruleset));
  const gates = new GateKeeper(normalized, file);
  const unwrapped: Unwrapped = unwrap(normalized, ruleset, gates);
  const matches: Matches = match(unwrapped, ruleset, gates);
  const settled: Settled = settle(matches, unwrapped, { grants: ruleset.grants, labels });
  const subject = settled.actions[0]?.context.subject ?? unwrapped.subject;
  const act = assessedAct({ file, unwrapped, settled, subject, ruleset, labels });
  return { unwrapped, settled, truncated: matches.truncated, subject, act };
}

/**
 * Plans all lookups after the first round trip, from one decode of the draft. Source code is asked for of at most `lookupsMax` addresses.
 */
export function planLookups(draft: CaseFile | CaseFileV1, world: World, lookupsMax: number): LookupPlan {
  const file = upgradeCase(draft);
  const { settled, act } = decodeCase(file, world);
  const inner = [...carriedBy(settled.actions, file, (held) => decodeCase(held, world)).values()].flat();
  const actions = [...settled.actions, ...inner.flatMap((carried) => carried.actions)];
  return planCase({ file, act, actions }, world, lookupsMax);
}

/** The unwrapped transaction, with notes of everything that limits left out. */
function withTruncated({ unwrapped, truncated }: Decoded): Unwrapped {
  if (truncated.length === 0) return unwrapped;
  return { ...unwrapped, truncated: [...unwrapped.truncated, ...truncated] };
}

/** Results of the stages, and the sources of flags and grants. */
interface FoundOut {
  findings: Findings;
  act: SubjectAct;
}

/** What a decided transaction did to one account; null: to the subject of the headline. `lookups` replace those of the case file. */
export function accountView(
  { findings: known, act }: FoundOut,
  given: Address | null,
  { explanation, lookups }: { explanation: Explanation; lookups: ViewLookups | undefined },
): AccountView {
  const findings = lookups === undefined ? known : { ...known, file: { ...known.file, view: lookups } };
  const account = given ?? findings.subject;
  const grants = grantsBy(account, { findings, act });
  return presentView(findings, account, {
    explanation,
    grants,
    words: openWords(findings, shortenerOf(findings.tx, findings.labels)),
  });
}

/** Also of an account that is no principal. */
function grantsBy(account: Address, { findings: { tx, assessment }, act }: FoundOut): readonly Grant[] {
  const known = tx.mode === "requested" || act.principals.has(account);
  return known ? assessment.grants : findGrants({ ...act, principals: new Set([account]) });
}

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
