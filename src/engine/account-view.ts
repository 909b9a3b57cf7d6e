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
  return presentView(findings, account, { explanation, grants, words: openWords(findings, shortenerOf(findings.tx)) });
}

/** Also of an account that is no principal. */
function grantsBy(account: Address, { findings: { tx, assessment }, act }: FoundOut): readonly Grant[] {
  const known = tx.mode === "requested" || act.principals.has(account);
  return known ? assessment.grants : findGrants({ ...act, principals: new Set([account]) });
}
