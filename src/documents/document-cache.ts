import { readFileSync } from "node:fs";
import { KeptFile } from "./kept-file.ts";

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

  /** Keeps what was made of files without a mistake. */
  write(kept: T): void {
    this.#file.write(() => JSON.stringify(kept));
  }
}
