import type { PartFormat } from "../parts/part-writer.ts";
import type { BlockRange } from "./ranges.ts";

/** The data of a job. */
export interface RangeJob extends BlockRange {
  format: PartFormat;
  /** Whether call trees are read. */
  traces: boolean;
  /** Whether contracts are asked for their state at the block: token metadata, proofs, the price. */
  state: boolean;
}

/** The queue of one ruleset. A worker takes only jobs of its own ruleset. */
export function queueOf(ruleset: string): string {
  return `txgloss-${ruleset}`;
}

/** The schema of pg-boss's tables. */
export const jobsSchema = "txgloss_jobs";

/** Seconds without a heartbeat after which pg-boss fails a job and gives it to another worker. */
export const heartbeatSeconds = 15;

/** Advisory locks of PostgreSQL. `tables` and `plan`: exclusive. `parts`: shared for publishing, exclusive for sweeping. */
export const locks = { tables: 8_453_101, plan: 8_453_102, parts: 8_453_103 } as const;
