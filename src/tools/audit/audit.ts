import type { CaseFile } from "../../model/case-file.ts";
import type { Explanation } from "../../model/explanation.ts";
import { findControlChanges } from "./facts/control.ts";
import { lossesOf } from "./facts/losses.ts";
import { findPrincipals } from "./facts/principals.ts";
import { readFacts } from "./facts/read-facts.ts";
import { findRights } from "./facts/rights.ts";
import type { Knowledge } from "./knowledge.ts";
import { auditBalance, tellStatement } from "./laws/balance.ts";
import { auditExamination } from "./laws/examination.ts";
import { auditHeadline, auditLosses } from "./laws/losses.ts";
import { auditNames } from "./laws/names.ts";
import { auditControl, auditDelegations, auditRights } from "./laws/power.ts";
import type { Scene } from "./scene.ts";
import { readTelling } from "./telling.ts";
import type { Violation } from "./violation.ts";

const laws = [
  auditHeadline,
  auditLosses,
  auditNames,
  auditRights,
  auditControl,
  auditDelegations,
  auditExamination,
  auditBalance,
] as const;

/**
 * Judges an answer by the case file alone: counts logs, calls and ether transfers anew and compares the public fields. Violations in the
 * order of the laws; none where the data can show nothing.
 */
export function auditAnswer(file: CaseFile, answer: Explanation, knowledge: Knowledge): Violation[] {
  const scene = readScene(file, answer, knowledge);
  return laws.flatMap((law) => law(scene));
}

/** The statement of each principal, one line for each asset, beside what the summary says of it. */
export function statementLines(file: CaseFile, answer: Explanation, knowledge: Knowledge): string[] {
  return tellStatement(readScene(file, answer, knowledge));
}

function readScene(file: CaseFile, answer: Explanation, knowledge: Knowledge): Scene {
  const facts = readFacts(file, knowledge);
  const principals = findPrincipals(facts, knowledge);
  return {
    facts,
    knowledge,
    principals,
    telling: readTelling(answer, file, knowledge),
    losses: [...principals.keys()].flatMap((account) => lossesOf(account, facts, knowledge)),
    rights: findRights(facts, principals, knowledge),
    controls: findControlChanges(facts, principals, knowledge),
  };
}
