import { createHash } from "node:crypto";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { learnSignatures, type SignatureFacts, signatureFacts } from "../../rules/abi/signature.ts";
import { DocumentCache } from "../../rules/documents/kept-file.ts";
import { schemaTexts } from "../../rules/documents/validator.ts";
import { openLabelFile } from "../../rules/labels/load.ts";
import { labelSchema } from "../../rules/labels/schema.ts";
import type { LoadedRuleset } from "../../rules/ruleset/compile-documents.ts";
import { engineVersion } from "../../rules/ruleset/document/engine-version.ts";
import { fileName, fileStem, ruleSchema, tableSchemas } from "../../rules/ruleset/document/rule-schemas.ts";
import { type RuleSource, withoutExampleList } from "../../rules/ruleset/rule-cache.ts";
import type { LintSources } from "./sources.ts";

/** Keyed by a hash of all that the file depends on. `signatures`: facts of parsing. */
interface Kept {
  values: Record<string, unknown>;
  signatures: Record<string, SignatureFacts>;
}

/** Files without mistakes, so that a run parses and checks only what was asked for, with the files that it is like. */
export class KnownFiles {
  readonly #cache: DocumentCache<Kept>;
  readonly #kept: Kept | undefined;

  constructor(dir: string, { rules }: LintSources) {
    const schemas = [ruleSchema.name, ...[...tableSchemas.values()].map(({ name }) => name), labelSchema];
    const tables = rules.flatMap(({ file, text }) => (tableSchemas.has(fileName(file)) ? [fileName(file), text] : []));
    this.#cache = new DocumentCache(dir, "lint", [
      engineVersion,
      ...schemas.flatMap((name) => [...schemaTexts(name).values()]),
      ...tables,
    ]);
    this.#kept = this.#cache.read(({ values, signatures }) => values !== undefined && signatures !== undefined);
    if (this.#kept !== undefined) learnSignatures(this.#kept.signatures);
  }

  /**
   * Asked rule files, those they are like and `others` get no value and are read anew. Label files always get theirs: their findings need
   * nothing else.
   */
  recall(sources: LintSources, others: ReadonlySet<string> = new Set()): LintSources {
    if (this.#kept === undefined) return sources;
    const { values } = this.#kept;
    const { wanted } = sources;
    const keys = keysOf(sources.rules);
    const isRead = ({ file }: RuleSource) =>
      wanted.has(file) || others.has(file) || !Object.hasOwn(values, keys.get(file) ?? "");
    const originals = new Set(sources.rules.filter(isRead).flatMap(({ text }) => likeOf(text) ?? []));
    // A wrong name in `like` is compared with the names of all files, so all must be read.
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

  /** Of this run. */
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
    // Values of other folders are kept too, up to the limit.
    const others = Object.entries(known).filter(([key]) => !Object.hasOwn(values, key));
    const kept = [...Object.entries(values), ...others].slice(0, filesMax);
    this.#cache.write({ values: Object.fromEntries(kept), signatures: signatureFacts() });
  }
}

/** About three times as many as the package has. */
const filesMax = 1_000;

/** A key also covers the file that the rule file is like. */
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

/** Found in the text before parsing. */
function likeOf(text: string): string | undefined {
  return /^like: *["']?([^\s"'#]+)/m.exec(text)?.[1];
}
