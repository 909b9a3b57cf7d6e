import { createHash } from "node:crypto";
import type { Evidence } from "../../../model/evidence.ts";
import type { Explanation } from "../../../model/explanation.ts";

/** The entry of one answer in the golden record. Hashes show that the answer changed; the sentence shows how. */
export interface GoldenAnswer {
  /** The name of the example, or the hash of the recorded transaction. Unique in its file. */
  name: string;
  action: string;
  /** First 12 hex digits of the SHA-256 of the answer's bytes. */
  answer: string;
  /** The same for the evidence, without the hashes of the ruleset and the rules. */
  evidence: string;
  summary: string;
}

export function goldenAnswer(name: string, decision: { explanation: Explanation; evidence(): Evidence }): GoldenAnswer {
  const { explanation } = decision;
  const { ruleset: _ruleset, actions, ...evidence } = decision.evidence();
  const stable = { ...evidence, actions: actions.map(({ version: _version, ...action }) => action) };
  return {
    name: oneLine(name),
    action: explanation.action_type,
    answer: hashOf(JSON.stringify(explanation)),
    evidence: hashOf(JSON.stringify(stable)),
    summary: oneLine(explanation.summary),
  };
}

const fields = ["name", "action", "answer", "evidence", "summary"] as const satisfies (keyof GoldenAnswer)[];

/** Writes a golden file: one line for each answer, with fields separated by tabs. */
export function formatGolden(answers: readonly GoldenAnswer[]): string {
  return `${answers.map((answer) => fields.map((field) => answer[field]).join("\t")).join("\n")}\n`;
}

/** Reads a file of {@link formatGolden}. Throws Error with the number of a line that does not have five fields. */
export function parseGolden(text: string): GoldenAnswer[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line, index) => {
    const [name, action, answer, evidence, summary, more] = line.split("\t");
    if (name === undefined || !action || !answer || !evidence || summary === undefined || more !== undefined)
      throw new Error(`line ${index + 1} does not have five fields`);
    return { name, action, answer, evidence, summary };
  });
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function oneLine(text: string): string {
  return text.replace(/[\t\r\n]+/g, " ");
}
