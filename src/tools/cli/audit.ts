import type { WholeEngine } from "../../engine/engine.ts";
import { auditAnswer, statementLines } from "../audit/audit.ts";
import { knowledgeOf } from "../audit/known-contracts.ts";
import { readOwnCase } from "./explainer.ts";

/**
 * Audits the answers to case files. Gives the sentence, the statement of each principal and one line for each violation, with the file's name in front where there are several files, and
 * status 1 when there is any. Rejects with CaseFileError, or with UsageError for a case of another chain.
 */
export async function auditCases(
  paths: readonly string[],
  engine: WholeEngine,
): Promise<{ text: string; status: 0 | 1 }> {
  const knowledge = knowledgeOf({ ...engine, protocols: engine.catalog.protocols });
  const lines: string[] = [];
  let broken = false;
  for (const path of paths) {
    const caseFile = await readOwnCase(path);
    const { explanation } = engine.decide(caseFile);
    const violations = auditAnswer(caseFile, explanation, knowledge);
    broken ||= violations.length > 0;
    const place = paths.length > 1 ? `${path}: ` : "";
    const told = [explanation.summary, ...statementLines(caseFile, explanation, knowledge).map((line) => `  ${line}`)];
    lines.push(...told.map((line) => `${place}${line}\n`));
    lines.push(...violations.map(({ law, sentence }) => `${place}law ${law}: ${sentence}\n`));
  }
  return { text: lines.join(""), status: broken ? 1 : 0 };
}
