import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../engine/build-engine.ts";
import { compileRules } from "../../engine/compile-rules.ts";
import { EngineError } from "../../engine/engine.ts";
import { counted } from "../../kernel/amount.ts";
import { documentCache } from "../../rules/documents/kept-file.ts";
import type { LoadedRuleset } from "../../rules/ruleset/compile-documents.ts";
import { compileSources } from "../../rules/ruleset/load.ts";
import { asksForHelp, commandNamed, helpFor, oneOf, readOptions, UsageError } from "../terminal/command-table.ts";
import { folderProblem } from "../terminal/file-problem.ts";
import { closestCode, explainCode, explainForgery } from "./codes/explain-code.ts";
import { type CommandResult, failedRun, usingFile } from "./command-result.ts";
import { runGolden } from "./golden/golden.ts";
import { KnownFiles } from "./known-files.ts";
import { lint } from "./lint.ts";
import { precedenceFiles, precedenceList, precedenceOf } from "./lists/order.ts";
import { protocolList } from "./lists/protocol-list.ts";
import { type MutationKind, mutationKinds, refusedKinds } from "./mutation/mutant.ts";
import { type MutationReport, mutateRules, type Survivor } from "./mutation/mutate.ts";
import { type RuleLintCommand, ruleLint } from "./program.ts";
import { formats } from "./report/format.ts";
import { tally } from "./report/lint-report.ts";
import { defaultPaths, findSources, type LintSources, recordingsFor } from "./sources.ts";
import { type OnFile, refuseMistakes } from "./world.ts";

/** Never throws: errors are in the result. `tell` is called before each file, for progress. */
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
  const rest = args[0] === command ? args.slice(1) : args;
  if (command === "order") return order(read("order", rest));
  if (command === "golden") return golden(read("golden", rest), onFile);
  if (command === "docs") {
    const { paths, values } = read("docs", rest);
    return printOrWrite(protocolList(compiled(sourcesAt(paths, values.with))), values.out);
  }
  if (command === "compile") {
    const { paths, values } = read("compile", rest);
    const { rules, labels } = sourcesAt(paths, values.with);
    return printOrWrite(JSON.stringify(compileRules({ rules, labels })), values.out);
  }
  return check(read("check", rest), colour, onFile);
}

/** Throws UsageError. */
function read<Name extends RuleLintCommand>(name: Name, args: readonly string[]) {
  const { values, positionals } = readOptions(args, ruleLint.commands[name].options as OptionsOf<Name>);
  return { values, paths: positionals };
}

type OptionsOf<Name extends RuleLintCommand> = (typeof ruleLint)["commands"][Name]["options"];
type Given<Name extends RuleLintCommand> = ReturnType<typeof read<Name>>;

function check({ paths, values }: Given<"check">, colour: boolean, onFile: OnFile | undefined): CommandResult {
  if (values.explain !== undefined) return explain(values.explain);
  const format = formats[
    oneOf(values.format ?? "pretty", Object.keys(formats), "--format")
  ] as (typeof formats)[string];
  const failOn = oneOf(values["fail-on"] ?? "error", ["error", "warning"], "--fail-on");
  const recordings = recordingsAt(paths, values.recordings);
  const sources = sourcesAt(paths, values.with);
  if (values.mutate) {
    const report = mutateRules(recalled(sources), recordings, onFile);
    return { ...printed(formatMutations(report)), status: unexcused(report).length > 0 ? 1 : 0 };
  }
  const { diagnostics, files, examples } = lint(sources, recordings, { cacheDir: documentCache, onFile });
  const { errors, warnings } = tally(diagnostics);
  const failed = errors > 0 || (failOn === "warning" && warnings > 0);
  return {
    ...printed(format({ diagnostics, files, lines: linesOf(sources), colour, examples })),
    status: failed ? 1 : 0,
  };
}

function golden({ paths, values }: Given<"golden">, onFile: OnFile | undefined): CommandResult {
  const { golden: dir = "test/golden", write, since = null, cases } = values;
  const recordings = recordingsAt(paths, values.recordings);
  const sources = recalled(sourcesAt(paths, values.with));
  const { text, changed } = runGolden(sources, recordings, { dir, write, since, cases, onFile });
  return { ...printed(text), status: changed ? 1 : 0 };
}

function recordingsAt(paths: readonly string[], dir: string | undefined): string {
  const wrong = dir === undefined ? undefined : folderProblem(dir);
  if (wrong !== undefined) throw new UsageError(wrong);
  return recordingsFor(paths, dir);
}

function sourcesAt(paths: readonly string[], beside: readonly string[]): LintSources {
  return findSources(paths.length > 0 ? paths : defaultPaths(), beside);
}

function explain(code: string): CommandResult {
  const text = explainCode(code) ?? explainForgery(code);
  if (text !== undefined) return printed(text);
  const close = closestCode(code);
  throw new UsageError(`there is no code or forgery ${code}${close === undefined ? "" : `; did you mean ${close}?`}`);
}

function order({ paths, values }: Given<"order">): CommandResult {
  const { of, out } = values;
  const rules = compiled(sourcesAt(paths, values.with));
  if (of !== undefined) {
    if (!rules.files.some(({ document }) => document?.protocol === of))
      throw new UsageError(`there is no protocol ${of}`);
    return printed(precedenceOf(of, rules));
  }
  if (out === undefined) return printed(precedenceList(rules));
  for (const [name, text] of precedenceFiles(rules)) write(join(out, name), text);
  return printed(`${out}\n`);
}

/** `out`: a file for the text; its path is printed. */
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

/** Throws SourceError for rules with mistakes: a list of them could not be trusted. */
function compiled(sources: LintSources): LoadedRuleset {
  const loaded = compileSources(sources.rules);
  refuseMistakes(loaded.diagnostics);
  return loaded;
}

/** Values of files without mistakes, so that only asked files are parsed. */
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

/** Survivors by kind, then shares. Ends with a newline. */
export function formatMutations(report: MutationReport): string {
  const kinds = Object.keys(mutationKinds) as MutationKind[];
  const blocks = kinds.flatMap((kind) => {
    const own = report.survivors.filter((survivor) => survivor.kind === kind);
    return own.length === 0 ? [] : [`${kind}: ${mutationKinds[kind]}`, ...own.map(survivorText), ""];
  });
  const needless = report.needless.map(
    ({ rule, kind }) => `  ${rule} gives a reason for ${kind}, and nothing survives`,
  );
  if (needless.length > 0) needless.push("");
  const untested = report.untested.map((rule) => `  ${rule} has no example that could be forged`);
  if (untested.length > 0) untested.push("");
  const rates = kinds.map((kind) => rateText(kind, [report.kinds[kind]]));
  const total = `${rateText("all", Object.values(report.kinds))}, ${counted(report.rules.length, "rule")}`;
  return `${[...blocks, ...needless, ...untested, ...rates, total].join("\n")}\n`;
}

/** A kind that no rule may believe, without a reason in the rule. */
export function unexcused(report: MutationReport): Survivor[] {
  return report.survivors.filter(({ kind, reason }) => refusedKinds.includes(kind) && reason === null);
}

function survivorText({ file, rule, example, change, problem, stands, summary, reason }: Survivor): string {
  const instead = stands.length === 0 ? "nothing stands" : `stands: ${stands.join(", ")}`;
  const right = reason === null ? "" : `\n    the rule says why: ${reason}`;
  return `  ${rule}  (${file}, example "${example}")\n    ${change}: ${problem}; ${instead}\n    ${summary}${right}`;
}

function rateText(name: string, counts: readonly { mutants: number; killed: number }[]): string {
  const mutants = counts.reduce((sum, one) => sum + one.mutants, 0);
  const killed = counts.reduce((sum, one) => sum + one.killed, 0);
  return `${name.padEnd(17)} ${rateOf(killed, mutants)}  ${killed} of ${mutants} killed`;
}

/** Rounded down, so never 100 while one survives; a dash where nothing was forged. */
function rateOf(killed: number, mutants: number): string {
  if (mutants === 0) return "    -  ";
  const tenths = Math.floor((killed * 1000) / mutants);
  return `${(tenths / 10).toFixed(1).padStart(5)} %`;
}
