import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
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

  /**
   * Writes it, and drops those of its kind that were made of other texts. A folder that cannot be written to only costs time later;
   * then nothing is made.
   */
  write(make: () => string): void {
    try {
      mkdirSync(this.#dir, { recursive: true });
      const draft = `${this.path}.${process.pid}.tmp`;
      writeFileSync(draft, "");
      writeFileSync(draft, make());
      renameSync(draft, this.path);
      this.#dropOthers();
    } catch {
      // Read-only installations make it each time.
    }
  }

  /** Files that were changed do not come back. */
  #dropOthers(): void {
    const own = basename(this.path);
    const kept = new RegExp(`^${this.#kind}-[0-9a-f]{32}\\.${this.#extension}$`);
    for (const name of readdirSync(this.#dir))
      if (name !== own && kept.test(name)) rmSync(join(this.#dir, name), { force: true });
  }
}
