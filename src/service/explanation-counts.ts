import type { ErrorCode } from "../kernel/error.ts";

/** How a request for an explanation ended. */
export type ExplanationResult = "success" | "reverted" | ErrorCode;

/** Counts requests for an explanation since the start, for /healthz and /metrics. */
export class ExplanationCounts {
  readonly #counts = new Map<ExplanationResult, number>([
    ["success", 0],
    ["reverted", 0],
  ]);

  add(result: ExplanationResult): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  /** `success`, `reverted`, and every code that occurred. */
  read(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
