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
