import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { openDocument, readDocument, type SourceDocument } from "../documents/document.ts";
import { createReporter } from "../documents/reporter.ts";
import { checkSchema } from "../documents/schema-check.ts";
import { canonicalJson, compareText } from "../kernel/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type ActionType, resolveActions } from "./actions.ts";
import { compileHints, type FileHints, joinAccounts } from "./compile/compile-hints.ts";
import { compileRule } from "./compile/compile-rule.ts";
import { compileUnwrapper } from "./compile/compile-unwrapper.ts";
import { compileMember } from "./compile/gate.ts";
import { openScope, sortContracts } from "./compile/scope.ts";
import { type FileScope, Spot } from "./compile/spot.ts";
import type { CompiledRule, CompiledUnwrapper } from "./compiled.ts";
import type { WrittenFile } from "./document/like.ts";
import { resolveDocument } from "./document/resolve.ts";
import type { RuleDocument, WrittenDocument } from "./document/rule-document.ts";
import { ruleDocumentCodes, ruleSchema, tableSchemas } from "./document/rule-schemas.ts";
import { withoutExamples } from "./document/without-examples.ts";
import { engineVersion, type KeptRules, keptOf, openRuleCache, type RuleSource, readKept } from "./rule-cache.ts";
import { indexRules, type Ruleset } from "./ruleset.ts";
import { readVerbs, type VerbTable } from "./verbs.ts";
import { loadWording } from "./wording/load-wording.ts";
import type { WordingDocument } from "./wording/wording.ts";

/** One rule file after reading: kept for lint, which looks at the source beside the compiled rules. */
export interface LoadedFile extends FileHints {
  /** Takes paths of the resolved document. */
  source: SourceDocument;
  /** What the file itself says; undefined when it is not valid by schema. */
  written: WrittenDocument | undefined;
  /** Undefined for templates too: they tell nothing by themselves. */
  document: RuleDocument | undefined;
  scope: FileScope | undefined;
  rules: CompiledRule[];
  unwrappers: CompiledUnwrapper[];
}

export interface LoadedRuleset {
  ruleset: Ruleset;
  diagnostics: Diagnostic[];
  files: LoadedFile[];
  /** Plain data of every source, the action table and the wording included, by file. */
  values: ReadonlyMap<string, unknown>;
  /** The phrases of the folder, laid over those of the package. */
  wording: WordingDocument;
}

/**
 * Reads and compiles every rule file of a folder. Mistakes are collected, not thrown; a file with errors contributes nothing.
 * With `cacheDir`, files that were once read without a mistake are not parsed again.
 */
export function loadRuleset(dir: string, cacheDir: string | null = null): LoadedRuleset {
  const sources = listYaml(dir).map((path): RuleSource => {
    return { file: relative(process.cwd(), path), text: readFileSync(path, "utf8") };
  });
  if (cacheDir === null) return compileSources(sources);
  const cache = openRuleCache(cacheDir, sources);
  const kept = readKept(cache, sources.length);
  if (kept !== undefined) {
    const known = sources.map((source, i) => ({ ...source, value: kept.values[i] }));
    return compileSources(known, kept);
  }
  const bare = compileSources(sources.map(({ file, text }) => ({ file, text: withoutExamples(text) })));
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

/**
 * The same for sources that are already in memory. The file named `actions.yaml` is the action table, `verbs.yaml` the table of
 * verbs, `wording.yaml` holds the phrases; without one, and for phrases that it leaves out, those of the package are said. `known`:
 * what an earlier start made of these sources.
 */
export function compileSources(sources: readonly RuleSource[], known?: KeptRules): LoadedRuleset {
  const diagnostics: Diagnostic[] = [];
  const ordered = [...sources].sort((a, b) => compareText(a.file, b.file));
  const open = (source: RuleSource): SourceDocument => openSource(source, diagnostics);
  const named = (name: string): SourceDocument | undefined => {
    const source = ordered.find(({ file }) => basename(file) === name);
    return source === undefined ? undefined : open(source);
  };
  const [actionTable, verbTable, phraseTable] = [named("actions.yaml"), named("verbs.yaml"), named("wording.yaml")];
  const actions = readActions(actionTable, diagnostics);
  const verbs = readVerbs(verbTable?.value);
  const { wording, document: words } = loadWording(phraseTable, diagnostics, known?.wording);
  const opened = ordered.filter(({ file }) => !tableSchemas.has(basename(file))).map(open);
  const files = resolveAll(opened, known !== undefined, diagnostics).map((file) =>
    compileFile(file, actions, diagnostics),
  );
  const usable = files.filter((file) => !diagnostics.some((d) => d.level === "error" && d.file === file.source.file));
  const ruleset = indexRules({
    actions,
    verbs,
    wording,
    files: usable,
    fingerprint: known?.fingerprint ?? fingerprintOf(actions, { verbs, wording: words }, usable),
  });
  const values = new Map<string, unknown>(files.map((file) => [file.source.file, file.document ?? null]));
  for (const one of [actionTable, verbTable, phraseTable]) if (one !== undefined) values.set(one.file, one.value);
  return { ruleset, diagnostics, files, values, wording: words };
}

type OpenFile = Pick<LoadedFile, "source" | "written" | "document">;

/** Writes every file out. Values of an earlier start are resolved already; of a template there is none. */
function resolveAll(opened: readonly SourceDocument[], resolved: boolean, diagnostics: Diagnostic[]): OpenFile[] {
  if (resolved)
    return opened.map((source) => {
      return { source, written: undefined, document: (source.value as RuleDocument | null) ?? undefined };
    });
  const files = opened.map((source) => ({ source, written: source.value as WrittenDocument | undefined }));
  const usable = files.filter((file): file is WrittenFile => file.written !== undefined);
  const byProtocol = new Map(usable.map((file) => [file.written.protocol, file]));
  return files.map((file) => {
    const { source, written } = file;
    if (written === undefined) return { source, written, document: undefined };
    const reporter = createReporter(source, diagnostics);
    const stem = basename(source.file).replace(/\.ya?ml$/, "");
    if (written.protocol !== stem) {
      const message = `\`${written.protocol}\` differs from the file name \`${stem}\``;
      reporter.report("RL201", ["protocol"], message, { suggest: stem });
    }
    if (written.kind !== "template") return { ...resolveDocument({ source, written }, byProtocol, reporter), written };
    for (const field of ["like", "contracts"] as const)
      if (written[field] !== undefined)
        reporter.report("RL211", [field], "a template stands alone and has no contracts", { key: true });
    return { source, written, document: undefined };
  });
}

/** Independent of the order of files and keys. */
function fingerprintOf(
  actions: ReadonlyMap<string, ActionType>,
  { verbs, wording }: { verbs: VerbTable; wording: WordingDocument },
  files: readonly LoadedFile[],
): string {
  const table = [...actions.values()].map((action) => canonicalJson(action)).sort();
  const words = [...verbs].map(([base, past]) => `${base} ${past}`).sort();
  const documents = files.flatMap(({ document }) => {
    if (document === undefined) return [];
    return canonicalJson({ ...document, contracts: sortContracts(document.contracts), examples: [] });
  });
  const stated = canonicalJson([engineVersion, table, words, wording, documents.sort()]);
  return createHash("sha256").update(stated).digest("hex");
}

/** Parses and validates a source, or takes its value when both were done before. The value is undefined when it has a mistake. */
function openSource({ file, text, value }: RuleSource, diagnostics: Diagnostic[]): SourceDocument {
  if (value !== undefined) return { ...openDocument(file, text, ruleDocumentCodes, value), checked: true };
  const source = readDocument(file, text, ruleDocumentCodes);
  diagnostics.push(...source.diagnostics);
  const schema = tableSchemas.get(basename(file)) ?? ruleSchema;
  const valid = source.value !== undefined && checkSchema(schema, source, diagnostics).length === 0;
  return valid ? source : { ...source, value: undefined };
}

function readActions(source: SourceDocument | undefined, diagnostics: Diagnostic[]): Map<string, ActionType> {
  if (source?.value === undefined) return new Map();
  const reporter = createReporter(source, diagnostics);
  const { actions, problems } = resolveActions(source.value as Parameters<typeof resolveActions>[0]);
  for (const problem of problems) reporter.report("RL207", problem.path, problem.message);
  return actions;
}

function compileFile(file: OpenFile, actions: Map<string, ActionType>, diagnostics: Diagnostic[]): LoadedFile {
  const { source, document } = file;
  const grants = { events: [], calls: [] };
  const nothing = {
    rules: [],
    unwrappers: [],
    subjects: [],
    accounts: joinAccounts([]),
    fees: [],
    grants,
    failures: [],
  };
  if (document === undefined) return { ...file, scope: undefined, ...nothing };
  const scope = openScope(document, createReporter(source, diagnostics));
  for (const [role, member] of Object.entries(document.members ?? {}))
    scope.members.set(role, compileMember(new Spot(scope, ["members", role]), role, member));
  const rules = (document.rules ?? []).flatMap((entry, i) => compileRule(scope, entry, i, actions));
  const unwrappers = (document.unwrap ?? []).flatMap((entry, i) => compileUnwrapper(scope, entry, i) ?? []);
  return { ...file, scope, rules, unwrappers, ...compileHints(scope) };
}
