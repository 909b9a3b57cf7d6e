import type { Answer } from "../../explain/explain.ts";
import { type Outcome, tell, writeFields } from "../outcome.ts";

/** Puts explanations into outcomes, and counts them. */
export interface Telling {
  /** Written once for each answer, and kept as long as that. */
  answer(answer: Answer): Outcome;
  /** A body that was paid for before, perhaps made by other rules. */
  body(json: string): Outcome;
}

export function createTelling(count: (status: Answer["explanation"]["status"]) => void): Telling {
  const told = new WeakMap<Answer, Outcome>();
  return {
    answer(answer) {
      count(answer.explanation.status);
      const known = told.get(answer);
      if (known !== undefined) return known;
      const plain = tell(answer.explanation.summary, answer.body.toString(), answer.explanation);
      const outcome = { ...plain, ready: writeFields(plain.result) };
      told.set(answer, outcome);
      return outcome;
    },
    body(json) {
      const explanation = JSON.parse(json) as Answer["explanation"];
      count(explanation.status);
      return tell(explanation.summary, json, explanation);
    },
  };
}
