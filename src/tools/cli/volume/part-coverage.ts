import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createZstdDecompress } from "node:zlib";
import type { Engine } from "../../../engine/build-engine.ts";
import { parseDecimal } from "../../../kernel/amount.ts";
import { type Config, ConfigError } from "../../../serve/settings/config.ts";
import { BulkError } from "../../bulk/bulk-error.ts";
import { measureFile } from "../../bulk/parts/part-file.ts";
import type { PartRow } from "../../bulk/parts/part-row.ts";
import { listParts, type ManifestPart } from "../../bulk/queue/manifest.ts";
import { isTyped } from "../../volume/gaps.ts";
import { type CoverageReport, sortTypes } from "../coverage.ts";
import { GapCount } from "./gap-count.ts";
import { openBulkOf } from "./open-database.ts";

/** Reads the parts of the current ruleset in the manifest. Rejects with ConfigError. */
export async function measureParts(
  dir: string,
  { engine, config, progress }: { engine: Engine; config: Config; progress: (done: number, total: number) => void },
): Promise<CoverageReport> {
  const needed = `${dir} holds parts, and what they are stands in PostgreSQL`;
  const database = await openBulkOf(config, { needed, supervises: false });
  try {
    return await countParts(dir, await listParts(database, engine.ruleset), { engine, progress });
  } catch (error) {
    throw error instanceof BulkError ? new ConfigError([error.message]) : error;
  } finally {
    await database.close();
  }
}

/** Rejects with BulkError where a part is missing or not the listed one. */
export async function countParts(
  dir: string,
  parts: readonly ManifestPart[],
  { engine, progress }: { engine: Pick<Engine, "labels">; progress: (done: number, total: number) => void },
): Promise<CoverageReport> {
  const report = { cases: 0, unreadable: [], typed: 0, partial: 0, movements: null, calls: null };
  const types: Record<string, number> = {};
  const gaps = new GapCount();
  for (const [i, part] of parts.entries()) {
    progress(i + 1, parts.length);
    for await (const row of readPart(dir, part)) {
      report.cases++;
      if (isTyped(row)) report.typed++;
      if (row.partial) report.partial++;
      types[row.action_type] = (types[row.action_type] ?? 0) + 1;
      gaps.add(row.tx_hash, row.unexplained, parseDecimal(row.unexplained_eth, 18) ?? 0n);
    }
  }
  return { ...report, types: sortTypes(types), unexplained: gaps.describe(engine) };
}

/** Rows in order; the SHA-256 is checked first. Throws BulkError `bad_part` where the file is missing or differs. */
export async function* readPart(dir: string, { name, format, sha256 }: ManifestPart): AsyncGenerator<PartRow> {
  const path = join(dir, name);
  const found = await measureFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new BulkError("bad_part", `${path} cannot be read: ${error.code ?? error.message}`);
  });
  if (found.sha256 !== sha256) throw new BulkError("bad_part", `${path} is not what the manifest lists.`);
  if (format === "ndjson") yield* readLines(path);
  else yield* readParquet(path);
}

async function* readLines(path: string): AsyncGenerator<PartRow> {
  const lines = createInterface({ input: createReadStream(path).pipe(createZstdDecompress()) });
  for await (const line of lines) yield JSON.parse(line) as PartRow;
}

async function* readParquet(path: string): AsyncGenerator<PartRow> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let start = 0;
  // One group after the other, so that only one is in memory.
  for (const { num_rows } of metadata.row_groups) {
    const end = start + Number(num_rows);
    const rows = await parquetReadObjects({ file, metadata, rowStart: start, rowEnd: end });
    start = end;
    for (const { block_number, timestamp, ...row } of rows)
      yield {
        ...(row as Omit<PartRow, "block_number" | "timestamp">),
        block_number: Number(block_number),
        timestamp: timestamp === null ? null : (timestamp as Date).toISOString().replace(".000Z", "Z"),
      };
  }
}
