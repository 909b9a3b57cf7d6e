import type { Assessment } from "../assess/assess.ts";
import type { CheckResults } from "../assess/checks.ts";
import type { Finding } from "../assess/finding.ts";
import { checksum } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { RiskEvidence, RiskFinding } from "../model/evidence.ts";
import type { Checks, FlagCode, RiskFlag } from "../model/explanation.ts";
import type { Teller } from "./teller/teller.ts";

/** Flags of one kind that are listed; the evidence has them all. */
const flagsOfKindMax = 10;
const uncheckedMax = 50;
const noteCharsMax = 1_000;

/** Kinds of which each one left out is counted: who may take something, and drainers. */
const countedKinds: ReadonlySet<FlagCode> = new Set(["known_drainer", "unlimited_approval", "approval_for_all"]);

export type ToldFlags = ReturnType<typeof tellFlags>;

/** The flags in words. `cut`: how many of those that must not be missed found no room. */
export function tellFlags(findings: readonly Finding[], teller: Teller) {
  const flags: RiskFlag[] = [];
  let cut = 0;
  if (findings.length === 0) return { flags, cut };
  const counts = new Map<FlagCode, number>();
  for (const { flag, statement } of findings) {
    if (flag === null) continue;
    const nth = (counts.get(flag) ?? 0) + 1;
    counts.set(flag, nth);
    if (nth <= flagsOfKindMax) flags.push({ flag, detail: teller.tell(statement) });
    else if (countedKinds.has(flag)) cut++;
  }
  return { flags, cut };
}

/** How far the checks reached, and why not further. */
export function tellChecks(results: CheckResults, teller: Teller): Checks {
  const { contract_verification, first_interaction, drainer_blacklist, unchecked, notes } = results;
  const note = notes.map((one) => teller.tell(one)).join(" ");
  return {
    contract_verification,
    first_interaction,
    drainer_blacklist,
    unchecked_addresses: unchecked.slice(0, uncheckedMax).map(checksum),
    note: note.slice(0, noteCharsMax) || null,
  };
}

/** What the flags and checks rest on. */
export function presentRiskEvidence(
  { examined, findings }: Assessment,
  { risk }: CaseFile,
  teller: Teller,
): RiskEvidence {
  const { verification = {}, history = {}, drainers } = risk ?? {};
  const lookups = [
    ...Object.entries(verification).map(([address, lookup]) => ({ about: `verification ${address}`, ...lookup })),
    ...Object.entries(history).map(([address, lookup]) => ({ about: `history ${address}`, ...lookup })),
    ...(drainers === undefined ? [] : [{ about: "drainers", ...drainers }]),
  ];
  return {
    examined: examined.slice(0, limits.evidenceMax).map(({ address, roles }) => ({ address, roles: [...roles] })),
    findings: findings.slice(0, limits.evidenceMax).map((finding) => tellFinding(finding, teller)),
    lookups: lookups.map(({ about, status, source, time }) => ({ about, status, source, time })),
  };
}

/** The words take the place of the statement, so that keys keep their order. */
function tellFinding(finding: Finding, teller: Teller): RiskFinding {
  const fields = Object.entries(finding).map(([key, value]) =>
    key === "statement" ? ["detail", teller.tell(finding.statement)] : [key, value],
  );
  return Object.fromEntries(fields) as RiskFinding;
}
