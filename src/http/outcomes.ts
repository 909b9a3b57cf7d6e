import type { ErrorCode } from "../kernel/error.ts";

export type Outcome = "success" | "reverted" | ErrorCode;

/** Counts explanations by outcome since the start; /healthz shows them. */
export class Outcomes {
  readonly #counts = new Map<Outcome, number>([
    ["success", 0],
    ["reverted", 0],
  ]);

  add(outcome: Outcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  /** Outcomes that occurred, and success and reverted always. */
  read(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
