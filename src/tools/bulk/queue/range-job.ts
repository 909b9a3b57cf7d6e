import type { PartFormat } from "../parts/part-writer.ts";
import type { BlockRange } from "./ranges.ts";

export interface RangeJob extends BlockRange {
  format: PartFormat;
  /** Read call trees. */
  traces: boolean;
  /** Ask contracts for token metadata, proofs and the price at the block. */
  state: boolean;
}

/** One queue for each ruleset. */
export function queueOf(ruleset: string): string {
  return `txgloss-${ruleset}`;
}

/** The schema of pg-boss's tables. */
export const jobsSchema = "txgloss_jobs";

/** After so many, pg-boss gives the job to another worker. */
export const heartbeatSeconds = 15;

/** PostgreSQL advisory locks. `tables`, `plan`: exclusive. `parts`: shared for publishing, exclusive for sweeping. */
export const locks = { tables: 8_453_101, plan: 8_453_102, parts: 8_453_103 } as const;
