import { type PartFormat, partFormats } from "../../bulk/parts/part-writer.ts";
import type { PlanOptions } from "../../bulk/plan.ts";
import { UsageError } from "../../terminal/command-table.ts";

/** The options of `bulk` as they stand on the command line. */
interface BulkValues {
  from: string | null;
  to: string | null;
  size: string | null;
  format: string | null;
  retries: string | null;
  untraced: boolean;
  stateless: boolean;
  json: boolean;
  dir: string | null;
}

const noValues: BulkValues = {
  ...{ from: null, to: null, size: null, format: null, retries: null, dir: null },
  ...{ untraced: false, stateless: false, json: false },
};

/** What stands behind `bulk` on a command line. */
export interface BulkWords {
  words: readonly string[];
  options: Readonly<Record<string, unknown>>;
  rpcUrls: readonly string[];
}

/** What a command line of `bulk` asks for. */
export type BulkTask =
  | { task: "plan"; plan: PlanOptions; json: boolean }
  | { task: "work" | "parts"; dir: string; rpcUrls: readonly string[]; json: boolean }
  | { task: "status"; json: boolean };

/** Where parts go. */
const defaultDir = "bulk";

/** Reads the words and options behind `bulk`. Throws UsageError. */
export function readBulk({ words: [task, ...more], options, rpcUrls }: BulkWords): BulkTask {
  const values: BulkValues = { ...noValues, ...options };
  const { json } = values;
  if (more.length > 0) throw new UsageError(`expected nothing after ${task}, got ${JSON.stringify(more[0])}`);
  if (task === "plan") return { task, plan: readPlan(values), json };
  if (values.from !== null || values.to !== null) throw new UsageError("--from and --to are for bulk plan");
  if (task === "work" || task === "parts") return { task, dir: values.dir ?? defaultDir, rpcUrls, json };
  if (task === "status") return { task, json };
  throw new UsageError("expected plan, work, status or parts after bulk");
}

function readPlan({ from, to, size, format, retries, untraced, stateless }: BulkValues): PlanOptions {
  if (from === null || to === null) throw new UsageError("bulk plan needs --from BLOCK and --to BLOCK");
  const first = readNumber("--from", from, 0);
  const last = readNumber("--to", to, 0);
  if (last < first) throw new UsageError(`--to ${last} is before --from ${first}`);
  const wanted = partFormats.find((name) => name === (format ?? "ndjson"));
  if (wanted === undefined) throw new UsageError(`--format expects ${partFormats.join(" or ")}`);
  return {
    ...{ first, last, format: wanted satisfies PartFormat, traces: !untraced, state: !stateless },
    size: readNumber("--size", size ?? "100", 1),
    retries: readNumber("--retries", retries ?? "10", 0),
  };
}

function readNumber(name: string, text: string, least: number): number {
  const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) throw new UsageError(`${name} expects a whole number from ${least}`);
  return value;
}
