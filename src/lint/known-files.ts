import { createHash } from "node:crypto";
import { learnSignatures, type SignatureFacts, signatureFacts } from "../abi/signature.ts";
import { DocumentCache } from "../documents/kept-file.ts";
import { schemaText } from "../documents/validator.ts";
import { openLabelFile } from "../labels/load.ts";
import { labelSchema } from "../labels/schema.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LoadedRuleset } from "../ruleset/compile-documents.ts";
import { engineVersion } from "../ruleset/document/engine-version.ts";
import { fileName, fileStem, ruleSchema, tableSchemas } from "../ruleset/document/rule-schemas.ts";
import { type RuleSource, withoutExampleList } from "../ruleset/rule-cache.ts";
import type { LintSources } from "./sources.ts";

/** Values of files in which an earlier run found no mistake, by the hash of all that they depend on. */
interface Kept {
  values: Record<string, unknown>;
  signatures: Record<string, SignatureFacts>;
}

/**
 * Remembers files without a mistake between runs, so that a run that asks for one file parses and checks that one only. What is
 * asked for is always read anew, with every file that it is like.
 */
export class KnownFiles {
  readonly #cache: DocumentCache<Kept>;
  readonly #kept: Kept | undefined;

  constructor(dir: string, { rules }: LintSources) {
    const schemas = [ruleSchema.name, ...[...tableSchemas.values()].map(({ name }) => name), labelSchema];
    const tables = rules.flatMap(({ file, text }) => (tableSchemas.has(fileName(file)) ? [fileName(file), text] : []));
    this.#cache = new DocumentCache(dir, "lint", [engineVersion, ...schemas.map(schemaText), ...tables]);
    this.#kept = this.#cache.read(({ values, signatures }) => values !== undefined && signatures !== undefined);
    if (this.#kept !== undefined) learnSignatures(this.#kept.signatures);
  }

  /**
   * The sources with the values that are known, except those of rule files that were asked for or that such files are like. What lint
   * tells of a label file needs its value only. `others`: files that are read as well, such as those to which findings refer.
   */
  recall(sources: LintSources, others: ReadonlySet<string> = new Set()): LintSources {
    if (this.#kept === undefined) return sources;
    const { values } = this.#kept;
    const { wanted } = sources;
    const keys = keysOf(sources.rules);
    const isRead = ({ file }: RuleSource) =>
      wanted.has(file) || others.has(file) || !Object.hasOwn(values, keys.get(file) ?? "");
    const originals = new Set(sources.rules.filter(isRead).flatMap(({ text }) => likeOf(text) ?? []));
    // A name that means nothing is compared with all names.
    const stems = new Set(sources.rules.map(({ file }) => fileStem(file)));
    if ([...originals].some((name) => !stems.has(name))) return sources;
    const rules = sources.rules.map((source) =>
      isRead(source) || originals.has(fileStem(source.file))
        ? source
        : { ...source, value: values[keys.get(source.file) ?? ""] },
    );
    const labels = sources.labels.map((file) => {
      const value = values[keyOf(file.text)];
      return value === undefined ? file : { ...file, value };
    });
    return { ...sources, rules, labels };
  }

  /** Keeps the files in which this run found no mistake. */
  keep({ rules, labels }: LintSources, loaded: LoadedRuleset, problems: readonly Diagnostic[]): void {
    const known = this.#kept?.values ?? {};
    const keys = keysOf(rules);
    const broken = new Set(problems.map(({ file }) => file));
    const values: Record<string, unknown> = {};
    for (const { file, value } of rules.filter((source) => !broken.has(source.file)))
      values[keys.get(file) ?? ""] = value ?? withoutExampleList(loaded.values.get(file));
    for (const file of labels.filter(({ path }) => !broken.has(path)))
      values[keyOf(file.text)] = openLabelFile(file).value;
    const news = Object.keys(values).some((key) => !Object.hasOwn(known, key));
    if (!news) return;
    // A run in one folder pushes out no file of another folder, until there are too many.
    const others = Object.entries(known).filter(([key]) => !Object.hasOwn(values, key));
    const kept = [...Object.entries(values), ...others].slice(0, filesMax);
    this.#cache.write({ values: Object.fromEntries(kept), signatures: signatureFacts() });
  }
}

/** Three times as many as are shipped. */
const filesMax = 1_000;

/** A file that is like another depends on that one too. */
function keysOf(rules: readonly RuleSource[]): Map<string, string> {
  const byStem = Map.groupBy(rules, ({ file }) => fileStem(file));
  return new Map(
    rules.map(({ file, text }) => {
      const original = byStem.get(likeOf(text) ?? "") ?? [];
      return [file, keyOf([fileStem(file), text, ...original.map((one) => one.text)].join("\n---\n"))];
    }),
  );
}

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** The protocol that a file is like, as far as its text shows before it is parsed. */
function likeOf(text: string): string | undefined {
  return /^like: *["']?([^\s"'#]+)/m.exec(text)?.[1];
}
