import type { CitedFact } from "./cited-fact.ts";

/** What came of looking one source up, or of one check on chain. */
export interface Verdict {
  /** `moved`: it is somewhere else by now, or changed. `absent`: it is not there. */
  status: "found" | "moved" | "absent" | "uncheckable";
  /** Where it is now, or why it could not be told; empty where it was found as stated. */
  detail: string;
}

export interface CheckedSource extends Verdict {
  fact: CitedFact;
  /** The source as it is written, or what was asked on chain. */
  source: string;
}

export const found: Verdict = { status: "found", detail: "" };

const verdict = (status: Verdict["status"]) => (detail: string) => ({ status, detail });

export const uncheckable = verdict("uncheckable");
export const absent = verdict("absent");
export const moved = verdict("moved");
