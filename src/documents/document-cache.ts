import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * What an earlier start made of a set of files, as JSON in one file, so that a start does not parse megabytes of YAML again. The
 * name holds the hash of everything that the content depends on: other texts have another name, so nothing is out of date.
 */
export class DocumentCache<T extends object> {
  readonly #dir: string;
  readonly #kind: string;
  readonly #path: string;

  /** `dependsOn`: the texts of the files and of their schemas, and versions. */
  constructor(dir: string, kind: string, dependsOn: readonly string[]) {
    const hash = createHash("sha256");
    for (const part of dependsOn) hash.update(`${part.length}:`).update(part);
    this.#dir = dir;
    this.#kind = kind;
    this.#path = join(dir, `${kind}-${hash.digest("hex").slice(0, 32)}.json`);
  }

  /** What was kept; undefined when there is nothing that `isWhole` accepts. */
  read(isWhole: (kept: Partial<T>) => boolean): T | undefined {
    try {
      const kept = JSON.parse(readFileSync(this.#path, "utf8")) as T;
      return isWhole(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps what was made of files without a mistake. A folder that cannot be written to only costs time at the next start. */
  write(kept: T): void {
    try {
      mkdirSync(this.#dir, { recursive: true });
      const draft = `${this.#path}.${process.pid}.tmp`;
      writeFileSync(draft, JSON.stringify(kept));
      renameSync(draft, this.#path);
      this.#dropOthers();
    } catch {
      // Read-only installations start from YAML each time.
    }
  }

  /** Files that were changed do not come back. */
  #dropOthers(): void {
    const own = basename(this.#path);
    for (const name of readdirSync(this.#dir))
      if (name !== own && name.startsWith(`${this.#kind}-`) && /^[a-z]+-[0-9a-f]{32}\.json$/.test(name))
        rmSync(join(this.#dir, name), { force: true });
  }
}
