import type { Address } from "../kernel/address.ts";
import type { ViewLookups } from "../model/case-file.ts";
import type { Explanation } from "../model/explanation.ts";
import type { AccountView } from "../model/told/account-view.ts";
import { findGrants, type Grant } from "./assess/grants/grants.ts";
import type { SubjectAct } from "./assess/subject-act.ts";
import type { Findings } from "./present/findings.ts";
import { shortenerOf } from "./present/teller/short-addresses.ts";
import { openWords } from "./present/teller/words.ts";
import { presentView } from "./present/view/view.ts";

/** What the stages found out, and what flags and grants were made from. */
interface FoundOut {
  findings: Findings;
  act: SubjectAct;
}

/**
 * Tells what a decided transaction did to one account; null: the account whose act is told. `lookups` replace those of the case file. Pure.
 */
export function accountView(
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
