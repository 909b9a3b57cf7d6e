import type { CitedFact } from "./cited-fact.ts";

export interface Verdict {
  /** `moved`: elsewhere by now, or changed. `absent`: not there. */
  status: "found" | "moved" | "absent" | "uncheckable";
  /** Empty for `found`. */
  detail: string;
}

export interface CheckedSource extends Verdict {
  fact: CitedFact;
  /** As written, or what was checked on chain. */
  source: string;
}

export const found: Verdict = { status: "found", detail: "" };

const verdict = (status: Verdict["status"]) => (detail: string) => ({ status, detail });

export const uncheckable = verdict("uncheckable");
export const absent = verdict("absent");
export const moved = verdict("moved");
