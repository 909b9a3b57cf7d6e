import { type PartFormat, partFormats } from "../../bulk/parts/part-writer.ts";
import type { PlanOptions } from "../../bulk/plan.ts";
import { UsageError } from "../../terminal/command-table.ts";

type BulkValues = Partial<
  Record<"from" | "to" | "size" | "format" | "retries" | "dir", string> &
    Record<"untraced" | "stateless" | "json", boolean>
>;

export interface BulkWords {
  words: readonly string[];
  options: BulkValues;
  rpcUrls: readonly string[];
}

export type BulkTask =
  | { task: "plan"; plan: PlanOptions; json: boolean }
  | { task: "work" | "parts"; dir: string; rpcUrls: readonly string[]; json: boolean }
  | { task: "status"; json: boolean };

const defaultDir = "bulk";

export type PartsTask = Extract<BulkTask, { dir: string }>;

/** Throws UsageError. */
export function readBulk({ words: [task, ...more], options: values, rpcUrls }: BulkWords): BulkTask {
  const { json = false, dir = defaultDir } = values;
  if (more.length > 0) throw new UsageError(`expected nothing after ${task}, got ${JSON.stringify(more[0])}`);
  if (task === "plan") return { task, plan: readPlan(values), json };
  if (values.from !== undefined || values.to !== undefined) throw new UsageError("--from and --to are for bulk plan");
  if (task === "work" || task === "parts") return { task, dir, rpcUrls, json };
  if (task === "status") return { task, json };
  throw new UsageError("expected plan, work, status or parts after bulk");
}

function readPlan(values: BulkValues): PlanOptions {
  const { from, to, size, format = "ndjson", retries = "10", untraced, stateless } = values;
  if (from === undefined || to === undefined) throw new UsageError("bulk plan needs --from BLOCK and --to BLOCK");
  const first = readNumber("--from", from, 0);
  const last = readNumber("--to", to, 0);
  if (last < first) throw new UsageError(`--to ${last} is before --from ${first}`);
  const wanted = partFormats.find((name) => name === format);
  if (wanted === undefined) throw new UsageError(`--format expects ${partFormats.join(" or ")}`);
  return {
    ...{ first, last, format: wanted satisfies PartFormat, traces: !untraced, state: !stateless },
    size: size === undefined ? null : readNumber("--size", size, 1),
    retries: readNumber("--retries", retries, 0),
  };
}

function readNumber(name: string, text: string, least: number): number {
  const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) throw new UsageError(`${name} expects a whole number from ${least}`);
  return value;
}
