import { createHash } from "node:crypto";
import type { Evidence } from "../../model/evidence.ts";
import type { Explanation } from "../../model/explanation.ts";

/** What the golden record keeps of one answer: enough to see that it changed, and its sentence to see how. */
export interface GoldenAnswer {
  /** Name of the example, or hash of the recorded transaction. Unique in its file. */
  name: string;
  action: string;
  /** First 12 hex digits of the SHA-256 of the answer's bytes. */
  answer: string;
  /** The same of its evidence, without the hashes of the rules' own text. */
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

/** A golden file: one line an answer, fields separated by tabs, in the order given. */
export function formatGolden(answers: readonly GoldenAnswer[]): string {
  return `${answers.map((answer) => fields.map((field) => answer[field]).join("\t")).join("\n")}\n`;
}

/** Reads what {@link formatGolden} wrote. Throws Error with the number of a line that is not of that form. */
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
