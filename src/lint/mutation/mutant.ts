import type { Candidate } from "../../match/candidate.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Trial, TrialWorld } from "../trial.ts";

/** Ways to forge a case, and what each one is. */
export const mutationKinds = {
  "foreign-emitter": "the rule's events, calls or parties come from an untrusted contract",
  "swapped-sides": "what moved goes the other way",
  "zeroed-amount": "nothing moved but the transfer is stated",
  "dropped-leg": "a movement is missing",
  "third-party": "the rule's logs, between other accounts, inside somebody's plain transfer",
  "forged-operation": "somebody else sends it and an untrusted contract's event names the subject",
} as const;

export type MutationKind = keyof typeof mutationKinds;

/** One forged case: whoever still reads the rule's meaning into it is deceived. */
export interface Mutant {
  kind: MutationKind;
  /** What was changed, for people. */
  change: string;
  caseFile: CaseFile;
  /** What is wrong with what the rules make of it; null when the forgery had no effect. */
  judge(trial: Trial): string | null;
}

/** An example in which a rule stands. */
export interface Original {
  caseFile: CaseFile;
  trial: Trial;
  candidate: Candidate;
  world: TrialWorld;
}

/** Complains when as many actions of the rule stand as before. */
export function judgeByRule({ trial, candidate }: Original): Mutant["judge"] {
  const count = (actions: readonly Candidate[]) =>
    actions.filter(
      ({ rule, context }) => rule.id === candidate.rule.id && context.subject === candidate.context.subject,
    ).length;
  const before = count(trial.actions);
  return (mutated) => (count(mutated.actions) >= before ? "the rule still stands" : null);
}
