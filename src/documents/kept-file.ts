import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where tools keep what they can make again. */
export const documentCache = fileURLToPath(new URL("../../node_modules/.cache/txgloss", import.meta.url));

/**
 * A file of a cache folder: `<kind>-<hash>.<extension>`. The hash is that of everything that the content depends on: of other texts
 * the file has another name, so nothing is out of date.
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

  /** What `load` makes of it; undefined when there is no such file, or a damaged one. */
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
   * Writes it, and drops those of its kind that were not used for longest. A folder that cannot be written to only costs time later;
   * then nothing is made.
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
      // Read-only installations make it each time.
    }
  }

  /** Whoever goes back and forth between two sets of rules, or two branches, finds both; files that were changed do not come back. */
  #dropUnused(): void {
    const own = basename(this.path);
    const kept = new RegExp(`^${this.#kind}-[0-9a-f]{32}\\.${this.#extension}$`);
    const others = readdirSync(this.#dir).filter((name) => name !== own && kept.test(name));
    const byUse = others.map((name) => ({ name, used: statSync(join(this.#dir, name)).mtimeMs }));
    for (const { name } of byUse.sort((a, b) => b.used - a.used).slice(othersMax))
      rmSync(join(this.#dir, name), { force: true });
  }
}

/** How many of one kind stay beside the one that was written last. */
const othersMax = 7;

function markUsed(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Read-only installations drop nothing.
  }
}

/** What an earlier start made of a set of files, as JSON in one file, so that a start does not parse megabytes of YAML again. */
export class DocumentCache<T extends object> {
  readonly #file: KeptFile;

  /** `dependsOn`: the texts of the files and of their schemas, and versions. */
  constructor(dir: string, kind: string, dependsOn: readonly string[]) {
    this.#file = new KeptFile(dir, { kind, extension: "json" }, dependsOn);
  }

  /** What was kept; undefined when there is nothing that `isWhole` accepts. */
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
