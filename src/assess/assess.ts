import type { Address } from "../kernel/address.ts";
import type { RiskEvidence, RiskFinding } from "../model/evidence.ts";
import type { Checks, FlagCode, RiskFlag } from "../model/explanation.ts";
import { recordChecks } from "./checks.ts";
import { judgeDrainers } from "./drainers.ts";
import { type Examination, examine } from "./examine.ts";
import { judgeFailure } from "./failure.ts";
import { judgeFirstContact } from "./first-contact.ts";
import { judgeAllowances } from "./grants/allowance.ts";
import { judgeOperators } from "./grants/operator-rights.ts";
import { judgePoisoning } from "./poisoning.ts";
import { judgePublishedCode } from "./published-code.ts";
import type { SubjectAct } from "./subject-act.ts";
import { judgeTokenNames } from "./tokens/token-names.ts";

export interface Assessment {
  flags: RiskFlag[];
  checks: Checks;
  /** Tokens whose symbol or name misleads: their text stays out of sentences. */
  suspects: ReadonlySet<Address>;
  /** A sentence of ours for the summary; null when there is nothing to add. */
  remark: string | null;
  evidence(): RiskEvidence;
}

/** Flags and checks of one transaction. Pure: a flag is raised by evidence in the case file, never by the lack of an answer. */
export function assess(act: SubjectAct): Assessment {
  const examination = examine(act);
  const names = judgeTokenNames(tokensOf(act, examination), act);
  const imitations = names.flatMap(({ flag, address }) => (flag === "impersonated_token" && address ? [address] : []));
  const poisoning = judgePoisoning(act, new Set(imitations));
  const findings = [
    ...judgeFailure(act),
    ...judgeDrainers(examination.addresses, act),
    ...judgeAllowances(examination.grants, act),
    ...judgeOperators(examination.grants, act),
    ...names,
    ...judgePublishedCode(examination.withCode, act),
    ...judgeFirstContact(examination.withCode, act),
    ...poisoning.findings,
  ];
  return {
    flags: toFlags(findings),
    checks: recordChecks(examination, act),
    suspects: new Set(names.flatMap(({ address }) => (address === null ? [] : [address]))),
    remark: poisoning.remark,
    evidence: () => toEvidence(examination, findings, act),
  };
}

/** Flags of one kind that are listed; `--why` has them all. */
const flagsOfKindMax = 10;

function toFlags(findings: readonly RiskFinding[]): RiskFlag[] {
  const counts = new Map<FlagCode, number>();
  const flags: RiskFlag[] = [];
  for (const { flag, detail } of findings) {
    if (flag === null) continue;
    const nth = (counts.get(flag) ?? 0) + 1;
    counts.set(flag, nth);
    if (nth <= flagsOfKindMax) flags.push({ flag, detail });
  }
  return flags;
}

/** The subject's first, then whatever else the answer shows. */
function tokensOf({ tx, subject }: SubjectAct, { grants }: Examination): Address[] {
  const moved = [...tx.movements].sort((a, b) => Number(touches(b)) - Number(touches(a)));
  function touches(move: { from: Address; to: Address }): boolean {
    return move.from === subject || move.to === subject;
  }
  return [...new Set([...grants.map(({ token }) => token), ...moved.flatMap(({ token }) => token ?? [])])];
}

function toEvidence({ addresses }: Examination, findings: RiskFinding[], { file }: SubjectAct): RiskEvidence {
  const { verification = {}, history = {}, drainers } = file.risk ?? {};
  const lookups = [
    ...Object.entries(verification).map(([address, lookup]) => ({ about: `verification ${address}`, ...lookup })),
    ...Object.entries(history).map(([address, lookup]) => ({ about: `history ${address}`, ...lookup })),
    ...(drainers === undefined ? [] : [{ about: "drainers", ...drainers }]),
  ];
  return {
    examined: addresses.map(({ address, roles }) => ({ address, roles: [...roles] })),
    findings,
    lookups: lookups.map(({ about, status, source, time }) => ({ about, status, source, time })),
  };
}
