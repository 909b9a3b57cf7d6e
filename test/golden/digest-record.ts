import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** What was told of something with one thing otherwise. */
export interface Told {
  /** What was otherwise. */
  name: string;
  digest: string;
}

/** Of each subject, all that was told, in order. */
export type Digests = ReadonlyMap<string, readonly Told[]>;

/** A record of digests: a line for each subject, with the digests in order. */
export class DigestRecord {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What differs from the record, a line each: the subject and what was otherwise. */
  changes(found: Digests): string[] {
    const text = existsSync(this.#path) ? readFileSync(this.#path, "utf8") : "";
    const recorded = new Map(text.split("\n").map((line) => line.split("\t") as [string, string]));
    return [...found].flatMap(([subject, told]) => {
      const digests = recorded.get(subject)?.split(" ") ?? [];
      return told.flatMap(({ name, digest }, i) => (digests[i] === digest ? [] : [`${subject} ${name}`]));
    });
  }

  write(found: Digests): void {
    const lines = [...found].map(([subject, told]) => `${subject}\t${told.map(({ digest }) => digest).join(" ")}\n`);
    writeFileSync(this.#path, lines.join(""));
  }
}

/** Short, since a change shows in many digests at once. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 4);
}
