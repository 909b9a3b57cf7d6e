import type { Assessment } from "../assess/assess.ts";
import type { CheckResults } from "../assess/checks.ts";
import type { Finding } from "../assess/finding.ts";
import { checksum } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { RiskEvidence, RiskFinding } from "../model/evidence.ts";
import type { Checks, FlagCode, RiskFlag } from "../model/explanation.ts";
import type { Teller } from "./teller/teller.ts";

/** At most this many flags of one kind are listed; the evidence has all of them. */
const flagsOfKindMax = 10;
const uncheckedMax = 50;
const noteCharsMax = 1_000;

/** Kinds that must not be missed: each flag of them that is left out counts as cut. */
const countedKinds: ReadonlySet<FlagCode> = new Set(["known_drainer", "unlimited_approval", "approval_for_all"]);

export type ToldFlags = ReturnType<typeof tellFlags>;

/** The flags in words. `cut`: how many flags of the kinds that must not be missed found no room. */
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

/** How far each check reached, and the reasons where it did not reach everything. */
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

/** The evidence behind flags and checks. */
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

/** The text replaces the statement in its place, so that keys keep their order. */
function tellFinding(finding: Finding, teller: Teller): RiskFinding {
  const fields = Object.entries(finding).map(([key, value]) =>
    key === "statement" ? ["detail", teller.tell(finding.statement)] : [key, value],
  );
  return Object.fromEntries(fields) as RiskFinding;
}
