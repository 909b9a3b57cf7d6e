import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Tools can make its files again. */
export const documentCache = fileURLToPath(new URL("../../../node_modules/.cache/txgloss", import.meta.url));

/** `<kind>-<hash>.<extension>`. The hash covers everything that the content depends on, so a file is never out of date. */
export class KeptFile {
  readonly path: string;
  readonly #dir: string;
  readonly #kind: string;
  readonly #extension: string;

  /** Texts of the files and their schemas, and versions. */
  constructor(dir: string, { kind, extension }: { kind: string; extension: string }, dependsOn: readonly string[]) {
    const hash = createHash("sha256");
    for (const part of dependsOn) hash.update(`${part.length}:`).update(part);
    this.#dir = dir;
    this.#kind = kind;
    this.#extension = extension;
    this.path = join(dir, `${kind}-${hash.digest("hex").slice(0, 32)}.${extension}`);
  }

  /** Undefined when missing or damaged. */
  read<T>(load: (path: string) => T): T | undefined {
    try {
      const made = load(this.path);
      markUsed(this.path);
      return made;
    } catch {
      return undefined;
    }
  }

  /** Deletes the longest unused files of its kind. A folder that cannot be written to only costs time. */
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

  /** A few of each kind, for somebody who switches between branches or sets of rules. */
  #dropUnused(): void {
    const own = basename(this.path);
    const kept = new RegExp(`^${this.#kind}-[0-9a-f]{32}\\.${this.#extension}$`);
    const others = readdirSync(this.#dir).filter((name) => name !== own && kept.test(name));
    const byUse = others.map((name) => ({ name, used: statSync(join(this.#dir, name)).mtimeMs }));
    for (const { name } of byUse.sort((a, b) => b.used - a.used).slice(othersMax))
      rmSync(join(this.#dir, name), { force: true });
  }
}

const othersMax = 7;

function markUsed(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // In a read-only installation nothing is deleted, so the time of use does not matter.
  }
}

/** What an earlier start made of a set of files, as JSON: parsing megabytes of YAML takes long. */
export class DocumentCache<T extends object> {
  readonly #file: KeptFile;

  /** As of {@link KeptFile}. */
  constructor(dir: string, kind: string, dependsOn: readonly string[]) {
    this.#file = new KeptFile(dir, { kind, extension: "json" }, dependsOn);
  }

  /** Undefined unless `isWhole` accepts it. */
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
