import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { learnSignatures, type SignatureFacts, signatureFacts } from "../../abi/signature.ts";

/** A rule file at hand. `value` is there when it was read before and found without a mistake: it is then neither parsed nor checked. */
export interface RuleSource {
  file: string;
  text: string;
  value?: unknown;
}

interface Kept {
  values: readonly unknown[];
  signatures: Record<string, SignatureFacts>;
  fingerprint: string;
}

/** What an earlier start made of the same files. */
export interface KnownSources {
  sources: RuleSource[];
  fingerprint: string;
}

/**
 * Parsed rule files of an earlier start, so that a start does not parse megabytes of YAML again; without their examples, which
 * only lint reads. One file, named by the hash of everything that it depends on: other rules or another schema have another
 * name, so nothing can be out of date.
 */
export class DocumentCache {
  readonly #path: string;
  readonly #dir: string;

  constructor(dir: string, sources: readonly RuleSource[], checkedBy: readonly string[]) {
    const hash = createHash("sha256");
    for (const part of [...checkedBy, ...sources.flatMap(({ file, text }) => [file, text])])
      hash.update(`${part.length}:${part}`);
    this.#dir = dir;
    this.#path = join(dir, `rules-${hash.digest("hex").slice(0, 32)}.json`);
  }

  /** The sources with their values; undefined when there is no usable cache. What was learned of signatures is taken over. */
  read(sources: readonly RuleSource[]): KnownSources | undefined {
    try {
      const { values, signatures, fingerprint } = JSON.parse(readFileSync(this.#path, "utf8")) as Partial<Kept>;
      if (!Array.isArray(values) || values.length !== sources.length || typeof signatures !== "object")
        return undefined;
      if (typeof fingerprint !== "string") return undefined;
      learnSignatures(signatures);
      return { sources: sources.map((source, i) => ({ ...source, value: values[i] })), fingerprint };
    } catch {
      return undefined;
    }
  }

  /** Rules that were changed are not asked for again. */
  #dropOthers(): void {
    const own = basename(this.#path);
    for (const name of readdirSync(this.#dir))
      if (/^rules-[0-9a-f]{32}\.json$/.test(name) && name !== own) rmSync(join(this.#dir, name), { force: true });
  }

  /** Keeps the values of sources that had no mistake. A folder that cannot be written to only costs time at the next start. */
  write(values: readonly unknown[], fingerprint: string): void {
    try {
      mkdirSync(this.#dir, { recursive: true });
      const draft = `${this.#path}.${process.pid}.tmp`;
      const kept: Kept = { values: values.map(withoutExamples), signatures: signatureFacts(), fingerprint };
      writeFileSync(draft, JSON.stringify(kept));
      renameSync(draft, this.#path);
      this.#dropOthers();
    } catch {
      // Read-only installations start from YAML each time.
    }
  }
}

function withoutExamples(value: unknown): unknown {
  if (value === null) return null;
  const { examples: _, ...rest } = value as { examples?: unknown };
  return rest;
}
