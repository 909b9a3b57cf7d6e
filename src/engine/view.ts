import type { Address } from "../kernel/address.ts";
import type { CaseFile, CaseFileV1, ViewLookups } from "../model/case-file.ts";
import type { PicturedDecision } from "../model/decision.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Labels } from "../model/label.ts";
import type { AccountView } from "../model/told/account-view.ts";
import type { Ruleset } from "../rules/ruleset/ruleset.ts";
import { findGrants, type Grant } from "./assess/grants/grants.ts";
import { type FoundOut, findOut } from "./decide.ts";
import { gatherPictureFacts } from "./present/picture-facts.ts";
import { present } from "./present/present.ts";
import { shortenerOf } from "./present/teller/short-addresses.ts";
import { openWords } from "./present/teller/words.ts";
import { presentView } from "./present/view/view.ts";

/**
 * Tells what a transaction did to one account, and what a picture of it needs. It is a module of its own, so that a program that only
 * decides need not load it.
 */
export interface ViewEngine {
  /** Explains a case file of any version. */
  decide(caseFile: CaseFile | CaseFileV1): PicturedDecision;
  /** Tells what the transaction did to one account; null means the account whose act is told. Pure. */
  view(caseFile: CaseFile | CaseFileV1, account: Address | null): AccountView;
  /** Like `decide`, but the result can also make views. */
  decideViewed(caseFile: CaseFile | CaseFileV1): DecidedView;
}

/** A ViewedDecision whose `view` answers at once, without a promise. */
interface DecidedView extends PicturedDecision {
  view(account: Address | null, lookups?: ViewLookups): AccountView;
}

/** Makes the engine for views. `ruleset`: the hash that callers see. */
export function buildViewEngine(rules: Ruleset, labels: Labels, ruleset: string): ViewEngine {
  const decideAll = (caseFile: CaseFile | CaseFileV1): DecidedView => {
    const { evidence, ...decided } = decideViewed(caseFile, { ruleset: rules, labels });
    return { ...decided, evidence: () => ({ ...evidence(), ruleset }) };
  };
  return {
    view: (caseFile, account) => view(caseFile, account, { ruleset: rules, labels }),
    decideViewed: decideAll,
    decide(caseFile) {
      const { view: _, ...decided } = decideAll(caseFile);
      return decided;
    },
  };
}

/** See {@link ViewEngine.view}. */
export function view(
  caseFile: CaseFile | CaseFileV1,
  account: Address | null,
  rules: { ruleset: Ruleset; labels: Labels },
): AccountView {
  return decideViewed(caseFile, rules).view(account);
}

/** See {@link ViewEngine.decideViewed}. */
export function decideViewed(
  caseFile: CaseFile | CaseFileV1,
  { ruleset, labels }: { ruleset: Ruleset; labels: Labels },
): DecidedView {
  const found = findOut(caseFile, ruleset, labels);
  const { decision, kept, words } = present(found.findings);
  const { explanation } = decision;
  return {
    ...decision,
    pictureFacts: () => gatherPictureFacts(found.findings, kept, words),
    view: (account, lookups) => viewOf(found, account, { explanation, lookups }),
  };
}

function viewOf(
  { findings: known, act }: FoundOut,
  given: Address | null,
  { explanation, lookups }: { explanation: Explanation; lookups: ViewLookups | undefined },
): AccountView {
  const findings = lookups === undefined ? known : { ...known, file: { ...known.file, view: lookups } };
  const account = given ?? findings.subject;
  const grants = grantsBy(account, { findings, act });
  return presentView(findings, account, { explanation, grants, words: openWords(findings, shortenerOf(findings.tx)) });
}

/** Rights that an account gave, also where it is no principal of the transaction. */
function grantsBy(account: Address, { findings: { tx, assessment }, act }: FoundOut): readonly Grant[] {
  const known = tx.mode === "requested" || act.principals.has(account);
  return known ? assessment.grants : findGrants({ ...act, principals: new Set([account]) });
}
