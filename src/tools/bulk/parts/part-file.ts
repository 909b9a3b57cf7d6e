import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../bulk-error.ts";
import { openPartWriter, type PartFormat, partEndings } from "./part-writer.ts";

/** Finished, but under a hidden name, so that readers do not take it for data. */
export interface SealedPart {
  /** The later name: range and SHA-256. */
  name: string;
  sha256: string;
  bytes: number;
  rows: number;
  /** Renames and syncs the folder. Parts with equal bytes have one name and replace each other. */
  publish(): Promise<void>;
  /** Unless published. */
  drop(): Promise<void>;
}

export interface PartPlan {
  dir: string;
  first: number;
  last: number;
  format: PartFormat;
  ruleset: string;
  /** Each attempt writes its own file. */
  attempt: string;
}

/** Hidden from every pattern for parts. */
const draftName = /^\.(.+)\.draft$/;
/** `<first>-<last>-<hash>.<ending>` */
const partName = /^\d+-\d+-[0-9a-f]{64}\.(?:ndjson\.zst|parquet)$/;

/**
 * Marks the folder as this database's: files that a database does not list are leftovers, so two must not share one. Rejects with BulkError
 * `foreign_folder`.
 */
export async function claimFolder(dir: string, owner: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, ".txgloss");
  await writeFile(path, `${owner}\n`, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if ((await readFile(path, "utf8")).trim() === owner) return;
  throw new BulkError("foreign_folder", `${dir} holds parts of another database; choose another folder.`);
}

export async function openPart({ dir, first, last, format, ruleset, attempt }: PartPlan) {
  const draft = join(dir, `.${attempt}.draft`);
  // An attempt that begins again in the same process starts a new file.
  await rm(draft, { force: true });
  const writer = await openPartWriter(draft, format, ruleset);
  const drop = async () => {
    await writer.drop();
    await rm(draft, { force: true });
  };
  return {
    add: writer.add,
    drop,
    /** Everything is on disk then. */
    async seal(rows: number): Promise<SealedPart> {
      await writer.finish();
      await sync(draft);
      const { sha256, bytes } = await measureFile(draft);
      const name = `${first}-${last}-${sha256}.${partEndings[format]}`;
      const publish = async () => {
        await rename(draft, join(dir, name));
        await sync(dir);
      };
      return { name, sha256, bytes, rows, publish, drop };
    },
  };
}

export async function measureFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Attempts with unfinished files, and names like parts. */
export async function listFolder(dir: string): Promise<{ drafts: string[]; parts: string[] }> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const drafts = names.flatMap((name) => draftName.exec(name)?.[1] ?? []);
  return { drafts, parts: names.filter((name) => partName.test(name)) };
}

export async function removeDraft(dir: string, attempt: string): Promise<void> {
  await rm(join(dir, `.${attempt}.draft`), { force: true });
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
