import type { PartFormat } from "../parts/part-writer.ts";
import type { BlockRange } from "./ranges.ts";

/** What a job of pg-boss says. */
export interface RangeJob extends BlockRange {
  format: PartFormat;
  /** Whether call trees are read. */
  traces: boolean;
  /** Whether contracts are asked for their state at the block: tokens, proofs, the price. */
  state: boolean;
}

/** The queue of one ruleset: a worker takes jobs of its own rules alone. */
export function queueOf(ruleset: string): string {
  return `txgloss-${ruleset}`;
}

/** The schema of pg-boss's tables. */
export const jobsSchema = "txgloss_jobs";

/** pg-boss fails a job that was not heard of for so long, and gives it to somebody else. */
export const heartbeatSeconds = 15;

/** Advisory locks. `tables` and `plan`: one at a time. `parts`: shared by who publishes, alone for who sweeps. */
export const locks = { tables: 8_453_101, plan: 8_453_102, parts: 8_453_103 } as const;
