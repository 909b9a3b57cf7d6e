import type { Address } from "../kernel/address.ts";
import type { CaseFile, CaseFileV1 } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { AccountView } from "../model/told/account-view.ts";
import { present } from "../present/present.ts";
import { openWords } from "../present/teller/words.ts";
import { presentView } from "../present/view/view.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { findingsOf } from "./decide.ts";

/** Tells what a transaction did to an account. Apart from the engine, so that whoever only decides need not load it. */
export interface ViewEngine {
  /** What the transaction did to one account; null: the account whose act is told. As pure as deciding. */
  view(caseFile: CaseFile | CaseFileV1, account: Address | null): AccountView;
}

export function buildViewEngine(ruleset: Ruleset, labels: Labels): ViewEngine {
  return { view: (caseFile, account) => view(caseFile, account, { ruleset, labels }) };
}

/** As {@link ViewEngine.view}. */
export function view(
  caseFile: CaseFile | CaseFileV1,
  account: Address | null,
  { ruleset, labels }: { ruleset: Ruleset; labels: Labels },
): AccountView {
  const findings = findingsOf(caseFile, ruleset, labels);
  const { explanation } = present(findings);
  return presentView(findings, account ?? findings.subject, { explanation, words: openWords(findings) });
}
