import { createReporter, type Reporter, sortDiagnostics } from "../documents/reporter.ts";
import { compileLabels } from "../labels/load.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { compileSources, type LoadedRuleset } from "../ruleset/load.ts";
import { checkAbiUse, checkStatedHashes } from "./checks/abi-use.ts";
import { checkAttempts, markUnfilled } from "./checks/attempt-told.ts";
import { checkCaptures } from "./checks/capture-use.ts";
import { checkContradictions } from "./checks/contradiction.ts";
import { checkDraftComments } from "./checks/draft-comment.ts";
import { checkCopies, checkCoverage } from "./checks/example-cover.ts";
import { checkLiterals } from "./checks/literal-address.ts";
import { checkSchemaComments } from "./checks/schema-comment.ts";
import { checkSchemes, schemesOf } from "./checks/set/chain-scheme.ts";
import { checkGating } from "./checks/set/gating.ts";
import { checkOverrides } from "./checks/set/override-edge.ts";
import { checkLabels } from "./checks/set/rival-label.ts";
import { checkUnwrappers } from "./checks/set/rival-unwrapper.ts";
import { checkIds } from "./checks/set/rule-id.ts";
import { joinFiles, type RuleSet } from "./checks/set/rule-set.ts";
import { checkShadows } from "./checks/set/shadowed-rule.ts";
import { checkTies } from "./checks/set/tied-rules.ts";
import { checkSite } from "./checks/site.ts";
import { checkTemplates } from "./checks/template-text.ts";
import { findCode } from "./codes/codes.ts";
import { runExamples } from "./examples/examples.ts";
import { isUsable, type UsableFile } from "./rule-view.ts";
import type { LintSources } from "./sources.ts";
import { applySuppressions } from "./suppression.ts";

export interface LintResult {
  /** In order of file, line, column, code; only of files that were asked for. */
  diagnostics: Diagnostic[];
  /** How many files were asked for. */
  files: number;
  loaded: LoadedRuleset;
}

type FileCheck = (file: UsableFile, reporter: Reporter) => void;
type SetCheck = (set: RuleSet) => void;

const fileChecks: readonly FileCheck[] = [
  checkSite,
  checkCaptures,
  checkContradictions,
  checkAbiUse,
  checkStatedHashes,
  checkLiterals,
  checkCoverage,
  checkCopies,
];
const setChecks: readonly SetCheck[] = [
  checkIds,
  checkOverrides,
  checkTies,
  checkShadows,
  checkUnwrappers,
  checkLabels,
];

/** Checks rule and label files. Reads nothing but recordings of examples. */
export function lint(sources: LintSources, recordingsDir: string): LintResult {
  const loaded = compileSources(sources.rules);
  const { labels, diagnostics: labelProblems } = compileLabels(sources.labels, loaded.ruleset.names);
  const diagnostics = [...loaded.diagnostics];
  const broken = new Set(diagnostics.filter((one) => one.level === "error").map((one) => one.file));
  const usable = loaded.files.filter(isUsable).filter((file) => !broken.has(file.source.file));
  const set = joinFiles(usable, diagnostics);
  for (const check of setChecks) guard(diagnostics, usable[0], () => check(set));
  guard(diagnostics, usable[0], () => checkGating(set, loaded.ruleset.actions));
  guard(diagnostics, usable[0], () => checkSchemes(set, schemesOf(sources.labels)));
  const scopes = new Map(usable.map((file) => [file.document.protocol, file.scope]));
  const world = { ruleset: loaded.ruleset, labels, recordingsDir, scopes: (protocol: string) => scopes.get(protocol) };
  const marked = { ...world, ruleset: markUnfilled(loaded.ruleset) };
  for (const file of usable) {
    if (!sources.wanted.has(file.source.file)) continue;
    const reporter = createReporter(file.source, diagnostics);
    guard(diagnostics, file, () => checkTemplates(file, loaded.ruleset.verbs, reporter));
    for (const check of fileChecks) guard(diagnostics, file, () => check(file, reporter));
    guard(diagnostics, file, () => runExamples(file, world, reporter));
    guard(diagnostics, file, () => checkAttempts(file, marked, reporter));
  }
  diagnostics.push(...checkSchemaComments(sources), ...checkDraftComments(sources));
  const wanted = distinct([...diagnostics, ...labelProblems].filter((one) => sources.wanted.has(one.file)));
  return { diagnostics: finish(wanted.map(withLevel), sources), files: sources.wanted.size, loaded };
}

/** Each file's suppressions applied, all in the order in which a reader wants them. */
function finish(diagnostics: readonly Diagnostic[], sources: LintSources): Diagnostic[] {
  const byFile = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  const rules = sources.rules.filter(({ file }) => sources.wanted.has(file));
  const own = new Set(rules.map(({ file }) => file));
  const left = rules.flatMap(({ file, text }) => applySuppressions(file, text, byFile.get(file) ?? []));
  return sortDiagnostics([...left, ...diagnostics.filter((one) => !own.has(one.file))]);
}

/** A check that throws is our mistake: it is told like any other, and the rest still runs. */
function guard(diagnostics: Diagnostic[], file: UsableFile | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    const start = { line: 1, column: 1 };
    const help = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    diagnostics.push({
      code: "RL901",
      level: "error",
      file: file?.source.file ?? "",
      range: { start, end: start },
      message: "a check crashed; the mistake is the linter's",
      help,
    });
  }
}

function withLevel(one: Diagnostic): Diagnostic {
  const level = findCode(one.code)?.level ?? one.level;
  return level === one.level ? one : { ...one, level };
}

/** Rules of several calls are compiled once for each; what is wrong with all is told once. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, file, range, message }) => {
    const key = `${file} ${range.start.line} ${range.start.column} ${code} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
