import type { ErrorCode } from "../../kernel/error.ts";

export type ExplanationResult = "success" | "reverted" | ErrorCode;

/** Since the start, for /healthz and /metrics. */
export class ExplanationCounts {
  readonly #counts = new Map<ExplanationResult, number>([
    ["success", 0],
    ["reverted", 0],
  ]);

  add(result: ExplanationResult): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  /** `success`, `reverted`, and error codes. */
  read(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
