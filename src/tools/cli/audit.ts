import type { WholeEngine } from "../../engine/engine.ts";
import { auditAnswer } from "../audit/audit.ts";
import { knowledgeOf } from "../audit/known-contracts.ts";
import { readOwnCase } from "./explainer.ts";

/**
 * Audits the answers to case files. Gives one line for each violation, with the file's name in front where there are several files, and
 * status 1 when there is any. Rejects with CaseFileError, or with UsageError for a case of another chain.
 */
export async function auditCases(
  paths: readonly string[],
  engine: WholeEngine,
): Promise<{ text: string; status: 0 | 1 }> {
  const knowledge = knowledgeOf({ ...engine, protocols: engine.catalog.protocols });
  const lines: string[] = [];
  for (const path of paths) {
    const caseFile = await readOwnCase(path);
    const violations = auditAnswer(caseFile, engine.decide(caseFile).explanation, knowledge);
    const place = paths.length > 1 ? `${path}: ` : "";
    lines.push(...violations.map(({ law, sentence }) => `${place}law ${law}: ${sentence}\n`));
  }
  return { text: lines.join(""), status: lines.length === 0 ? 0 : 1 };
}
