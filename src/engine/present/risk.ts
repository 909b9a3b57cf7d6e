import { checksum } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import { addTo, takeTurns } from "../../kernel/lists.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { RiskEvidence, RiskFinding } from "../../model/evidence.ts";
import type { Checks, FlagCode, RiskFlag } from "../../model/explanation.ts";
import type { Assessment } from "../assess/assess.ts";
import type { CheckResults } from "../assess/checks.ts";
import type { Finding } from "../assess/finding.ts";
import type { Teller } from "./teller/teller.ts";

const uncheckedMax = 50;
const noteCharsMax = 1_000;

export type ToldFlags = ReturnType<typeof tellFlags>;

/**
 * As many as fit. `cut`: the others, which are in the evidence. The first of each kind before any second: a stranger's many tokens push out
 * nothing. `lists`: other lists of the answer.
 */
export function tellFlags(findings: readonly Finding[], teller: Teller, lists: readonly unknown[]) {
  const raised = findings.flatMap(({ flag, statement }) => (flag === null ? [] : [{ flag, statement }]));
  if (raised.length <= alwaysMax)
    return { flags: raised.map(({ flag, statement }): RiskFlag => ({ flag, detail: teller.tell(statement) })), cut: 0 };
  const kinds = new Map<FlagCode, (typeof raised)[number][]>();
  for (const one of raised) addTo(kinds, one.flag, one);
  const told = new Map<object, RiskFlag>();
  let room = limits.answerBytesMax - restBytes - bytesOf(lists);
  for (const one of takeTurns([...kinds.values()])) {
    const flag = { flag: one.flag, detail: teller.tell(one.statement) };
    // The comma.
    room -= bytesOf(flag) + 1;
    if (room < 0) break;
    told.set(one, flag);
  }
  const flags = raised.flatMap((one) => told.get(one) ?? []);
  return { flags, cut: raised.length - flags.length };
}

/** Always fit. */
const alwaysMax = 50;
/** Of an answer, beside flags and its longest lists. */
const restBytes = 24_576;
const encoder = new TextEncoder();

function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** How far each check reached, and why not further. */
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

/** In place, so that keys stay in order. */
function tellFinding(finding: Finding, teller: Teller): RiskFinding {
  const fields = Object.entries(finding).map(([key, value]) =>
    key === "statement" ? ["detail", teller.tell(finding.statement)] : [key, value],
  );
  return Object.fromEntries(fields) as RiskFinding;
}
