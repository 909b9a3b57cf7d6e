import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, removeDraft, type SealedPart } from "../parts/part-file.ts";
import type { PartFormat } from "../parts/part-writer.ts";
import type { BulkDatabase } from "./database.ts";
import { jobsSchema, locks, queueOf, type RangeJob } from "./range-job.ts";
import type { BlockRange } from "./ranges.ts";

export interface ManifestPart extends BlockRange, Pick<SealedPart, "name" | "sha256" | "bytes" | "rows"> {
  format: PartFormat;
}

/** Another worker has the job: this attempt was too slow or seemed dead. Nothing was written. */
export class LostJobError extends Error {
  override readonly name = "LostJobError";
}

/** A job as pg-boss gave it to this worker. */
export interface TakenJob {
  id: string;
  retryCount: number;
  data: RangeJob;
}

/**
 * Name, row and completed job, all or nothing. pg-boss reports a lost job only as no affected row. Rejects with LostJobError, and as the
 * database does; then the commit may have succeeded, and {@link sweepFolder} corrects the folder.
 */
export async function commitPart(
  { boss, inTransaction }: BulkDatabase,
  { job, part, holds, ruleset }: { job: TakenJob; part: SealedPart; holds: Uint8Array; ruleset: string },
): Promise<void> {
  const { first, last, format } = job.data;
  await inTransaction(async (ask, db) => {
    await ask("SELECT pg_advisory_xact_lock_shared($1)", [locks.parts]);
    const done = (await boss.complete(queueOf(ruleset), { id: job.id, retryCount: job.retryCount }, null, { db })) as {
      affected?: number;
    };
    if (done.affected !== 1) throw new LostJobError(`Blocks ${first} to ${last} are somebody else's by now.`);
    await ask(
      `INSERT INTO txgloss_bulk.part (name, first_block, last_block, format, sha256, bytes, rows, holds)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING`,
      [part.name, first, last, format, part.sha256, part.bytes, part.rows, Buffer.from(holds)],
    );
    const { rowCount } = await ask(
      `UPDATE txgloss_bulk.range SET part = $1
       WHERE ruleset = $2 AND format = $3 AND first_block = $4 AND last_block = $5 AND job = $6 AND part IS NULL`,
      [part.name, ruleset, format, first, last, job.id],
    );
    if (rowCount !== 1) throw new LostJobError(`Blocks ${first} to ${last} are not planned any more.`);
    // Done last: until the transaction ends, the file has its name but the manifest does not list it yet.
    await part.publish();
  });
}

export async function listParts(
  { ask }: Pick<BulkDatabase, "ask">,
  ruleset: string,
  format: PartFormat | null = null,
): Promise<ManifestPart[]> {
  const { rows } = await ask(
    `SELECT p.name, r.first_block AS first, r.last_block AS last, p.format, p.sha256, p.bytes, p.rows
     FROM txgloss_bulk.range r JOIN txgloss_bulk.part p ON p.name = r.part
     WHERE r.ruleset = $1 AND ($2::text IS NULL OR r.format = $2) ORDER BY r.format, r.first_block`,
    [ruleset, format],
  );
  return rows as ManifestPart[];
}

/**
 * Removes what killed workers left: names like parts outside the manifest, and unfinished files of attempts that nobody works on. Nobody
 * publishes meanwhile. Gives the removed names.
 */
export async function sweepFolder({ inTransaction }: BulkDatabase, dir: string): Promise<string[]> {
  return inTransaction(async (ask) => {
    await ask("SELECT pg_advisory_xact_lock($1)", [locks.parts]);
    const { drafts, parts } = await listFolder(dir);
    const known = await ask("SELECT name FROM txgloss_bulk.part WHERE name = ANY($1)", [parts]);
    const names = new Set(known.rows.map(({ name }) => name as string));
    const lost = parts.filter((name) => !names.has(name));
    for (const name of lost) await rm(join(dir, name), { force: true });
    const active = await ask(
      `SELECT id::text || '-' || retry_count AS attempt FROM ${jobsSchema}.job WHERE state = 'active'`,
    );
    const living = new Set(active.rows.map(({ attempt }) => attempt as string));
    const dead = drafts.filter((attempt) => !living.has(attempt));
    for (const attempt of dead) await removeDraft(dir, attempt);
    return [...lost, ...dead];
  });
}

export function attemptName({ id, retryCount }: Pick<TakenJob, "id" | "retryCount">): string {
  return `${id}-${retryCount}`;
}
