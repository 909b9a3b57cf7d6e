import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type { PartRow } from "./part-row.ts";

export const partFormats = ["ndjson", "parquet"] as const;
export type PartFormat = (typeof partFormats)[number];

/** NDJSON is compressed by zstd. */
export const partEndings: Readonly<Record<PartFormat, string>> = { ndjson: "ndjson.zst", parquet: "parquet" };

/** Rejects with the file system's error. */
export interface PartWriter {
  add(rows: readonly PartRow[]): Promise<void>;
  /** Nothing may be added afterwards. */
  finish(): Promise<void>;
  /** Nothing is created or written afterwards. */
  drop(): Promise<void>;
}

/** Equal rows give equal bytes. */
export async function openPartWriter(path: string, format: PartFormat, ruleset: string): Promise<PartWriter> {
  return format === "ndjson" ? openLines(path) : openParquet(path, ruleset);
}

function openLines(path: string): PartWriter {
  const compress = createZstdCompress();
  const file = createWriteStream(path, { flags: "wx" });
  compress.pipe(file);
  let failed: Error | undefined;
  const ended = finished(file).catch((error: Error) => {
    failed = error;
    compress.destroy();
  });
  compress.on("error", () => {});
  return {
    async add(rows) {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      await new Promise<void>((resolve) => {
        // Resolves also when the file has failed, because then the write never ends.
        void ended.then(() => resolve());
        compress.write(text, () => resolve());
      });
      if (failed !== undefined) throw failed;
    },
    async finish() {
      compress.end();
      await ended;
      if (failed !== undefined) throw failed;
    },
    async drop() {
      compress.destroy();
      file.destroy();
      // Waits, because a file that is still being opened would appear after its removal.
      await ended;
    },
  };
}

/** Rows held in memory. */
const groupRows = 20_000;

async function openParquet(path: string, ruleset: string): Promise<PartWriter> {
  const { ParquetWriter, fileWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const writer = fileWriter(path);
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    createdBy: "txgloss",
    kvMetadata: [{ key: "ruleset", value: ruleset }],
  });
  let held: PartRow[] = [];
  const flush = async () => {
    if (held.length > 0) await parquet.write({ columnData: columnsOf(held), rowGroupSize: groupRows });
    held = [];
  };
  return {
    async add(rows) {
      held.push(...rows);
      if (held.length >= groupRows) await flush();
    },
    async finish() {
      await flush();
      await parquet.finish();
    },
    async drop() {
      held = [];
    },
  };
}

/** Lists and objects are JSON text. */
function columnsOf(rows: readonly PartRow[]) {
  const column = (name: string, type: ColumnType, of: (row: PartRow) => unknown, nullable = false) => {
    return { name, type, nullable, data: rows.map(of) };
  };
  const json = (name: "assets_moved" | "counterparties" | "risk_flags" | "checks" | "provenance" | "unexplained") =>
    column(name, "JSON", (row) => row[name]);
  return [
    column("block_number", "INT64", (row) => BigInt(row.block_number)),
    column("transaction_index", "INT32", (row) => row.transaction_index),
    column("tx_hash", "STRING", (row) => row.tx_hash),
    column("timestamp", "TIMESTAMP", (row) => (row.timestamp === null ? null : new Date(row.timestamp)), true),
    column("action_type", "STRING", (row) => row.action_type),
    column("status", "STRING", (row) => row.status),
    column("summary", "STRING", (row) => row.summary),
    column("partial", "BOOLEAN", (row) => row.partial),
    column("gas_paid_usd", "DOUBLE", (row) => row.gas_paid_usd, true),
    json("assets_moved"),
    json("counterparties"),
    json("risk_flags"),
    json("checks"),
    json("provenance"),
    column("explorer_url", "STRING", (row) => row.explorer_url),
    json("unexplained"),
    column("unexplained_eth", "STRING", (row) => row.unexplained_eth),
  ];
}

type ColumnType = "INT64" | "INT32" | "STRING" | "TIMESTAMP" | "BOOLEAN" | "DOUBLE" | "JSON";
