import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { documentCache } from "../documents/kept-file.ts";
import { version } from "../engine/build-engine.ts";
import { compileRules } from "../engine/compile-rules.ts";
import { EngineError } from "../engine/engine.ts";
import type { LoadedRuleset } from "../ruleset/compile-documents.ts";
import { compileSources } from "../ruleset/load.ts";
import { oneOf, readOptions, UsageError } from "../terminal/command-table.ts";
import { completionScript, shells } from "../terminal/completion.ts";
import { folderProblem } from "../terminal/file-problem.ts";
import { asksForHelp, commandNamed, helpFor } from "../terminal/help-text.ts";
import { closestCode, explainCode, explainForgery } from "./codes/explain-code.ts";
import { type CommandResult, failedRun, usingFile } from "./command-result.ts";
import { runGolden } from "./golden/golden-command.ts";
import { KnownFiles } from "./known-files.ts";
import { lint } from "./lint.ts";
import { precedenceFiles, precedenceList, precedenceOf } from "./lists/order.ts";
import { protocolList } from "./lists/protocol-list.ts";
import { mutateRules } from "./mutation/mutate.ts";
import { formatMutations, unexcused } from "./mutation/report-text.ts";
import { type RuleLintCommand, ruleLint } from "./program.ts";
import { formats } from "./report/format.ts";
import { tally } from "./report/lint-report.ts";
import { defaultPaths, findSources, type LintSources, recordingsFor } from "./sources.ts";
import type { OnFile } from "./with-progress.ts";
import { refuseMistakes } from "./world.ts";

/**
 * Runs rule-lint with its arguments. Never throws: errors are in the result. `tell` is called before each file, to show the progress of a
 * long run.
 */
export function runCommand(args: readonly string[], colour: boolean, onFile?: OnFile): CommandResult {
  try {
    return run(args, colour, onFile);
  } catch (error) {
    return failedRun(error, args, EngineError);
  }
}

function run(args: readonly string[], colour: boolean, onFile: OnFile | undefined): CommandResult {
  if (asksForHelp(args)) return printed(helpFor(ruleLint, args));
  if (args[0] === "--version") return printed(`${version}\n`);
  const command = commandNamed(ruleLint, args) as RuleLintCommand;
  const read = readOptions(args[0] === command ? args.slice(1) : args, ruleLint.commands[command].usage);
  const values: Values = { ...defaults, ...(read.values as Partial<Values>) };
  const paths = read.positionals;
  if (values.explain !== undefined) return explain(values.explain);
  if (command === "completion") {
    if (paths.length !== 1) throw new UsageError("expected one shell");
    return printed(completionScript(ruleLint, oneOf(paths.join(), shells, "the shell")));
  }
  const open = () => findSources(paths.length > 0 ? paths : defaultPaths(), values.with);
  if (command === "order") return order(compiled(open()), values);
  if (command === "docs") return printOrWrite(protocolList(compiled(open())), values.out);
  if (command === "compile") {
    const { rules, labels } = open();
    return printOrWrite(JSON.stringify(compileRules({ rules, labels })), values.out);
  }
  const format = formats[oneOf(values.format, Object.keys(formats), "--format")] as (typeof formats)[string];
  const failOn = oneOf(values["fail-on"], ["error", "warning"], "--fail-on");
  const wrong = values.recordings === undefined ? undefined : folderProblem(values.recordings);
  if (wrong !== undefined) throw new UsageError(wrong);
  const recordings = recordingsFor(paths, values.recordings);
  const sources = open();
  if (command === "golden") {
    const { golden: dir, write, since = null, cases } = values;
    const { text, changed } = runGolden(recalled(sources), recordings, { dir, write, since, cases, onFile });
    return { ...printed(text), status: changed ? 1 : 0 };
  }
  if (values.mutate) {
    const report = mutateRules(recalled(sources), recordings, onFile);
    return { ...printed(formatMutations(report)), status: unexcused(report).length > 0 ? 1 : 0 };
  }
  const { diagnostics, files } = lint(sources, recordings, { cacheDir: documentCache, onFile });
  const { errors, warnings } = tally(diagnostics);
  const failed = errors > 0 || (failOn === "warning" && warnings > 0);
  return { ...printed(format({ diagnostics, files, lines: linesOf(sources), colour })), status: failed ? 1 : 0 };
}

const defaults = {
  ...{ format: "pretty", "fail-on": "error", golden: "test/golden", write: false, mutate: false },
  ...{ with: [] as readonly string[], cases: [] as readonly string[] },
};

/** The options of all commands that run here. Which ones a command accepts is in its usage. */
type Values = typeof defaults & Partial<Record<"recordings" | "out" | "of" | "explain" | "since", string>>;

function explain(code: string): CommandResult {
  const text = explainCode(code) ?? explainForgery(code);
  if (text !== undefined) return printed(text);
  const close = closestCode(code);
  throw new UsageError(`there is no code or forgery ${code}${close === undefined ? "" : `; did you mean ${close}?`}`);
}

function order(rules: LoadedRuleset, { of, out }: { of?: string; out?: string }): CommandResult {
  if (of !== undefined) {
    if (!rules.files.some(({ document }) => document?.protocol === of))
      throw new UsageError(`there is no protocol ${of}`);
    return printed(precedenceOf(of, rules));
  }
  if (out === undefined) return printed(precedenceList(rules));
  for (const [name, text] of precedenceFiles(rules)) write(join(out, name), text);
  return printed(`${out}\n`);
}

/** Gives a text to print. With `out`, writes the text to that file and gives the path to print. */
function printOrWrite(text: string, out: string | undefined): CommandResult {
  if (out === undefined) return printed(text);
  write(out, text);
  return printed(`${out}\n`);
}

function write(path: string, text: string): void {
  usingFile(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
}

/** Compiles the rules. Throws SourceError where the loader refuses them, because a list of broken rules could not be trusted. */
function compiled(sources: LintSources): LoadedRuleset {
  const loaded = compileSources(sources.rules);
  refuseMistakes(loaded.diagnostics);
  return loaded;
}

/** The sources with the values of files that an earlier lint found without mistakes, so that only files that were asked for are parsed. */
function recalled(sources: LintSources): LintSources {
  return new KnownFiles(documentCache, sources).recall(sources);
}

function linesOf(sources: LintSources): (file: string) => string[] | undefined {
  const texts = new Map([
    ...sources.rules.map(({ file, text }) => [file, text] as const),
    ...sources.labels.map(({ path, text }) => [path, text] as const),
  ]);
  return (file) => texts.get(file)?.split(/\r?\n/);
}

function printed(out: string): CommandResult {
  return { status: 0, out, err: "" };
}
