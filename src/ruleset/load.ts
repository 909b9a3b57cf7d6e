import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { FunctionItem } from "../abi/signature.ts";
import { openDocument, readDocument, type SourceDocument } from "../documents/document.ts";
import { createReporter, type Reporter } from "../documents/reporter.ts";
import { checkSchema } from "../documents/schema-check.ts";
import { canonicalJson } from "../kernel/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { NameLabel } from "../model/label.ts";
import { type ActionType, resolveActions } from "./actions.ts";
import { compileFees } from "./compile/compile-fees.ts";
import { compileFailures, compileGrants } from "./compile/compile-grants.ts";
import { compileRule } from "./compile/compile-rule.ts";
import { compileMember } from "./compile/gate.ts";
import { type FileScope, openScope, sortContracts } from "./compile/scope.ts";
import { type AccountHints, compileAccounts, joinAccounts } from "./compile/wrapper/compile-accounts.ts";
import { compileSubjects, compileUnwrapper } from "./compile/wrapper/compile-unwrapper.ts";
import type { CompiledRule, CompiledUnwrapper, FailureEvent, FeeHint, SubjectHint } from "./compiled.ts";
import type { WrittenFile } from "./document/like.ts";
import { resolveDocument } from "./document/resolve.ts";
import type { RuleDocument, WrittenDocument } from "./document/rule-document.ts";
import { ruleDocumentCodes, ruleSchema, tableSchemas } from "./document/rule-schemas.ts";
import { withoutExamples } from "./document/without-examples.ts";
import type { FileGrants } from "./grant-table.ts";
import { engineVersion, type KeptRules, keptOf, openRuleCache, type RuleSource, readKept } from "./rule-cache.ts";
import { compareText, indexRules, type Ruleset } from "./ruleset.ts";
import { readVerbs, type VerbTable } from "./verbs.ts";
import { loadWording } from "./wording/load-wording.ts";
import type { WordingDocument } from "./wording/wording.ts";

/** One rule file after reading: kept for lint, which looks at the source beside the compiled rules. */
export interface LoadedFile {
  /** Takes paths of the resolved document. */
  source: SourceDocument;
  /** What the file itself says; undefined when it is not valid by schema. */
  written: WrittenDocument | undefined;
  /** Undefined for templates too: they tell nothing by themselves. */
  document: RuleDocument | undefined;
  scope: FileScope | undefined;
  rules: CompiledRule[];
  unwrappers: CompiledUnwrapper[];
  subjects: SubjectHint[];
  accounts: AccountHints;
  fees: FeeHint[];
  grants: FileGrants;
  failures: FailureEvent[];
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
  const sources = listYaml(dir).map((path) => ({
    file: relative(process.cwd(), path),
    text: readFileSync(path, "utf8"),
  }));
  if (cacheDir === null) return compileSources(sources);
  const cache = openRuleCache(cacheDir, sources);
  const kept = readKept(cache, sources.length);
  if (kept !== undefined) {
    return compileSources(
      sources.map((source, i) => ({ ...source, value: kept.values[i] })),
      kept,
    );
  }
  const bare = compileSources(sources.map(({ file, text }) => ({ file, text: withoutExamples(text) })));
  // What is wrong is told of the files as they are.
  const loaded = bare.diagnostics.length === 0 ? bare : compileSources(sources);
  if (loaded.diagnostics.length === 0)
    cache.write(
      keptOf(
        sources.map(({ file }) => loaded.values.get(file)),
        loaded,
      ),
    );
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
    rules: usable.flatMap((file) => file.rules),
    unwrappers: usable.flatMap((file) => file.unwrappers),
    subjects: usable.flatMap((file) => file.subjects),
    accounts: joinAccounts(usable.map((file) => file.accounts)),
    fees: usable.flatMap((file) => file.fees),
    grants: usable.map((file) => file.grants),
    failures: usable.flatMap((file) => file.failures),
    errors: usable.flatMap((file) =>
      [...(file.scope?.abi.values() ?? [])].filter((item): item is FunctionItem => item.kind === "error"),
    ),
    names: usable.flatMap((file): NameLabel[] => file.scope?.names ?? []),
    wording,
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
    return opened.map((source) => ({
      source,
      written: undefined,
      document: (source.value as RuleDocument | null) ?? undefined,
    }));
  const byProtocol = new Map<string, WrittenFile>();
  for (const source of opened)
    if (source.value !== undefined) {
      const written = source.value as WrittenDocument;
      byProtocol.set(written.protocol, { source, written });
    }
  return opened.map((source) => {
    if (source.value === undefined) return { source, written: undefined, document: undefined };
    const written = source.value as WrittenDocument;
    const reporter = createReporter(source, diagnostics);
    checkName(source, written, reporter);
    if (written.kind === "template") {
      for (const field of ["like", "contracts"] as const)
        if (written[field] !== undefined)
          reporter.report("RL211", [field], "a template stands alone and has no contracts", { key: true });
      return { source, written, document: undefined };
    }
    const one = resolveDocument({ source, written }, byProtocol, reporter);
    return { ...one, written };
  });
}

function checkName(source: SourceDocument, { protocol }: WrittenDocument, reporter: Reporter): void {
  const stem = basename(source.file).replace(/\.ya?ml$/, "");
  if (protocol !== stem)
    reporter.report("RL201", ["protocol"], `\`${protocol}\` differs from the file name \`${stem}\``, {
      suggest: stem,
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
  const documents = files
    .flatMap(({ document }) =>
      document === undefined
        ? []
        : canonicalJson({ ...document, contracts: sortContracts(document.contracts), examples: [] }),
    )
    .sort();
  return createHash("sha256")
    .update(canonicalJson([engineVersion, table, words, wording, documents]))
    .digest("hex");
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
  const grants: FileGrants = { events: [], calls: [] };
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
  const reporter = createReporter(source, diagnostics);
  const scope = openScope(document, reporter);
  for (const [role, member] of Object.entries(document.members ?? {}))
    scope.members.set(role, compileMember(scope, role, member));
  const rules = (document.rules ?? []).flatMap((entry, i) => compileRule(scope, entry, i, actions));
  const unwrappers = (document.unwrap ?? []).flatMap((entry, i) => compileUnwrapper(scope, entry, i) ?? []);
  return {
    ...file,
    ...{ scope, rules, unwrappers },
    ...{ subjects: compileSubjects(scope), accounts: compileAccounts(scope) },
    fees: compileFees(scope),
    grants: compileGrants(scope),
    failures: compileFailures(scope),
  };
}
