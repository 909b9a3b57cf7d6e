#!/usr/bin/env node
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { closestCode, explainCode } from "../lint/explain-code.ts";
import { lint } from "../lint/lint.ts";
import { mutateRules } from "../lint/mutation/mutate.ts";
import { formatMutations, trustsStrangers } from "../lint/mutation/report-text.ts";
import { precedenceList } from "../lint/order.ts";
import { formats } from "../lint/report/format.ts";
import { tally } from "../lint/report/tally.ts";
import { defaultPaths, defaultRecordings, findSources, SourceError } from "../lint/sources.ts";
import { compileSources } from "../ruleset/load.ts";

const usage = `usage: rule-lint [paths…] [--format ${Object.keys(formats).join("|")}] [--fail-on error|warning] [--recordings DIR]
       rule-lint order [paths…]
       rule-lint --mutate [paths…]
       rule-lint --explain CODE

Checks rule and label files (default: rules and labels). "order" prints which rule goes before which. --mutate forges the
examples of every proven rule and prints what is deceived.
Exit status: 0 clean, 1 findings at or above --fail-on (default error) or a rule that believes a stranger, 2 could not run.
`;

/** The run could not be started; told on one line, status 2. */
class UsageError extends Error {}

// A reader that has seen enough (head, less) closes the pipe: no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  const known = error instanceof UsageError || error instanceof SourceError;
  process.stderr.write(`rule-lint: ${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 2;
}

function run(args: string[]): number {
  const { values, positionals } = readArguments(args);
  if (values.help) return print(usage);
  if (values.explain !== undefined) return explain(values.explain);
  if (positionals[0] === "order") return order(positionals.slice(1));
  if (values.recordings !== undefined && !existsSync(values.recordings))
    throw new UsageError(`there is no folder ${values.recordings}`);
  const recordings = values.recordings ?? defaultRecordings();
  const paths = positionals.length > 0 ? positionals : defaultPaths();
  if (values.mutate) return mutate(paths, recordings);
  const format = formats[values.format];
  if (format === undefined) throw new UsageError(`--format is one of ${Object.keys(formats).join(", ")}`);
  if (values["fail-on"] !== "error" && values["fail-on"] !== "warning")
    throw new UsageError("--fail-on is error or warning");
  const sources = findSources(paths);
  const { diagnostics, files } = lint(sources, recordings);
  const texts = new Map([
    ...sources.rules.map(({ file, text }) => [file, text] as const),
    ...sources.labels.map(({ path, text }) => [path, text] as const),
  ]);
  const lines = (file: string) => texts.get(file)?.split(/\r?\n/);
  print(format({ diagnostics, files, lines, colour: process.stdout.isTTY === true && process.stdout.hasColors() }));
  const { errors, warnings } = tally(diagnostics);
  return errors > 0 || (values["fail-on"] === "warning" && warnings > 0) ? 1 : 0;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string", default: "pretty" },
        "fail-on": { type: "string", default: "error" },
        recordings: { type: "string" },
        explain: { type: "string" },
        mutate: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split("\n")[0]}\n${usage}`);
  }
}

function explain(code: string): number {
  const text = explainCode(code);
  if (text !== undefined) return print(text);
  const close = closestCode(code);
  throw new UsageError(`there is no code ${code}${close === undefined ? "" : `; did you mean ${close}?`}`);
}

function mutate(paths: readonly string[], recordings: string): number {
  const report = mutateRules(findSources(paths), recordings);
  print(formatMutations(report));
  return trustsStrangers(report) ? 1 : 0;
}

function order(paths: string[]): number {
  const { ruleset, diagnostics } = compileSources(findSources(paths.length > 0 ? paths : defaultPaths()).rules);
  const errors = diagnostics.filter((one) => one.level === "error");
  if (errors.length > 0) throw new UsageError(`the rules have ${errors.length} mistakes; \`rule-lint\` shows them`);
  return print(precedenceList(ruleset));
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
