import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../../engine/build-engine.ts";
import type { Decision } from "../../model/decision.ts";
import { type ReaderParts, readBlockRange } from "./blocks/range-reader.ts";
import { BulkError } from "./bulk-error.ts";
import { claimFolder, openPart } from "./parts/part-file.ts";
import { rowOf } from "./parts/part-row.ts";
import type { BulkDatabase } from "./queue/database.ts";
import { attemptName, commitPart, LostJobError, sweepFolder, type TakenJob } from "./queue/manifest.ts";
import { heartbeatSeconds, queueOf, type RangeJob } from "./queue/range-job.ts";
import { Holdings } from "./replan/holdings.ts";
import { readStatus } from "./status.ts";

export interface WorkEvents {
  block?(number: number, rows: number): void;
  done?(range: RangeJob, rows: number): void;
  /** Without a part; it will be tried again. */
  failed?(range: RangeJob, error: Error): void;
  /** For the database. */
  waiting?(error: Error): void;
}

export interface WorkOptions {
  dir: string;
  engine: Engine;
  reader: ReaderParts;
  signal: AbortSignal;
  events?: WorkEvents;
}

/** Milliseconds, at an empty queue or without the database. */
const pauseMs = 500;
/** So long the database may be unreachable. */
const awayMs = 10 * 60_000;

/** Problems of this machine: another range would fail alike. */
const ownCodes = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EIO", "EMFILE"]);

/**
 * Until all planned ranges are done or failed, or the signal fires. Any number of workers. Rejects with BulkError, the file system's error
 * where this machine cannot write, and the database's where it is away for too long.
 */
export async function workOnBlocks(database: BulkDatabase, options: WorkOptions): Promise<void> {
  const { engine, dir, signal, events } = options;
  const queue = queueOf(engine.ruleset);
  const steadily = <T>(work: () => Promise<T>) => persist(work, { signal, waiting: events?.waiting });
  const { rows } = await steadily(() => database.ask("SELECT owner FROM txgloss_bulk.version"));
  await claimFolder(dir, rows[0]?.owner);
  if ((await steadily(() => database.boss.getQueue(queue))) === null)
    throw new BulkError("not_planned", `Nothing is planned for the ruleset ${engine.ruleset}: plan it first.`);
  while (!signal.aborted) {
    const [job] = await steadily(() => database.boss.fetch<RangeJob>(queue));
    if (job !== undefined) await attempt(database, job, options);
    else {
      const { waiting, active } = await steadily(() => readStatus(database, engine.ruleset));
      if (waiting + active === 0) break;
      // Other workers are busy, or a job waits for its next attempt.
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  await steadily(() => sweepFolder(database, dir));
}

/** Rejects only where this machine is at fault. */
async function attempt(database: BulkDatabase, job: TakenJob, options: WorkOptions): Promise<void> {
  const { engine, dir, signal, events } = options;
  const ended = new AbortController();
  const life = keepAlive(database, job, engine.ruleset, ended);
  const end = AbortSignal.any([signal, ended.signal]);
  try {
    const rows = await writeRange(database, job, options, end);
    events?.done?.(job.data, rows);
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    events?.failed?.(job.data, error);
    // Does not touch a job that another worker has now: both calls concern only this attempt.
    if (!(error instanceof LostJobError))
      await database.boss
        .fail(queueOf(engine.ruleset), { id: job.id, retryCount: job.retryCount }, { message: error.message })
        .catch(() => {});
    await sweepFolder(database, dir).catch(() => {});
    if (ownCodes.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    clearInterval(life);
    ended.abort();
  }
}

/** Returns the number of rows. */
async function writeRange(
  database: BulkDatabase,
  job: TakenJob,
  { engine, dir, reader, events }: WorkOptions,
  signal: AbortSignal,
): Promise<number> {
  const { ruleset } = engine;
  const { first, last, format } = job.data;
  const part = await openPart({ dir, first, last, format, ruleset, attempt: attemptName(job) });
  const holds = new Holdings();
  let rows = 0;
  try {
    for await (const { number, cases } of readBlockRange(reader, engine, job.data, signal)) {
      const made = cases.map((file, index) => {
        const { explanation, evidence } = engine.decide(file);
        const told = evidence();
        const decision: Decision = { explanation, evidence: () => told };
        holds.add(file, decision);
        return rowOf(file, decision, { index, labels: engine.labels });
      });
      await part.add(made);
      rows += made.length;
      events?.block?.(number, made.length);
      // Deciding a block takes a while, so the heartbeat gets a turn of the event loop here.
      await sleep(0);
      signal.throwIfAborted();
    }
    const sealed = await part.seal(rows);
    await commitPart(database, { job, part: sealed, holds: holds.toBytes(), ruleset });
    return rows;
  } catch (error) {
    await part.drop().catch(() => {});
    throw signal.reason instanceof LostJobError ? signal.reason : error;
  }
}

/** Ends the work when another worker has the job. */
function keepAlive(
  { boss }: BulkDatabase,
  { id, retryCount }: TakenJob,
  ruleset: string,
  ended: AbortController,
): NodeJS.Timeout {
  return setInterval(
    async () => {
      try {
        const told = (await boss.touch(queueOf(ruleset), { id, retryCount })) as { affected?: number };
        if (told.affected !== 1) ended.abort(new LostJobError("The job is somebody else's by now."));
      } catch {
        // An unreachable database says nothing about the job.
      }
    },
    (heartbeatSeconds * 1000) / 3,
  );
}

/** Tries again while the database is unreachable. */
async function persist<T>(
  work: () => Promise<T>,
  { signal, waiting }: { signal: AbortSignal; waiting: WorkEvents["waiting"] },
): Promise<T> {
  for (const start = Date.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isAway(error) || Date.now() - start > awayMs) throw error;
      waiting?.(error as Error);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** The connection broke or the server is down: waiting may help. */
function isAway(error: unknown): boolean {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return /^(?:08|53|57|25006|40)/.test(code) || /^E[A-Z]+$/.test(code) || /terminat|timeout|ended/i.test(message);
}
