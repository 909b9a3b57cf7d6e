import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openPart } from "../../../src/tools/bulk/parts/part-file.ts";
import type { PartRow } from "../../../src/tools/bulk/parts/part-row.ts";
import type { PartFormat } from "../../../src/tools/bulk/parts/part-writer.ts";
import type { ManifestPart } from "../../../src/tools/bulk/queue/manifest.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";

/** A folder that goes with the test. */
export function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-parts-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A row of a part. */
export function partRow(number: number, more: Partial<PartRow> = {}): PartRow {
  const place = { transaction_index: number, unexplained: [], unexplained_eth: "0" };
  return { ...explanationOf(hashOf(number)), block_number: number, ...place, ...more };
}

export interface WrittenPart {
  rows: readonly PartRow[];
  first?: number;
  format?: PartFormat;
  attempt?: string;
  ruleset?: string;
}

/** Writes rows as a part. Gives the manifest's entry for it. */
export async function writePart(
  dir: string,
  { rows, first = 1, format = "ndjson", attempt = "a", ruleset = "r1" }: WrittenPart,
): Promise<ManifestPart> {
  const last = first + 9;
  const part = await openPart({ dir, first, last, format, ruleset, attempt });
  await part.add(rows);
  const { name, sha256, bytes, publish } = await part.seal(rows.length);
  await publish();
  return { name, first, last, format, sha256, bytes, rows: rows.length };
}
