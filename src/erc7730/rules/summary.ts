import type { Intent, IntentDetail } from "./intent.ts";

/** What a call moved, as far as its sentence differs by that; `attempt` is a reverted call. */
export type SentenceKind = "nothing" | "giving" | "getting" | "exchanging" | "attempt";

const endings: Readonly<Record<SentenceKind, string>> = {
  nothing: "",
  giving: ", giving {gives}",
  getting: ", receiving {gets}",
  exchanging: ", giving {gives} and receiving {gets}",
  attempt: "",
};

/** The sentence of a rule: `{subject} called {contract} to deposit into the vault, with amount {field_1}`. */
export function writeSummary(
  { words, sentence }: Intent,
  kind: SentenceKind,
  details: readonly IntentDetail[],
): string {
  const act = kind === "attempt" ? "tried to call" : "called";
  const told = details.map(({ label }, i) => `${label} {field_${i + 1}}`).join(" and ");
  const meant =
    details.length > 0 && sentence !== undefined ? sentence : `${words}${told === "" ? "" : `, with ${told}`}`;
  return `{subject} ${act} {contract} to ${meant}${endings[kind]}`;
}
