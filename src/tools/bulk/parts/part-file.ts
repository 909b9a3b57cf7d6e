import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../bulk-error.ts";
import { openPartWriter, type PartFormat, partEndings } from "./part-writer.ts";

/** A finished file that is not a part yet. Its name is hidden, so readers do not take it for data. */
export interface SealedPart {
  /** The name that it will get: the range and the SHA-256 of its bytes. */
  name: string;
  sha256: string;
  bytes: number;
  rows: number;
  /** Renames the file to its name and syncs the folder to disk. Parts with equal bytes have the same name, and one replaces the other. */
  publish(): Promise<void>;
  /** Removes the file, unless it was published already. */
  drop(): Promise<void>;
}

/** The range of blocks of a part, and the attempt that writes it. */
export interface PartPlan {
  dir: string;
  first: number;
  last: number;
  format: PartFormat;
  ruleset: string;
  /** The name of the attempt. Each attempt writes to a file of its own. */
  attempt: string;
}

/** The name of an unfinished file. It is hidden, so that no pattern for parts matches it. */
const draftName = /^\.(.+)\.draft$/;
/** `<first>-<last>-<hash>.<ending>` */
const partName = /^\d+-\d+-[0-9a-f]{64}\.(?:ndjson\.zst|parquet)$/;

/**
 * Creates the folder and marks it as this database's. Files that a database does not list count as leftovers, so two databases must not
 * share a folder. Rejects with BulkError `foreign_folder`.
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

/** Creates the file of a part under a hidden name. */
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
    /** Writes everything to disk and computes the later name. */
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

/** The contents of a folder: attempts that have unfinished files, and names of files that are named like parts. */
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
