import type { BulkDatabase } from "./queue/database.ts";
import { jobsSchema, queueOf } from "./queue/range-job.ts";

/** Counts ranges unless a field says otherwise. */
export interface BulkStatus {
  ruleset: string;
  planned: number;
  done: number;
  /** Worked on now. */
  active: number;
  waiting: number;
  /** After all retries; planning again revives them. */
  failed: number;
  blocks: number;
  blocksDone: number;
  rows: number;
  bytes: number;
  failures: { first: number; last: number; message: string }[];
}

export async function readStatus({ ask }: Pick<BulkDatabase, "ask">, ruleset: string): Promise<BulkStatus> {
  const { rows } = await ask(
    `SELECT count(*) AS planned, count(r.part) AS done,
       count(*) FILTER (WHERE r.part IS NULL AND j.state = 'active') AS active,
       count(*) FILTER (WHERE r.part IS NULL AND j.state IN ('created', 'retry')) AS waiting,
       coalesce(sum(r.last_block - r.first_block + 1), 0)::bigint AS blocks,
       coalesce(sum(r.last_block - r.first_block + 1) FILTER (WHERE r.part IS NOT NULL), 0)::bigint AS "blocksDone",
       coalesce(sum(p.rows), 0)::bigint AS rows, coalesce(sum(p.bytes), 0)::bigint AS bytes
     FROM txgloss_bulk.range r LEFT JOIN txgloss_bulk.part p ON p.name = r.part
     LEFT JOIN ${jobsSchema}.job j ON j.name = $2 AND j.id = r.job WHERE r.ruleset = $1`,
    [ruleset, queueOf(ruleset)],
  );
  const counted = rows[0] as Omit<BulkStatus, "ruleset" | "failed" | "failures">;
  const failed = counted.planned - counted.done - counted.active - counted.waiting;
  const told = await ask(
    `SELECT r.first_block AS first, r.last_block AS last, j.output FROM txgloss_bulk.range r
     LEFT JOIN ${jobsSchema}.job j ON j.name = $2 AND j.id = r.job
     WHERE r.ruleset = $1 AND r.part IS NULL AND (j.id IS NULL OR j.output IS NOT NULL) ORDER BY 1 LIMIT 20`,
    [ruleset, queueOf(ruleset)],
  );
  const failures = told.rows.map(({ first, last, output }) => ({ first, last, message: messageOf(output) }));
  return { ruleset, ...counted, failed, failures };
}

function messageOf(output: { message?: unknown; value?: { message?: unknown } } | null): string {
  return String(output?.message ?? output?.value?.message ?? "its job is gone");
}
