import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { signatureParser } from "../abi/signature-parser.ts";
import { openDocument, readDocument } from "../documents/document.ts";
import { createReporter } from "../documents/reporter.ts";
import { checkSchema } from "../documents/schema-check.ts";
import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import { compareText } from "../kernel/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { messageCompiler } from "./compile/messages/compile-message.ts";
import { compileDocuments, type LoadedRuleset } from "./compile-documents.ts";
import { authorHelp } from "./document/author-help.ts";
import { fingerprintOf } from "./document/fingerprint.ts";
import { resolveFiles } from "./document/resolve-files.ts";
import { ruleDocumentCodes, ruleSchema, tableSchemas } from "./document/rule-schemas.ts";
import { withoutExamples } from "./document/without-examples.ts";
import { type KeptRules, keptOf, openRuleCache, type RuleSource, readKept } from "./rule-cache.ts";
import { layFolderWording } from "./wording/folder-wording.ts";

/**
 * Reads and compiles every rule file of one or more folders, of which later ones add to the earlier. Mistakes are collected, not
 * thrown; a file with errors contributes nothing. With `cacheDir`, files that were once read without a mistake are not parsed again.
 */
export function loadRuleset(dirs: string | readonly string[], cacheDir: string | null = null): LoadedRuleset {
  const diagnostics: Diagnostic[] = [];
  const folders = [dirs].flat();
  const sources = folders.flatMap((dir, folder) => readFolder(dir, folder, diagnostics));
  const loaded = loadSources(sources, cacheDir);
  const found = [...diagnostics, ...loaded.diagnostics];
  // Without action types no transaction could be told, so these are not the folders that were meant.
  if (found.length === 0 && loaded.ruleset.actions.size === 0)
    found.push(folderMistake(folders[0] ?? "rules", "there is no action type: `actions.yaml` is missing, or empty"));
  return { ...loaded, diagnostics: found };
}

/** The rule files of one folder. A folder that has none is a mistake: nobody names it on purpose. */
function readFolder(dir: string, folder: number, diagnostics: Diagnostic[]): RuleSource[] {
  try {
    const paths = listYaml(dir);
    if (paths.length === 0) diagnostics.push(folderMistake(dir, "there is no YAML file in this folder"));
    return paths.map((path) => ({ file: relative(process.cwd(), path), text: readFileSync(path, "utf8"), folder }));
  } catch (error) {
    diagnostics.push(folderMistake(dir, `this folder cannot be read: ${(error as Error).message}`));
    return [];
  }
}

function folderMistake(dir: string, message: string): Diagnostic {
  const start = { line: 1, column: 1 };
  return { code: "RL207", level: "error", file: dir, range: { start, end: start }, message };
}

function loadSources(sources: readonly RuleSource[], cacheDir: string | null): LoadedRuleset {
  if (cacheDir === null) return compileSources(sources);
  const cache = openRuleCache(cacheDir, sources);
  const kept = readKept(cache, sources.length);
  if (kept !== undefined) {
    const known = sources.map((source, i) => ({ ...source, value: kept.values[i] }));
    return compileSources(known, kept);
  }
  const bare = compileSources(sources.map((source) => ({ ...source, text: withoutExamples(source.text) })));
  // What is wrong is told of the files as they are.
  const loaded = bare.diagnostics.length === 0 ? bare : compileSources(sources);
  const values = sources.map(({ file }) => loaded.values.get(file));
  if (loaded.diagnostics.length === 0) cache.write(keptOf(values, loaded));
  return loaded;
}

/** Every `.yaml` below a folder, in code-unit order. */
export function listYaml(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(compareText);
}

/** The same for sources that are already in memory. `known`: what an earlier start made of these sources. */
export function compileSources(
  sources: readonly RuleSource[],
  known?: Pick<KeptRules, "fingerprint"> & Partial<KeptRules>,
): LoadedRuleset {
  const diagnostics: Diagnostic[] = [];
  const isTable = ({ file }: RuleSource) => tableSchemas.has(basename(file));
  // Of two files with one protocol, the one in the later folder is at fault.
  const rules = sources
    .filter((source) => !isTable(source))
    .sort((a, b) => (a.folder ?? 0) - (b.folder ?? 0) || compareText(a.file, b.file));
  const documents = [...sources.filter(isTable), ...rules].map((source) => openSource(source, diagnostics));
  return compileDocuments(documents, {
    fingerprint: known === undefined ? fingerprintOf : () => known.fingerprint,
    wording: (tables, found) => layFolderWording(tables, found, known?.wording),
    messages: messageCompiler,
    signatures: signatureParser,
    help: authorHelp,
    resolve: resolveFiles,
    diagnostics,
    reporterOf: (source) => createReporter(source, diagnostics),
  });
}

/**
 * Parses and validates a source, or takes its value when both were done before. The value is undefined when it has a mistake that
 * the rest could not be read without.
 */
function openSource({ file, text, value }: RuleSource, diagnostics: Diagnostic[]): SourceDocument {
  if (value !== undefined) return { ...openDocument(file, text, ruleDocumentCodes, value), checked: true };
  const source = readDocument(file, text, ruleDocumentCodes);
  diagnostics.push(...source.diagnostics);
  const schema = tableSchemas.get(basename(file)) ?? ruleSchema;
  const wrong = source.value === undefined ? [] : checkSchema(schema, source, diagnostics);
  if (wrong.length === 0) return source;
  return { ...source, value: schema === ruleSchema ? withoutAsides(source.value as object, wrong) : undefined };
}

/** Fields that nothing else in a rule file rests on. */
const asides: readonly unknown[] = ["name", "site", "abi_source", "examples"];

/** A rule file without the fields that are wrong, where nothing rests on these: what else is wrong is told in the same run. */
function withoutAsides(value: object, wrong: readonly DocumentPath[]): object | undefined {
  const left = structuredClone(value) as Record<string, unknown> & { rules?: Record<string, unknown>[] };
  for (const [field, position, inner] of wrong) {
    if (asides.includes(field)) delete left[field as string];
    else if (field === "rules" && inner === "example") delete left.rules?.[position as number]?.[inner];
    else return undefined;
  }
  return left;
}
