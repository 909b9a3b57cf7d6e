import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { canonicalJson } from "../kernel/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { NameLabel } from "../model/label.ts";
import { type ActionType, resolveActions } from "./actions.ts";
import { compileRule } from "./compile-rule.ts";
import { compileSubjects, compileUnwrapper } from "./compile-unwrapper.ts";
import type { CompiledRule, CompiledUnwrapper, SubjectHint } from "./compiled.ts";
import { readDocument, type SourceDocument } from "./document.ts";
import { compileMember } from "./gate.ts";
import { createReporter } from "./reporter.ts";
import type { RuleDocument } from "./rule-document.ts";
import { compareText, indexRules, type Ruleset } from "./ruleset.ts";
import { checkSchema } from "./schema-check.ts";
import { type FileScope, openScope } from "./scope.ts";
import type { FunctionItem } from "./signature.ts";

/** Raised when a rule file is compiled: part of the fingerprint, so that two engines never share an answer's tag. */
export const engineVersion = "1";

/** One rule file after reading: kept for lint, which looks at the source beside the compiled rules. */
export interface LoadedFile {
  source: SourceDocument;
  /** Undefined when the file is not valid by schema. */
  document: RuleDocument | undefined;
  scope: FileScope | undefined;
  rules: CompiledRule[];
  unwrappers: CompiledUnwrapper[];
  subjects: SubjectHint[];
}

export interface LoadedRuleset {
  ruleset: Ruleset;
  diagnostics: Diagnostic[];
  files: LoadedFile[];
}

/** Reads and compiles every rule file of a folder. Mistakes are collected, not thrown; a file with errors contributes nothing. */
export function loadRuleset(dir: string): LoadedRuleset {
  return compileSources(
    listYaml(dir).map((path) => ({ file: relative(process.cwd(), path), text: readFileSync(path, "utf8") })),
  );
}

/** Every `.yaml` below a folder, in code-unit order. */
export function listYaml(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(compareText);
}

/** The same for sources that are already in memory. The file named `actions.yaml` is the action table. */
export function compileSources(sources: { file: string; text: string }[]): LoadedRuleset {
  const diagnostics: Diagnostic[] = [];
  const ordered = [...sources].sort((a, b) => compareText(a.file, b.file));
  const table = ordered.find((source) => basename(source.file) === "actions.yaml");
  const actions = table === undefined ? new Map<string, ActionType>() : readActions(table, diagnostics);
  const files = ordered.filter((source) => source !== table).map((source) => compileFile(source, actions, diagnostics));
  const usable = files.filter((file) => !diagnostics.some((d) => d.level === "error" && d.file === file.source.file));
  const fingerprint = createHash("sha256")
    .update(
      canonicalJson([
        engineVersion,
        [...actions.values()].map((a) => canonicalJson(a)).sort(),
        usable.map((file) => canonicalJson(file.source.value)).sort(),
      ]),
    )
    .digest("hex");
  const ruleset = indexRules({
    actions,
    rules: usable.flatMap((file) => file.rules),
    unwrappers: usable.flatMap((file) => file.unwrappers),
    subjects: usable.flatMap((file) => file.subjects),
    errors: usable.flatMap((file) =>
      [...(file.scope?.abi.values() ?? [])].filter((item): item is FunctionItem => item.kind === "error"),
    ),
    names: usable.flatMap((file): NameLabel[] => file.scope?.names ?? []),
    fingerprint,
  });
  return { ruleset, diagnostics, files };
}

function readActions(table: { file: string; text: string }, diagnostics: Diagnostic[]): Map<string, ActionType> {
  const source = readDocument(table.file, table.text);
  diagnostics.push(...source.diagnostics);
  const reporter = createReporter(source, diagnostics);
  if (source.value === undefined || !checkSchema("actions", source, diagnostics)) return new Map();
  const { actions, problems } = resolveActions(source.value as Parameters<typeof resolveActions>[0]);
  for (const problem of problems) reporter.report("RL207", problem.path, problem.message);
  return actions;
}

function compileFile(
  input: { file: string; text: string },
  actions: Map<string, ActionType>,
  diagnostics: Diagnostic[],
): LoadedFile {
  const source = readDocument(input.file, input.text);
  diagnostics.push(...source.diagnostics);
  const broken: LoadedFile = { source, document: undefined, scope: undefined, rules: [], unwrappers: [], subjects: [] };
  if (source.value === undefined || !checkSchema("rule", source, diagnostics)) return broken;
  const document = source.value as RuleDocument;
  const reporter = createReporter(source, diagnostics);
  const stem = basename(input.file).replace(/\.ya?ml$/, "");
  if (document.protocol !== stem)
    reporter.report("RL201", ["protocol"], `\`${document.protocol}\` differs from the file name \`${stem}\``, {
      suggest: stem,
    });
  const scope = openScope(document, reporter);
  for (const [role, member] of Object.entries(document.members ?? {}))
    scope.members.set(role, compileMember(scope, role, member));
  const rules = (document.rules ?? []).flatMap((entry, i) => compileRule(scope, entry, i, actions));
  const unwrappers = (document.unwrap ?? []).flatMap((entry, i) => compileUnwrapper(scope, entry, i) ?? []);
  return { source, document, scope, rules, unwrappers, subjects: compileSubjects(scope) };
}
