import type { Intent, IntentDetail } from "./intent.ts";

/** What a call moved, as far as its sentence differs by that. */
export type SentenceKind = "nothing" | "giving" | "getting" | "exchanging";

const endings: Readonly<Record<SentenceKind, string>> = {
  nothing: "",
  giving: ", giving {gives}",
  getting: ", receiving {gets}",
  exchanging: ", giving {gives} and receiving {gets}",
};

/** The sentence of a rule: `call {contract} to deposit into the vault, with amount {field_1}`. */
export function writeSentence(
  { words, sentence }: Intent,
  kind: SentenceKind,
  details: readonly IntentDetail[],
): string {
  const told = details.map(({ label }, i) => `${label} {field_${i + 1}}`).join(" and ");
  const meant =
    details.length > 0 && sentence !== undefined ? sentence : `${words}${told === "" ? "" : `, with ${told}`}`;
  return `call {contract} to ${meant}${endings[kind]}`;
}
