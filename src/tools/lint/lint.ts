import type { Diagnostic } from "../../model/diagnostic.ts";
import { createReporter, sortDiagnostics } from "../../rules/documents/reporter.ts";
import type { LoadedRuleset } from "../../rules/ruleset/compile-documents.ts";
import { markUnfilled } from "./checks/attempt-told.ts";
import { schemesOf } from "./checks/chain-scheme.ts";
import { labelledNames } from "./checks/set/contradicting-fact.ts";
import { joinFiles } from "./checks/set/rule-set.ts";
import { type Check, type CheckKnowledge, checks } from "./checks/table.ts";
import { findCode } from "./codes/codes.ts";
import { toldExamples } from "./examples/told-example.ts";
import { KnownFiles } from "./known-files.ts";
import type { ToldExample } from "./report/lint-report.ts";
import { entriesOf, type LintFinding, type UsableFile } from "./rule-view.ts";
import type { LintSources } from "./sources.ts";
import { type OnFile, openSources, withProgress } from "./world.ts";

export interface LintResult {
  /** By file, line, column and code; only of files that were asked for. */
  diagnostics: Diagnostic[];
  /** That were asked for. */
  files: number;
  loaded: LoadedRuleset;
  /** What the examples of the files are told as; none of a file that the loader refuses. */
  examples(): ToldExample[];
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

/** Walks the table of checks. */
function lintSources(
  sources: LintSources,
  recordingsDir: string,
  { known: cache, onFile }: { known?: KnownFiles; onFile: OnFile | undefined },
): LintResult {
  const { loaded, files, wanted, broken, labelProblems, world } = openSources(sources, recordingsDir);
  const diagnostics = [...loaded.diagnostics, ...labelProblems];
  cache?.keep(sources, loaded, diagnostics);
  const marked = { ...world, ruleset: markUnfilled(loaded.ruleset) };
  const known = { world, marked, schemes: schemesOf(sources.labels), names: labelledNames(sources.labels) };
  const set = joinFiles(files, new Set(wanted));
  for (const check of checks)
    guard(diagnostics, files[0], () => {
      if ("texts" in check) diagnostics.push(...check.texts(sources));
      if (!("set" in check)) return;
      for (const [file, ...finding] of check.set(set, known))
        if (set.wanted.has(file)) createReporter(file.source, diagnostics).report(...declared(check, finding));
    });
  const look = (file: UsableFile, own: readonly Check[]) => {
    const { report } = createReporter(file.source, diagnostics);
    for (const check of own)
      guard(diagnostics, file, () => {
        for (const finding of findingsOf(check, file, known)) report(...declared(check, finding));
      });
  };
  for (const file of withProgress(wanted, onFile)) look(file, checks);
  for (const file of broken)
    look(
      file,
      checks.filter(({ early }) => early),
    );
  const told = distinct(diagnostics.filter(({ file }) => sources.wanted.has(file))).map((one) => {
    return { ...one, level: findCode(one.code)?.level ?? one.level };
  });
  return {
    diagnostics: finish(told, sources),
    files: sources.wanted.size,
    loaded,
    examples: () => wanted.flatMap((file) => toldExamples(file, world)),
  };
}

/** Throws for a code that the table does not name. */
function declared({ codes }: Check, finding: LintFinding): LintFinding {
  if (!codes.includes(finding[0])) throw new Error(`the table of checks names no ${finding[0]} here`);
  return finding;
}

function* findingsOf(check: Check, file: UsableFile, known: CheckKnowledge): Generator<LintFinding> {
  if ("file" in check) yield* check.file(file, known);
  if ("rule" in check) for (const placed of entriesOf(file)) yield* check.rule(placed, file, known);
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
