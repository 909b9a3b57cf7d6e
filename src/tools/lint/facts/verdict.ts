import type { CitedFact } from "./cited-fact.ts";

/** The result of looking up one source, or of one check on chain. */
export interface Verdict {
  /** `moved`: it is elsewhere by now, or it changed. `absent`: it is not there. */
  status: "found" | "moved" | "absent" | "uncheckable";
  /** Where it is now, or why this is not known; empty for `found`. */
  detail: string;
}

export interface CheckedSource extends Verdict {
  fact: CitedFact;
  /** The source as it is written, or what was checked on chain. */
  source: string;
}

export const found: Verdict = { status: "found", detail: "" };

const verdict = (status: Verdict["status"]) => (detail: string) => ({ status, detail });

export const uncheckable = verdict("uncheckable");
export const absent = verdict("absent");
export const moved = verdict("moved");
