import type { Engine } from "../../../engine/build-engine.ts";
import { parseDecimal } from "../../../kernel/amount.ts";
import { type Config, ConfigError } from "../../../serve/settings/config.ts";
import { BulkError } from "../../bulk/bulk-error.ts";
import { readPart } from "../../bulk/parts/part-reader.ts";
import { listParts, type ManifestPart } from "../../bulk/queue/manifest.ts";
import { isTyped } from "../../volume/gaps.ts";
import { type CoverageReport, sortTypes } from "../coverage.ts";
import { GapCount } from "./gap-count.ts";
import { openBulkOf } from "./open-database.ts";

/**
 * Counts what the parts of the current ruleset leave unexplained. Files that the manifest does not list are not read. Rejects with
 * ConfigError.
 */
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

/** Counts what these parts leave unexplained. Rejects with BulkError where a part is missing or is not the listed one. */
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
