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

/** Lint needs the source beside the compiled rules. */
export interface LoadedFile extends FileHints, ResolvedFile {
  scope: FileScope | undefined;
  rules: CompiledRule[];
  /** With `sign`. */
  messages: MessageRule[];
  unwrappers: CompiledUnwrapper[];
}

export interface LoadedRuleset {
  ruleset: Ruleset;
  diagnostics: Diagnostic[];
  files: LoadedFile[];
  /** By file name, with the action table and the wording. */
  values: ReadonlyMap<string, unknown>;
  /** Laid over those of the package. */
  wording: WordingDocument;
}

export interface CompileContext {
  /** An earlier fingerprint is given back where the documents are the same. */
  fingerprint: (stated: StatedRules) => string;
  /** Missing phrases come from the package. */
  wording: (tables: readonly SourceDocument[], diagnostics: Diagnostic[]) => LaidWording;
  /** null: rules about messages are left out. */
  messages: MessageCompiler | null;
  signatures: SignatureReader;
  /** null: the documents are known to have no mistake. */
  help: AuthorHelp | null;
  resolve: ResolveFiles;
  /** Reporters add to it. */
  diagnostics: Diagnostic[];
  reporterOf: (source: SourceDocument) => Reporter;
}

/**
 * Compiles rule folders without reading the disk. `actions.yaml`, `verbs.yaml` and `wording.yaml` are tables; those of later folders add to
 * earlier ones, but may not define an action type again (RL207).
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

/** A type defined twice is reported at its second place, other mistakes in the last table. */
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
    ...{
      accounts: joinAccounts([]),
      fees: [],
      charges: [],
      grants,
      failures: [],
      precompiles: [],
      notes: [],
      phrasedCauses: [],
    },
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
