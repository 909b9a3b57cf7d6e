import type { Diagnostic } from "../model/diagnostic.ts";
import { sortDiagnostics } from "../labels/check.ts";
import { compileLabels } from "../labels/load.ts";
import { compileSources, type LoadedRuleset } from "../ruleset/load.ts";
import { createReporter } from "../ruleset/reporter.ts";
import { runExamples } from "./examples.ts";
import type { LintSources } from "./sources.ts";

export interface LintResult {
  /** In order of file, line, column, code; only of files that were asked for. */
  diagnostics: Diagnostic[];
  /** How many files were asked for. */
  files: number;
  loaded: LoadedRuleset;
}

/** Checks rule and label files. Reads nothing but recordings of examples. */
export function lint(sources: LintSources, recordingsDir: string): LintResult {
  const loaded = compileSources(sources.rules);
  const { labels, diagnostics: labelProblems } = compileLabels(sources.labels, loaded.ruleset.names);
  const diagnostics = [...loaded.diagnostics, ...labelProblems];
  const scopes = new Map(loaded.files.flatMap((file) => (file.scope === undefined ? [] : [[file.scope.document.protocol, file.scope]])));
  const world = { ruleset: loaded.ruleset, labels, recordingsDir, scopes: (protocol: string) => scopes.get(protocol) };
  for (const file of loaded.files)
    if (sources.wanted.has(file.source.file)) runExamples(file, world, createReporter(file.source, diagnostics));
  return {
    diagnostics: sortDiagnostics(diagnostics.filter((one) => sources.wanted.has(one.file))),
    files: sources.wanted.size,
    loaded,
  };
}

