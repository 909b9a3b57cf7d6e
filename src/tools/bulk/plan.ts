import type { Engine } from "../../engine/build-engine.ts";
import type { ChainCalendar } from "../../model/chain-calendar.ts";
import type { PartFormat } from "./parts/part-writer.ts";
import type { Ask, BulkDatabase } from "./queue/database.ts";
import { heartbeatSeconds, jobsSchema, locks, queueOf, type RangeJob } from "./queue/range-job.ts";
import { type BlockRange, cutRanges } from "./queue/ranges.ts";
import { carryOver } from "./replan/carry-over.ts";
import type { RuleSources } from "./replan/rule-sources.ts";

export interface PlanOptions extends RangeJob {
  /** Blocks of a job; null: 200 seconds of the chain. */
  size: number | null;
  /** Further attempts before a job counts as failed. */
  retries: number;
}

/** Numbers of ranges. */
export interface Planned {
  ruleset: string;
  jobs: number;
  /** With the part of an earlier ruleset: no change concerns it. */
  carried: number;
  /** Done or planned already. */
  known: number;
  /** Failed before. */
  revived: number;
}

/** A job for each piece that no part covers, for the engine's ruleset. Planned pieces stay, so it may be called at any time. */
export async function planBlocks(
  { boss, inTransaction }: BulkDatabase,
  { ruleset, labels }: Pick<Engine, "ruleset" | "labels">,
  sources: RuleSources,
  { first, last, format, size, traces, state, retries }: PlanOptions,
): Promise<Planned> {
  const queue = queueOf(ruleset);
  await boss.createQueue(queue, {
    ...{
      heartbeatSeconds,
      expireInSeconds: 6 * 3_600,
      retentionSeconds: 365 * 86_400,
      deleteAfterSeconds: 30 * 86_400,
    },
    ...{ retryLimit: retries, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 },
  });
  return inTransaction(async (ask, db) => {
    await ask("SELECT pg_advisory_xact_lock($1)", [locks.plan]);
    await ask(
      `INSERT INTO txgloss_bulk.ruleset (ruleset, files) VALUES ($1, $2)
       ON CONFLICT (ruleset) DO UPDATE SET files = EXCLUDED.files`,
      [ruleset, JSON.stringify(sources)],
    );
    const wanted = { ruleset, format, first, last };
    const start = async (jobs: readonly RangeJob[]): Promise<string[]> => {
      const ids = await boss.insert(
        queue,
        jobs.map((data) => ({ data, retryLimit: retries })),
        { db, returnId: true },
      );
      return ids ?? [];
    };
    const revived = await revive(ask, wanted, queue, start);
    const before = await coveredBy(ask, wanted);
    const carried = await carryOver(ask, { ...wanted, sources, traces, state, covered: before });
    const covered = carried === 0 ? before : await coveredBy(ask, wanted);
    const sizeAt = size === null ? sizeBy(labels.calendar) : () => size;
    const jobs = cutRanges({ first, last }, covered, sizeAt).map((range) => ({ ...range, format, traces, state }));
    const ids = jobs.length === 0 ? [] : await start(jobs);
    for (const [i, job] of jobs.entries())
      await ask(
        `INSERT INTO txgloss_bulk.range (ruleset, format, first_block, last_block, traces, state, job)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [ruleset, format, job.first, job.last, traces, state, ids[i]],
      );
    return { ruleset, jobs: jobs.length, carried, known: before.length - revived, revived };
  });
}

/** Blocks in 200 seconds: 100 of two seconds, 1,000 of 200 milliseconds; 1,000 where not known. */
function sizeBy({ blocks }: ChainCalendar): (block: number) => number {
  return (block) => {
    if (blocks === null) return 1_000;
    const begin = blocks.timeAt(BigInt(block));
    return Number(blocks.blockAt(begin + 200) - blocks.blockAt(begin));
  };
}

interface Wanted extends BlockRange {
  ruleset: string;
  format: PartFormat;
}

async function coveredBy(ask: Ask, { ruleset, format, first, last }: Wanted): Promise<BlockRange[]> {
  const { rows } = await ask(
    `SELECT first_block AS first, last_block AS last FROM txgloss_bulk.range
     WHERE ruleset = $1 AND format = $2 AND last_block >= $3 AND first_block <= $4`,
    [ruleset, format, first, last],
  );
  return rows as BlockRange[];
}

/** New jobs for ranges that are not done and whose job failed or is gone; returns how many. */
async function revive(
  ask: Ask,
  { ruleset, format, first, last }: Wanted,
  queue: string,
  start: (jobs: readonly RangeJob[]) => Promise<string[]>,
): Promise<number> {
  const { rows } = await ask(
    `SELECT first_block AS first, last_block AS last, format, traces, state FROM txgloss_bulk.range r
     WHERE ruleset = $1 AND format = $2 AND last_block >= $3 AND first_block <= $4 AND part IS NULL AND NOT EXISTS (
       SELECT 1 FROM ${jobsSchema}.job j WHERE j.name = $5 AND j.id = r.job AND j.state IN ('created', 'retry', 'active'))`,
    [ruleset, format, first, last, queue],
  );
  const ids = rows.length === 0 ? [] : await start(rows as RangeJob[]);
  for (const [i, row] of rows.entries())
    await ask("UPDATE txgloss_bulk.range SET job = $1 WHERE ruleset = $2 AND format = $3 AND first_block = $4", [
      ...[ids[i], ruleset, format, row.first],
    ]);
  return rows.length;
}
