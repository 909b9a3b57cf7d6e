import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder for files that tools can make again. */
export const documentCache = fileURLToPath(new URL("../../../node_modules/.cache/txgloss", import.meta.url));

/**
 * A file of a cache folder, named `<kind>-<hash>.<extension>`. The hash covers everything that the content depends on. If any of that
 * changes, the file has another name, so a kept file is never out of date.
 */
export class KeptFile {
  readonly path: string;
  readonly #dir: string;
  readonly #kind: string;
  readonly #extension: string;

  /** `dependsOn`: the texts of the files and of their schemas, and versions. */
  constructor(dir: string, { kind, extension }: { kind: string; extension: string }, dependsOn: readonly string[]) {
    const hash = createHash("sha256");
    for (const part of dependsOn) hash.update(`${part.length}:`).update(part);
    this.#dir = dir;
    this.#kind = kind;
    this.#extension = extension;
    this.path = join(dir, `${kind}-${hash.digest("hex").slice(0, 32)}.${extension}`);
  }

  /** The result of `load`; undefined when the file is missing or damaged. */
  read<T>(load: (path: string) => T): T | undefined {
    try {
      const made = load(this.path);
      markUsed(this.path);
      return made;
    } catch {
      return undefined;
    }
  }

  /**
   * Writes the file, and deletes the files of its kind that were not used for the longest time. If the folder cannot be written to, nothing
   * is kept and `make` is not called; that only costs time later.
   */
  write(make: () => string): void {
    try {
      mkdirSync(this.#dir, { recursive: true });
      const draft = `${this.path}.${process.pid}.tmp`;
      writeFileSync(draft, "");
      writeFileSync(draft, make());
      renameSync(draft, this.path);
      this.#dropUnused();
    } catch {
      // In a read-only installation the content is made again each time.
    }
  }

  /** Keeps a few files of each kind. So somebody who switches between two branches or sets of rules finds both in the cache. */
  #dropUnused(): void {
    const own = basename(this.path);
    const kept = new RegExp(`^${this.#kind}-[0-9a-f]{32}\\.${this.#extension}$`);
    const others = readdirSync(this.#dir).filter((name) => name !== own && kept.test(name));
    const byUse = others.map((name) => ({ name, used: statSync(join(this.#dir, name)).mtimeMs }));
    for (const { name } of byUse.sort((a, b) => b.used - a.used).slice(othersMax))
      rmSync(join(this.#dir, name), { force: true });
  }
}

/** How many other files of one kind are kept. */
const othersMax = 7;

function markUsed(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // In a read-only installation nothing is deleted, so the time of use does not matter.
  }
}

/** A cache of what an earlier start made of a set of files, as JSON in one file, so that a start need not parse megabytes of YAML again. */
export class DocumentCache<T extends object> {
  readonly #file: KeptFile;

  /** `dependsOn`: the texts of the files and of their schemas, and versions. */
  constructor(dir: string, kind: string, dependsOn: readonly string[]) {
    this.#file = new KeptFile(dir, { kind, extension: "json" }, dependsOn);
  }

  /** The kept value; undefined when there is none that `isWhole` accepts. */
  read(isWhole: (kept: Partial<T>) => boolean): T | undefined {
    return this.#file.read((path) => {
      const kept = JSON.parse(readFileSync(path, "utf8")) as T;
      return isWhole(kept) ? kept : undefined;
    });
  }

  write(kept: T): void {
    this.#file.write(() => JSON.stringify(kept));
  }
}
