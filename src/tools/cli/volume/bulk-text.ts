import type { Planned } from "../../bulk/plan.ts";
import type { BulkStatus } from "../../bulk/status.ts";
import { formatFields } from "../../terminal/table.ts";

/** The result of a plan, for people. Ends with a newline. */
export function formatPlanned({ ruleset, jobs, carried, known, revived }: Planned): string {
  return formatFields([
    ["ruleset", ruleset],
    ["planned", `${jobs} ranges`],
    ["carried over", carried === 0 ? "" : `${carried} ranges that no changed rule can be about`],
    ["known", known === 0 ? "" : `${known} ranges are done or planned already`],
    ["tried anew", revived === 0 ? "" : `${revived} ranges that had failed`],
  ]);
}

/** The progress of a ruleset's plans, for people. Ends with a newline. */
export function formatStatus(status: BulkStatus): string {
  const { ruleset, planned, done, active, waiting, failed, blocks, blocksDone, rows, bytes, failures } = status;
  return formatFields([
    ["ruleset", ruleset],
    ["ranges", `${done} of ${planned} done, ${active} worked on, ${waiting} waiting, ${failed} failed`],
    ["blocks", `${blocksDone} of ${blocks}`],
    ["transactions", `${rows}, ${(bytes / 1e6).toFixed(1)} MB`],
    ["trouble", failures.map(({ first, last, message }) => `${first} to ${last}: ${message}`).join("\n")],
  ]);
}
