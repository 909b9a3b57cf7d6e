import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { compareText } from "../../kernel/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { signatureParser } from "../abi/signature-parser.ts";
import { openDocument, readDocument } from "../documents/document.ts";
import { createReporter } from "../documents/reporter.ts";
import { checkSchema } from "../documents/schema-check.ts";
import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import { messageCompiler } from "./compile/messages/compile-message.ts";
import { compileDocuments, type LoadedRuleset } from "./compile-documents.ts";
import { authorHelp } from "./document/author-help.ts";
import { fingerprintOf } from "./document/fingerprint.ts";
import { normalForms } from "./document/normal-form/normal-form.ts";
import { reportOldWords } from "./document/normal-form/old-words.ts";
import { resolveFiles } from "./document/resolve-files.ts";
import { ruleDocumentCodes, ruleSchema, tableSchemas } from "./document/rule-schemas.ts";
import { type KeptRules, keptOf, openRuleCache, type RuleSource, readKept } from "./rule-cache.ts";
import { layFolderWording } from "./wording/folder-wording.ts";

/**
 * Later folders add to earlier ones. Throws nothing: mistakes become diagnostics, and such a file adds no rules. `cacheDir`: files read
 * before without a mistake are not parsed again.
 */
export function loadRuleset(dirs: string | readonly string[], cacheDir: string | null = null): LoadedRuleset {
  const diagnostics: Diagnostic[] = [];
  const folders = [dirs].flat();
  const sources = folders.flatMap((dir, folder) => readFolder(dir, folder, diagnostics));
  const loaded = loadSources(sources, cacheDir);
  const found = [...diagnostics, ...loaded.diagnostics];
  // Without action types no transaction can be told, so this is probably the wrong folder.
  if (found.length === 0 && loaded.ruleset.actions.size === 0)
    found.push(folderMistake(folders[0] ?? "rules", "there is no action type: `actions.yaml` is missing, or empty"));
  return { ...loaded, diagnostics: found };
}

/** An empty folder is reported: nobody names one on purpose. */
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
  // Mistakes are reported for the complete files: in the shortened text, lines are at other places.
  const loaded = bare.diagnostics.length === 0 ? bare : compileSources(sources);
  const values = sources.map(({ file }) => loaded.values.get(file));
  if (loaded.diagnostics.length === 0) cache.write(keptOf(values, loaded));
  return loaded;
}

/** `.yaml` and `.yml`, sorted by code units. */
export function listYaml(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(compareText);
}

/** Reads no disk. `known`: what an earlier start cached. */
export function compileSources(
  sources: readonly RuleSource[],
  known?: Pick<KeptRules, "fingerprint"> & Partial<KeptRules>,
): LoadedRuleset {
  const diagnostics: Diagnostic[] = [];
  const isTable = ({ file }: RuleSource) => tableSchemas.has(basename(file));
  // Of two files with one protocol, the one in the later folder is reported.
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
    resolve: (opened, found) => resolveFiles(normalForms(opened, found), found),
    diagnostics,
    reporterOf: (source) => createReporter(source, diagnostics),
  });
}

/** Undefined where a mistake makes the rest unreadable. */
function openSource({ file, text, value }: RuleSource, diagnostics: Diagnostic[]): SourceDocument {
  if (value !== undefined) return { ...openDocument(file, text, ruleDocumentCodes, value), checked: true };
  const source = readDocument(file, text, ruleDocumentCodes);
  diagnostics.push(...source.diagnostics);
  const schema = tableSchemas.get(basename(file)) ?? ruleSchema;
  if (schema === ruleSchema && reportOldWords(source.value, createReporter(source, diagnostics)))
    return { ...source, value: undefined };
  const wrong = source.value === undefined ? [] : checkSchema(schema, source, diagnostics);
  if (wrong.length === 0) return source;
  return { ...source, value: schema === ruleSchema ? withoutAsides(source.value as object, wrong) : undefined };
}

/** Nothing else in a file depends on these. */
const asides: readonly unknown[] = ["name", "site", "abi_source", "examples"];

/** Drops wrong fields, so that one run finds further mistakes; undefined where other parts depend on one. */
function withoutAsides(value: object, wrong: readonly DocumentPath[]): object | undefined {
  const left = structuredClone(value) as Record<string, unknown> &
    Record<"rules" | "messages", Record<string, unknown>[] | undefined>;
  for (const [field, position, inner] of wrong) {
    if (asides.includes(field)) delete left[field as string];
    else if ((field === "rules" || field === "messages") && inner === "example")
      delete left[field]?.[position as number]?.[inner];
    else return undefined;
  }
  return left;
}

/**
 * A start need not parse what only lint reads. Drops the lines of `examples:` and of `example:` in `rules`, so places differ from those of
 * the file.
 */
export function withoutExamples(text: string): string {
  let within: number | undefined;
  const lines = text.split("\n").filter((line) => {
    const indent = line.search(/\S/);
    if (within !== undefined && (indent < 0 || indent > within)) return false;
    within = line.startsWith("examples:") ? 0 : line.startsWith("    example:") ? 4 : undefined;
    return within === undefined;
  });
  return lines.join("\n");
}
