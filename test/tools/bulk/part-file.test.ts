import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { BulkError } from "../../../src/tools/bulk/bulk-error.ts";
import {
  claimFolder,
  listFolder,
  measureFile,
  openPart,
  removeDraft,
} from "../../../src/tools/bulk/parts/part-file.ts";
import { partFormats } from "../../../src/tools/bulk/parts/part-writer.ts";
import type { ManifestPart } from "../../../src/tools/bulk/queue/manifest.ts";
import { readPart } from "../../../src/tools/cli/volume/part-coverage.ts";
import { newFolder, partRow, writePart } from "./part-files.ts";

const hash = "ab".repeat(32);
const rows = [partRow(1), partRow(2, { timestamp: null, gas_paid_usd: null }), partRow(3, { partial: true })];

async function readAll(dir: string, part: ManifestPart) {
  const found = [];
  for await (const row of readPart(dir, part)) found.push(row);
  return found;
}

describe("a part", () => {
  it.each(partFormats)("gives back the rows that were written as %s, in order", async (format) => {
    const dir = newFolder();
    const part = await writePart(dir, { rows, format });
    expect(await readAll(dir, part)).toEqual(rows);
    const bytes = readFileSync(join(dir, part.name));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const ending = { ndjson: "ndjson.zst", parquet: "parquet" }[format];
    expect(part).toEqual({
      ...{ name: `1-10-${sha256}.${ending}`, first: 1, last: 10, format },
      ...{ sha256, bytes: bytes.length, rows: 3 },
    });
    expect(readdirSync(dir)).toEqual([part.name]);
  });

  it.each(partFormats)("of %s may be empty, and has the rows of several blocks", async (format) => {
    const dir = newFolder();
    expect(await readAll(dir, await writePart(dir, { rows: [], format }))).toEqual([]);
    const open = await openPart({ dir, first: 1, last: 2, format, ruleset: "r1", attempt: "b" });
    for (const row of rows) await open.add([row]);
    const sealed = await open.seal(3);
    await sealed.publish();
    expect(await readAll(dir, { ...sealed, first: 1, last: 2, format })).toEqual(rows);
    expect(sealed.rows).toBe(3);
  });

  it("of NDJSON is one line for each row", async () => {
    const dir = newFolder();
    const { name } = await writePart(dir, { rows });
    const text = zstdDecompressSync(readFileSync(join(dir, name))).toString();
    expect(text).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  });

  it("of Parquet names its rules, and has columns for queries", async () => {
    const dir = newFolder();
    const { name } = await writePart(dir, { rows, format: "parquet", ruleset: "r7" });
    const file = await asyncBufferFromFile(join(dir, name));
    const metadata = await parquetMetadataAsync(file);
    expect([metadata.created_by, metadata.key_value_metadata]).toEqual(["txgloss", [{ key: "ruleset", value: "r7" }]]);
    const optional = metadata.schema
      .filter(({ repetition_type: kind }) => kind === "OPTIONAL")
      .map(({ name: of }) => of);
    expect(optional).toEqual(["timestamp", "gas_paid_usd"]);
    const [first, second] = await parquetReadObjects({ file });
    expect(first).toEqual({ ...rows[0], block_number: 1n, timestamp: new Date("2023-11-14T22:13:20Z") });
    expect(second).toMatchObject({ timestamp: null, gas_paid_usd: null, transaction_index: 2 });
  });

  it("that is missing or another file is not read", async () => {
    const dir = newFolder();
    const part = await writePart(dir, { rows });
    const path = join(dir, part.name);
    const other = { ...part, sha256: hash };
    await expect(readAll(dir, other)).rejects.toEqual(
      new BulkError("bad_part", `${path} is not what the manifest lists.`),
    );
    await expect(readAll(join(dir, "none"), part)).rejects.toEqual(
      new BulkError("bad_part", `${join(dir, "none", part.name)} cannot be read: ENOENT`),
    );
  });
});

describe("a part that is not done", () => {
  it.each(partFormats)("of %s has a hidden name until it is published, and goes when it is dropped", async (format) => {
    const dir = newFolder();
    const plan = { dir, first: 1, last: 2, format, ruleset: "r1" };
    const open = await openPart({ ...plan, attempt: "a" });
    await open.add(rows);
    const sealed = await open.seal(3);
    expect(readdirSync(dir)).toEqual([".a.draft"]);
    await sealed.drop();
    expect(readdirSync(dir)).toEqual([]);
    const again = await openPart({ ...plan, attempt: "b" });
    await again.add(rows);
    await again.drop();
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each(partFormats)("of %s leaves nothing when it is dropped at once", async (format) => {
    const dir = newFolder();
    for (let i = 0; i < 200; i++) {
      const open = await openPart({ dir, first: 1, last: 2, format, ruleset: "r1", attempt: `a${i}` });
      await open.drop();
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is written anew by an attempt that begins again", async () => {
    const dir = newFolder();
    writeFileSync(join(dir, ".a.draft"), "what an earlier one left");
    expect(await readAll(dir, await writePart(dir, { rows, attempt: "a" }))).toEqual(rows);
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it("fails where its folder is not there", async () => {
    const plan = { dir: join(newFolder(), "none"), first: 1, last: 2, ruleset: "r1", attempt: "a" } as const;
    const open = await openPart({ ...plan, format: "ndjson" });
    await expect(open.seal(3)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(open.add(rows)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("a folder of parts", () => {
  it("holds drafts and parts by their names, and nothing of others", async () => {
    const dir = newFolder();
    const parts = [`1-2-${hash}.ndjson.zst`, `1-2-${hash}.parquet`];
    const others = [`1-2-${hash}.ndjson`, `x1-2-${hash}.parquet`, `1-2-${hash}.parquet.old`, "a.draft", ".draft"];
    for (const name of [...parts, ...others, ".a.draft", ".b.c.draft", ".txgloss"]) writeFileSync(join(dir, name), "");
    const found = await listFolder(dir);
    expect({ drafts: found.drafts.sort(), parts: found.parts.sort() }).toEqual({ drafts: ["a", "b.c"], parts });
    await removeDraft(dir, "a");
    await removeDraft(dir, "none");
    expect((await listFolder(dir)).drafts).toEqual(["b.c"]);
    expect(await listFolder(join(dir, "none"))).toEqual({ drafts: [], parts: [] });
    await expect(listFolder(join(dir, ".txgloss"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it("belongs to the worker that claims it first", async () => {
    const dir = join(newFolder(), "deep", "parts");
    await claimFolder(dir, "one");
    await claimFolder(dir, "one");
    expect([statSync(dir).isDirectory(), readFileSync(join(dir, ".txgloss"), "utf8")]).toEqual([true, "one\n"]);
    await expect(claimFolder(dir, "two")).rejects.toEqual(
      new BulkError("foreign_folder", `${dir} holds parts of another database; choose another folder.`),
    );
    const taken = newFolder();
    mkdirSync(join(taken, ".txgloss"));
    await expect(claimFolder(taken, "one")).rejects.toMatchObject({ code: "EISDIR" });
  });

  it("is measured file by file", async () => {
    const path = join(newFolder(), "file");
    const bytes = "x".repeat(200_000);
    writeFileSync(path, bytes);
    expect(await measureFile(path)).toEqual({
      sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: 200_000,
    });
  });
});
