import type { ErrorCode } from "../../kernel/error.ts";

/** How a request for an explanation ended. */
export type ExplanationResult = "success" | "reverted" | ErrorCode;

/** Counts requests for explanations since the start of the process, for /healthz and /metrics. */
export class ExplanationCounts {
  readonly #counts = new Map<ExplanationResult, number>([
    ["success", 0],
    ["reverted", 0],
  ]);

  add(result: ExplanationResult): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  /** The counts of `success`, `reverted`, and every error code that occurred. */
  read(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
