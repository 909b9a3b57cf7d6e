import type { Explanation } from "../../model/explanation.ts";

const kept = ["summary", "action_type", "status", "risk_flags", "checks", "tx_hash", "partial", "provenance"] as const;

/** schemas/short-explanation.schema.json: no lists, all warnings. */
export type ShortExplanation = Pick<Explanation, (typeof kept)[number]>;

export function shortenExplanation(explanation: Explanation): ShortExplanation {
  const { provenance } = explanation;
  const short = Object.fromEntries(kept.map((name) => [name, explanation[name]])) as unknown as ShortExplanation;
  const isKept = (path: string) => (kept as readonly string[]).includes(path.split(/[.[]/, 1)[0] as string);
  return { ...short, provenance: { ...provenance, untrusted_fields: provenance.untrusted_fields.filter(isKept) } };
}
