import type { Diagnostic } from "../../model/diagnostic.ts";
import { createReporter, type Reporter, sortDiagnostics } from "../../rules/documents/reporter.ts";
import type { LoadedRuleset } from "../../rules/ruleset/compile-documents.ts";
import { checkAbiUse } from "./checks/abi-use.ts";
import { checkAttempts, checkSpareAttempts, markUnfilled } from "./checks/attempt-told.ts";
import { checkCaptures } from "./checks/capture-use.ts";
import { checkLabelSources, checkSources } from "./checks/cited-source.ts";
import { checkContradictions } from "./checks/contradiction.ts";
import { checkCopies, checkCoverage } from "./checks/example-cover.ts";
import { checkComments } from "./checks/file-comment.ts";
import { checkIdleConditions } from "./checks/idle-condition.ts";
import { checkLegOrder } from "./checks/leg-order.ts";
import { checkNeverTold } from "./checks/never-told.ts";
import { checkSignatures } from "./checks/proven-signature.ts";
import { checkSchemes, schemesOf } from "./checks/set/chain-scheme.ts";
import { checkNames, checkTopics, labelledNames } from "./checks/set/contradicting-fact.ts";
import { checkIds, checkLabels, checkRoles, checkUnwrappers } from "./checks/set/defined-twice.ts";
import { checkGating } from "./checks/set/gating.ts";
import { checkOverrides } from "./checks/set/override-edge.ts";
import { joinFiles, type RuleSet } from "./checks/set/rule-set.ts";
import { checkShadows } from "./checks/set/shadowed-rule.ts";
import { checkTies } from "./checks/set/tied-rules.ts";
import { checkAnchorSaid } from "./checks/silent-anchor.ts";
import { checkAnchors } from "./checks/spare-anchor.ts";
import { checkTemplates } from "./checks/template-text.ts";
import { checkUnreadFees } from "./checks/unread-fee.ts";
import { checkLiterals, checkSite, checkStatedHashes } from "./checks/written-fact.ts";
import { findCode } from "./codes/codes.ts";
import { runExamples } from "./examples/examples.ts";
import { KnownFiles } from "./known-files.ts";
import { runMessageExamples } from "./messages/message-examples.ts";
import type { UsableFile } from "./rule-view.ts";
import type { LintSources } from "./sources.ts";
import { type OnFile, withProgress } from "./with-progress.ts";
import { openSources } from "./world.ts";

type FileCheck = (file: UsableFile, reporter: Reporter) => void;

export interface LintResult {
  /** By file, line, column and code; only of files that were asked for. */
  diagnostics: Diagnostic[];
  /** That were asked for. */
  files: number;
  loaded: LoadedRuleset;
}

/** Reads only recordings of examples and its cache (`cacheDir`), which does not change the findings. `tell` is called before each file. */
export function lint(
  given: LintSources,
  recordingsDir: string,
  { cacheDir = null, onFile }: { cacheDir?: string | null; onFile?: OnFile | undefined } = {},
): LintResult {
  if (cacheDir === null) return lintSources(given, recordingsDir, { onFile });
  const known = new KnownFiles(cacheDir, given);
  const sources = known.recall(given);
  const result = lintSources(sources, recordingsDir, { known, onFile });
  const referred = new Set(result.diagnostics.flatMap(({ related = [] }) => related.map(({ file }) => file)));
  // A remembered value has no line numbers. Where a finding refers to such a file, the run is repeated with the file read.
  if (!sources.rules.some(({ file, value }) => value !== undefined && referred.has(file))) return result;
  return lintSources(known.recall(given, referred), recordingsDir, { onFile });
}

function lintSources(
  sources: LintSources,
  recordingsDir: string,
  { known, onFile }: { known?: KnownFiles; onFile: OnFile | undefined },
): LintResult {
  const { loaded, files, wanted, broken, labelProblems, world } = openSources(sources, recordingsDir);
  known?.keep(sources, loaded, [...loaded.diagnostics, ...labelProblems]);
  const { actions, verbs } = loaded.ruleset;
  const diagnostics = [...loaded.diagnostics, ...labelProblems];
  const set = joinFiles(files, new Set(wanted), diagnostics);
  const setChecks: readonly ((set: RuleSet) => void)[] = [
    ...[checkIds, checkOverrides, checkTies, checkShadows, checkUnwrappers, checkLabels, checkTopics, checkRoles],
    () => checkGating(set, actions),
    () => checkSchemes(set, schemesOf(sources.labels)),
    () => checkNames(set, labelledNames(sources.labels)),
  ];
  for (const check of setChecks) guard(diagnostics, files[0], () => check(set));
  const marked = { ...world, ruleset: markUnfilled(loaded.ruleset) };
  // These checks also work on a file that the loader refuses.
  const lineChecks: readonly FileCheck[] = [
    ...[checkStatedHashes, checkLiterals, checkSources],
    (file, reporter) => checkTemplates(file, verbs, reporter),
  ];
  const fileChecks: readonly FileCheck[] = [
    ...lineChecks,
    ...[
      checkSite,
      checkAnchors,
      checkAnchorSaid,
      checkCaptures,
      checkContradictions,
      checkIdleConditions,
      checkNeverTold,
      checkSpareAttempts,
      checkLegOrder,
      checkAbiUse,
      checkUnreadFees,
      checkCoverage,
      checkCopies,
    ],
    (file, reporter) => checkSignatures(file, recordingsDir, reporter),
    (file, reporter) => runExamples(file, world, reporter),
    (file, reporter) => runMessageExamples(file, world, reporter),
    (file, reporter) => checkAttempts(file, marked, reporter),
  ];
  const checkFile = (file: UsableFile, checks: readonly FileCheck[]) => {
    const reporter = createReporter(file.source, diagnostics);
    for (const check of checks) guard(diagnostics, file, () => check(file, reporter));
  };
  for (const file of withProgress(wanted, onFile)) checkFile(file, fileChecks);
  for (const file of broken) checkFile(file, lineChecks);
  diagnostics.push(...checkComments(sources), ...checkLabelSources(sources));
  const told = distinct(diagnostics.filter(({ file }) => sources.wanted.has(file))).map((one) => {
    return { ...one, level: findCode(one.code)?.level ?? one.level };
  });
  return { diagnostics: finish(told, sources), files: sources.wanted.size, loaded };
}

function finish(diagnostics: readonly Diagnostic[], { rules, wanted }: LintSources): Diagnostic[] {
  const byFile = Map.groupBy(diagnostics, ({ file }) => file);
  for (const { file, text } of rules)
    if (wanted.has(file)) byFile.set(file, applySuppressions(file, text, byFile.get(file) ?? []));
  return sortDiagnostics([...byFile.values()].flat());
}

/** A check that throws is a mistake of the linter (RL901); the others still run. */
function guard(diagnostics: Diagnostic[], file: UsableFile | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    const start = { line: 1, column: 1 };
    diagnostics.push({
      code: "RL901",
      level: "error",
      file: file?.source.file ?? "",
      range: { start, end: start },
      message: "a check crashed; the mistake is the linter's",
      help: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    });
  }
}

/** A rule with several calls is compiled for each, so a mistake may be found several times. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const same = Map.groupBy(
    diagnostics,
    ({ code, file, range: { start }, message }) => `${file} ${start.line} ${start.column} ${code} ${message}`,
  );
  return [...same.values()].flatMap(([first]) => first ?? []);
}

/** `# rule-lint-disable-next-line RL502, RL504 -- reason` */
const comment = /^(\s*)(#\s*rule-lint-disable-next-line\b(.*?)(?:\s--\s*(.*))?)$/;

/** RL801: no reason, nothing to suppress, or a code with which the loader refuses the file. */
export function applySuppressions(file: string, text: string, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const kept = new Set(diagnostics);
  const complaints: Diagnostic[] = [];
  for (const { range, codes, reason } of readSuppressions(text)) {
    const complain = (message: string) => complaints.push({ code: "RL801", level: "warning", file, range, message });
    if (reason === "") complain("the suppression gives no reason; ` -- reason` was expected");
    if (codes.length === 0) complain("the suppression names no code; one such as `RL502` was expected");
    for (const code of codes) {
      if (findCode(code)?.blocks === true) {
        complain(`\`${code}\` cannot be suppressed: the loader refuses the file`);
        continue;
      }
      const hits = diagnostics.filter((one) => one.code === code && one.range.start.line === range.start.line + 1);
      if (hits.length === 0) complain(`there is no \`${code}\` in the next line to suppress`);
      for (const hit of hits) kept.delete(hit);
    }
  }
  return [...kept, ...complaints];
}

function readSuppressions(text: string) {
  return text.split("\n").flatMap((content, i) => {
    const [, indent = "", whole, codes = "", reason = ""] = comment.exec(content.trimEnd()) ?? [];
    if (whole === undefined) return [];
    const [line, column] = [i + 1, indent.length + 1];
    const range = { start: { line, column }, end: { line, column: column + whole.length } };
    return [{ range, codes: codes.split(/[\s,]+/).filter((code) => code !== ""), reason: reason.trim() }];
  });
}
