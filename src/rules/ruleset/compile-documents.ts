import type { Diagnostic } from "../../model/diagnostic.ts";
import type { SignatureReader } from "../abi/signature.ts";
import type { Reporter } from "../documents/reporter.ts";
import type { SourceDocument } from "../documents/source-document.ts";
import { type ActionTypes, resolveActions } from "./actions.ts";
import { compileHints, type FileHints, joinAccounts } from "./compile/compile-hints.ts";
import { compileRule } from "./compile/compile-rule.ts";
import { compileUnwrapper } from "./compile/compile-unwrapper.ts";
import { compileMember } from "./compile/gate.ts";
import type { MessageCompiler } from "./compile/messages/message-compiler.ts";
import { openScope } from "./compile/scope.ts";
import { type FileScope, Spot } from "./compile/spot.ts";
import type { CompiledRule } from "./compiled.ts";
import type { CompiledUnwrapper } from "./compiled-unwrapper.ts";
import type { AuthorHelp } from "./document/author-help.ts";
import type { StatedRules } from "./document/fingerprint.ts";
import { isMessageEntry } from "./document/message-entry.ts";
import type { ResolvedFile, ResolveFiles } from "./document/resolve-files.ts";
import { fileName, tableSchemas } from "./document/rule-schemas.ts";
import type { MessageRule } from "./message-rule.ts";
import { indexRules, type Ruleset } from "./ruleset.ts";
import { readVerbs } from "./verbs.ts";
import type { LaidWording, WordingDocument } from "./wording/wording.ts";

/** One rule file after compiling. Lint needs the source beside the compiled rules. */
export interface LoadedFile extends FileHints, ResolvedFile {
  scope: FileScope | undefined;
  rules: CompiledRule[];
  /** Rules about messages (`sign`). */
  messages: MessageRule[];
  unwrappers: CompiledUnwrapper[];
}

export interface LoadedRuleset {
  ruleset: Ruleset;
  diagnostics: Diagnostic[];
  files: LoadedFile[];
  /** Plain data of every source by file name, with the action table and the wording. */
  values: ReadonlyMap<string, unknown>;
  /** The phrases of the folder, laid over those of the package. */
  wording: WordingDocument;
}

/** What compiling needs beside the documents of a rule folder. */
export interface CompileContext {
  /** Computes the fingerprint of the rules. An earlier fingerprint is given back where the documents are the same. */
  fingerprint: (stated: StatedRules) => string;
  /** Reads the tables of phrases. Phrases that they leave out come from the package. */
  wording: (tables: readonly SourceDocument[], diagnostics: Diagnostic[]) => LaidWording;
  /** Compiles rules about messages. null: such rules are left out. */
  messages: MessageCompiler | null;
  signatures: SignatureReader;
  /** Suggestions for authors. null where the documents are known to have no mistake. */
  help: AuthorHelp | null;
  resolve: ResolveFiles;
  /** Mistakes found so far; reporters add to this list. */
  diagnostics: Diagnostic[];
  reporterOf: (source: SourceDocument) => Reporter;
}

/**
 * Compiles the documents of one or more rule folders. It does not read the disk. Three file names are special: `actions.yaml` is the action
 * table, `verbs.yaml` the table of verbs, `wording.yaml` the phrases. Phrases that are missing come from the package. Where several folders
 * have one of these files, later folders add to earlier ones; a later folder cannot define an action type again (RL207).
 */
export function compileDocuments(documents: readonly SourceDocument[], context: CompileContext): LoadedRuleset {
  const { diagnostics } = context;
  const named = (name: string) => documents.filter(({ file }) => fileName(file) === name);
  const [actionTables, verbTables, phraseTables] = [named("actions.yaml"), named("verbs.yaml"), named("wording.yaml")];
  const actions = readActions(actionTables, context);
  const verbs = new Map(verbTables.flatMap(({ value }) => [...readVerbs(value)]));
  const { wording, document: words } = context.wording(phraseTables, diagnostics);
  const opened = documents.filter(({ file }) => !tableSchemas.has(fileName(file)));
  const files = context.resolve(opened, diagnostics).map((file) => compileFile(file, actions, context));
  const usable = files.filter(({ source }) => !diagnostics.some(({ file }) => file === source.file));
  const ruleset = indexRules({
    actions,
    verbs,
    wording,
    files: usable,
    fingerprint: context.fingerprint({
      ...{ actions, verbs, wording: words },
      documents: usable.flatMap(({ document }) => document ?? []),
    }),
  });
  const values = new Map<string, unknown>(files.map((file) => [file.source.file, file.document ?? null]));
  for (const one of [...actionTables, ...verbTables, ...phraseTables]) values.set(one.file, one.value);
  return { ruleset, diagnostics, files, values, wording: words };
}

/**
 * Joins the action tables. A type that is defined twice is reported at its second place; all other mistakes are reported in the last table.
 */
function readActions(sources: readonly SourceDocument[], { reporterOf }: CompileContext): ActionTypes {
  const table: ActionTable = {};
  const known = new Set<string>();
  let reporter: Reporter | undefined;
  for (const source of sources.filter(({ value }) => value !== undefined)) {
    reporter = reporterOf(source);
    for (const [tier, entries] of Object.entries(source.value as ActionTable))
      for (const [id, entry] of Object.entries(entries)) {
        if (known.has(id))
          reporter.report("RL207", [tier, id], `the action \`${id}\` is in another folder already`, { key: true });
        else table[tier] = { ...table[tier], [id]: entry };
        known.add(id);
      }
  }
  const { actions, problems } = resolveActions(table);
  for (const problem of problems) reporter?.report("RL207", problem.path, problem.message);
  return actions;
}

type ActionTable = Parameters<typeof resolveActions>[0];

function compileFile(file: ResolvedFile, actions: ActionTypes, context: CompileContext): LoadedFile {
  const { messages: compiler, reporterOf } = context;
  const { source, document } = file;
  const grants = { events: [], calls: [] };
  const nothing = {
    ...{ rules: [], messages: [], unwrappers: [], subjects: [], signers: [] },
    ...{ accounts: joinAccounts([]), fees: [], grants, failures: [], precompiles: [], notes: [], phrasedCauses: [] },
  };
  if (document === undefined) return { ...file, scope: undefined, ...nothing };
  const scope = openScope(document, reporterOf(source), context);
  for (const [role, member] of Object.entries(document.members ?? {}))
    scope.members.set(role, compileMember(new Spot(scope, ["members", role]), role, member));
  const entries = document.rules ?? [];
  const rules = entries.flatMap((entry, i) => (isMessageEntry(entry) ? [] : compileRule(scope, entry, i, actions)));
  const messages = entries.flatMap((entry, i) =>
    isMessageEntry(entry) ? (compiler?.compile(scope, entry, i, actions) ?? []) : [],
  );
  const unwrappers = (document.unwrap ?? []).flatMap((entry, i) => compileUnwrapper(scope, entry, i) ?? []);
  return { ...file, scope, rules, messages, unwrappers, ...compileHints(scope) };
}
