import type { AttemptEntry, RuleEntry } from "./rule-document.ts";

/** One attempt in its long form, with the path of the attempt and the path of its calls in the file's rule. */
export interface PlacedAttempt {
  attempt: AttemptEntry;
  path: (string | number)[];
  callPath: (string | number)[];
}

/** All attempts of a rule in their long form; empty when it has none. */
export function attemptsOf({ attempts }: RuleEntry): PlacedAttempt[] {
  if (attempts === undefined) return [];
  const entries = typeof attempts === "string" ? [attempts] : attempts;
  return entries.map((one, i) => {
    const path = typeof attempts === "string" ? ["attempts"] : ["attempts", i];
    if (typeof one === "string") return { attempt: { call: one }, path, callPath: path };
    return { attempt: one, path, callPath: [...path, "call"] };
  });
}

/** Whether a rule has only `attempts`: it has nothing by which an act that succeeded is recognized. */
export function isAttemptOnly(entry: RuleEntry): boolean {
  const { event, call, transfer, flow, legs, where } = entry;
  return entry.attempts !== undefined && [event, call, transfer, flow, legs, where].every((part) => part === undefined);
}
