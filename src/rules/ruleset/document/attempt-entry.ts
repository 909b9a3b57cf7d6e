import type { AttemptEntry, RuleEntry } from "./rule-document.ts";

/** Long form; paths of the attempt and of its calls in the file's rule. */
export interface PlacedAttempt {
  attempt: AttemptEntry;
  path: (string | number)[];
  callPath: (string | number)[];
}

export function attemptsOf({ attempts }: RuleEntry): PlacedAttempt[] {
  if (attempts === undefined) return [];
  const entries = typeof attempts === "string" ? [attempts] : attempts;
  return entries.map((one, i) => {
    const path = typeof attempts === "string" ? ["attempts"] : ["attempts", i];
    if (typeof one === "string") return { attempt: { call: one }, path, callPath: path };
    return { attempt: one, path, callPath: [...path, "call"] };
  });
}

/** Nothing recognizes an act that succeeded. */
export function isAttemptOnly(entry: RuleEntry): boolean {
  const { event, call, transfer, flow, legs, where } = entry;
  return entry.attempts !== undefined && [event, call, transfer, flow, legs, where].every((part) => part === undefined);
}
