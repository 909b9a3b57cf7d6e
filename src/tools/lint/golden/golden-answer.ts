import { createHash } from "node:crypto";
import type { Evidence } from "../../../model/evidence.ts";
import type { Explanation } from "../../../model/explanation.ts";

/** Hashes show that the answer changed; the sentence shows how. */
export interface GoldenAnswer {
  /** Example or transaction hash; unique in its file. */
  name: string;
  action: string;
  /** 12 hex digits of the SHA-256. */
  answer: string;
  /** The same, without the hashes of ruleset and rules. */
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

/** One line an answer, fields separated by tabs. */
export function formatGolden(answers: readonly GoldenAnswer[]): string {
  return `${answers.map((answer) => fields.map((field) => answer[field]).join("\t")).join("\n")}\n`;
}

/** Throws Error with the number of a line without five fields. */
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
