import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../bulk-error.ts";
import { openPartWriter, type PartFormat, partEndings } from "./part-writer.ts";

/** A finished file that is not a part yet: it has no name that a reader could take for data. */
export interface SealedPart {
  /** Its later name: the range and the SHA-256 of its bytes. */
  name: string;
  sha256: string;
  bytes: number;
  rows: number;
  /** Gives it its name; the folder is on disk afterwards. Parts of equal bytes have one name, and one takes the place of the other. */
  publish(): Promise<void>;
  /** Removes the file, unless it has its name already. */
  drop(): Promise<void>;
}

/** Which range of blocks, by which attempt. */
export interface PartPlan {
  dir: string;
  first: number;
  last: number;
  format: PartFormat;
  ruleset: string;
  /** Names the attempt: no two have the same file. */
  attempt: string;
}

/** Hidden, so that no pattern for parts matches it. */
const draftName = /^\.(.+)\.draft$/;
/** `<first>-<last>-<hash>.<ending>` */
const partName = /^\d+-\d+-[0-9a-f]{64}\.(?:ndjson\.zst|parquet)$/;

/**
 * Makes the folder, and notes whose parts it holds: what a database does not know would be taken for a leftover. Rejects with BulkError
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

/** Begins the file of a part under a hidden name. */
export async function openPart({ dir, first, last, format, ruleset, attempt }: PartPlan) {
  const draft = join(dir, `.${attempt}.draft`);
  // An attempt that begins again in the same process writes anew.
  await rm(draft, { force: true });
  const writer = await openPartWriter(draft, format, ruleset);
  const drop = async () => {
    await writer.drop();
    await rm(draft, { force: true });
  };
  return {
    add: writer.add,
    drop,
    /** Brings everything to the disk. */
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

/** What lies in a folder: drafts by their attempt, and files with the name of a part. */
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
