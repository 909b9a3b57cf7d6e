import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createZstdDecompress } from "node:zlib";
import { BulkError } from "../bulk-error.ts";
import type { ManifestPart } from "../queue/manifest.ts";
import { measureFile } from "./part-file.ts";
import type { PartRow } from "./part-row.ts";

/**
 * The rows of a part in the manifest, in order. The file's SHA-256 is compared with the manifest first. Throws BulkError `bad_part` where
 * the file is missing or differs.
 */
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
