import type { Candidate } from "../../../engine/match/candidate.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { messageForgeries } from "../messages/forged-messages.ts";
import type { Trial } from "../trial.ts";
import type { CaseOutcome, ForgeryWorld } from "./case-outcome.ts";

export const mutationKinds = {
  "foreign-emitter": "the rule's events, calls or parties come from an untrusted contract",
  "swapped-sides": "what moved goes the other way",
  "zeroed-amount": "nothing moved but the transfer is stated",
  "dropped-leg": "a movement is missing",
  "third-party": "the rule's logs, between other accounts, inside somebody's plain transfer",
  "forged-operation": "somebody else sends it and an untrusted contract's event names the subject",
  "diverted-payment": "what the subject gives goes to a stranger",
  "added-theft": "something of the subject's goes to a stranger besides",
  "diverted-proceeds":
    "something of the subject's is destroyed, deposited or sold besides, and a stranger gets what comes for it",
  "taken-proceeds": "what the subject gets goes on to a stranger",
  "added-grant": "the subject allows a stranger to take a token",
  "side-show": "the rule's act happens while somebody else, who sends it, is robbed",
  "other-beneficiary": "what the subject gets goes to a stranger",
  "other-account": "an argument names a stranger where it named the subject, who gets nothing",
  ...messageForgeries,
} as const;

export type MutationKind = keyof typeof mutationKinds;

/** Unless the rule gives a reason (`survives`). Other kinds show where a rule asks for too little. */
export const refusedKinds: readonly MutationKind[] = [
  "foreign-emitter",
  "diverted-payment",
  "added-theft",
  "diverted-proceeds",
  "taken-proceeds",
  "added-grant",
  "side-show",
  "other-beneficiary",
  "other-account",
  ...(Object.keys(messageForgeries) as (keyof typeof messageForgeries)[]),
];

/** A rule that still fits is deceived. */
export interface Mutant {
  kind: MutationKind;
  /** For people. */
  change: string;
  caseFile: CaseFile;
  /** How; null: not deceived. */
  judge(outcome: CaseOutcome): string | null;
}

export interface Original {
  caseFile: CaseFile;
  trial: Trial;
  candidate: Candidate;
  world: ForgeryWorld;
  outcome: CaseOutcome;
}

export function countStanding({ candidate }: Original, { actions }: Trial): number {
  const { rule, context } = candidate;
  return actions.filter((one) => one.rule.id === rule.id && one.context.subject === context.subject).length;
}

/** Deceived when at least as many of its actions remain. */
export function judgeByRule(original: Original): Mutant["judge"] {
  const before = countStanding(original, original.trial);
  return ({ trial }) => (countStanding(original, trial) >= before ? "the rule still stands" : null);
}
