import type { Address } from "../../kernel/address.ts";
import { distinct } from "../../kernel/lists.ts";
import type { Statement } from "../../rules/ruleset/wording/phrases.ts";
import { type CheckResults, recordChecks } from "./checks.ts";
import { judgeDrainers } from "./drainers.ts";
import { type Examination, type Examined, examine } from "./examined/examine.ts";
import { judgeFailure } from "./failure.ts";
import type { Finding } from "./finding.ts";
import { findUntrusted, judgeFirstContact } from "./first-contact.ts";
import { judgeAllowances } from "./grants/allowance.ts";
import type { Grant } from "./grants/grants.ts";
import { judgeOperators } from "./grants/operator-rights.ts";
import { judgePoisoning } from "./poisoning.ts";
import { judgePublishedCode } from "./published-code.ts";
import type { SubjectAct } from "./subject-act.ts";
import { judgeTokenNames } from "./tokens/token-names.ts";

/** Not yet in words. */
export interface Assessment {
  /** Flags, and evidence too weak for a flag. */
  findings: readonly Finding[];
  checks: CheckResults;
  /** Tokens with a misleading symbol or name; sentences do not show it. */
  suspects: ReadonlySet<Address>;
  /** About address poisoning, to be added to the summary. */
  remark: Statement | null;
  /** The most important first. */
  examined: readonly Examined[];
  /** Of the principals. */
  grants: readonly Grant[];
}

const nobody: ReadonlySet<Address> = new Set();

/** A flag needs evidence in the case file; a missing answer raises none. */
export function assess(act: SubjectAct): Assessment {
  const examination = examine(act);
  const untrusted = findUntrusted(examination.withCode, act);
  const names = judgeTokenNames(tokensOf(act, examination), act);
  const poisoning = judgePoisoning(act, namedIn(names.filter(({ flag }) => flag === "impersonated_token")));
  const findings: Finding[] = [];
  const add = (found: readonly Finding[]): void => {
    for (const one of found) findings.push(one);
  };
  add(judgeFailure(act));
  add(judgeDrainers([...examination.addresses, ...examination.actors], act));
  add(judgeAllowances(examination.grants, act));
  add(judgeOperators(examination.grants, act));
  add(names);
  add(judgePublishedCode(examination.withCode, act));
  add(judgeFirstContact(untrusted, act));
  add(poisoning.findings);
  return {
    findings,
    checks: recordChecks(examination, untrusted, act),
    suspects: namedIn(names),
    remark: poisoning.remark,
    examined: examination.addresses,
    grants: examination.grants,
  };
}

function namedIn(findings: readonly Finding[]): ReadonlySet<Address> {
  return findings.length === 0 ? nobody : new Set(findings.flatMap(({ address }) => address ?? []));
}

/** The subject's first. */
function tokensOf({ tx, subject }: SubjectAct, { grants }: Examination): Address[] {
  if (grants.length + tx.movements.length === 0) return [];
  const own: Address[] = grants.map(({ token }) => token);
  const others: Address[] = [];
  for (const { token, from, to } of tx.movements)
    if (token !== null) (from === subject || to === subject ? own : others).push(token);
  return distinct([...own, ...others]);
}
