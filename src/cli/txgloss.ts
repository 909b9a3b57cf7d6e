#!/usr/bin/env node
import { EngineError, openEngine, version } from "../engine/engine.ts";
import type { Answer } from "../explain/explain.ts";
import { ServiceError } from "../kernel/error.ts";
import { CaseFileError } from "../recordings/case-format.ts";
import { type Config, ConfigError, readConfig } from "../settings/config.ts";
import { explainTransaction, recordCases, replayCase } from "./answers.ts";
import { auditCases } from "./audit.ts";
import { type Command, helpText, type OutputForm, readCommandLine, UsageError } from "./command-line.ts";
import { measureFolder } from "./coverage.ts";
import { formatCoverage } from "./coverage-text.ts";
import { formatEvidence } from "./evidence-text.ts";
import { formatExplanation } from "./explanation-text.ts";
import { openProgress } from "./progress.ts";

const progress = openProgress(process.stderr);

// The reader of our output may stop early (`| head`). That is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  await run(readCommandLine(process.argv.slice(2)));
} catch (error) {
  progress.clear();
  process.exitCode = tellFailure(error);
}

async function run(command: Command): Promise<void> {
  switch (command.name) {
    case "help":
      return void process.stdout.write(helpText);
    case "version":
      return void process.stdout.write(`${version}\n`);
    case "serve":
      return (await import("../start/serve.ts")).serve();
    case "explain": {
      const config = configFor(command.rpcUrls);
      progress.show(`Explaining ${command.hash}`);
      return print(await explainTransaction(command.hash, config, openEngine(config)), command);
    }
    case "replay": {
      const config = readConfig();
      return print(await replayCase(command.path, config, openEngine(config)), command);
    }
    case "audit":
      return audit(command);
    case "coverage":
      return cover(command);
    case "record":
      return record(command);
    case "import-erc7730": {
      const { runImport } = await import("./import-erc7730.ts");
      const { text, report, status } = runImport(command, readConfig());
      process.stderr.write(report);
      process.stdout.write(text);
      process.exitCode = status;
      return;
    }
    case "ledger": {
      const { runLedger } = await import("./ledger.ts");
      const { text, status } = await runLedger(command, readConfig());
      process.stdout.write(text);
      process.exitCode = status;
      return;
    }
  }
}

async function audit({ paths }: Command & { name: "audit" }): Promise<void> {
  const { text, status } = await auditCases(paths, openEngine(readConfig()));
  process.stdout.write(text);
  process.exitCode = status;
}

async function cover({ dir, json }: Command & { name: "coverage" }): Promise<void> {
  const report = await measureFolder(dir, openEngine(readConfig()), (done, total) => {
    progress.show(`Explaining ${done} of ${total}`);
  });
  progress.clear();
  for (const { file, problem } of report.unreadable) process.stderr.write(`txgloss: ${file}: ${problem}\n`);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatCoverage(report));
}

async function record({ hashes, rpcUrls, dir }: Command & { name: "record" }): Promise<void> {
  // Record again what is recorded already.
  const configured = configFor(rpcUrls);
  const config = { ...configured, recordingsDir: null };
  let done = 0;
  const target = { config, engine: openEngine(config), dir: dir ?? configured.recordingsDir ?? "." };
  progress.show(`Recording ${hashes.length}`);
  await recordCases(hashes, target, (hash, outcome) => {
    progress.clear();
    if ("path" in outcome) process.stdout.write(`${outcome.path}\n`);
    else process.exitCode = tellFailure(outcome.error, hash);
    if (++done < hashes.length) progress.show(`Recording ${done + 1} of ${hashes.length}`);
  });
}

/** Endpoints on the command line replace all other sources except the explorer. */
function configFor(rpcUrls: readonly string[]): Config {
  const config = readConfig();
  return rpcUrls.length === 0 ? config : { ...config, rpcUrls, recordingsDir: null };
}

function print({ explanation, evidence, body }: Answer, { json, why }: OutputForm): void {
  progress.clear();
  if (json) {
    process.stdout.write(`${body}\n`);
    if (why) process.stdout.write(`${JSON.stringify(evidence)}\n`);
    return;
  }
  process.stdout.write(formatExplanation(explanation));
  if (why) process.stdout.write(`\n${formatEvidence(evidence)}`);
}

/** Says on stderr what went wrong and returns the exit status. */
function tellFailure(error: unknown, about?: string): number {
  if (isGivenWrong(error) || isFileProblem(error)) {
    const hint = error instanceof UsageError ? "\ntxgloss --help says more." : "";
    process.stderr.write(`txgloss: ${(error as Error).message}${hint}\n`);
    return 2;
  }
  const failure =
    error instanceof ServiceError ? error : new ServiceError("internal", "Our mistake; the lines below say where.");
  const { code, message, retryable } = failure;
  process.stderr.write(
    `${JSON.stringify({ error: code, message: about === undefined ? message : `${about}: ${message}`, retryable })}\n`,
  );
  if (code === "internal") process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  return 1;
}

/** Mistakes in the command line, the settings, the rules or the labels. */
function isGivenWrong(error: unknown): boolean {
  return error instanceof UsageError || error instanceof ConfigError || error instanceof EngineError;
}

/** A case file or directory that is missing, unreadable or not what it should be. */
function isFileProblem(error: unknown): boolean {
  if (error instanceof CaseFileError) return true;
  return (
    error instanceof Error &&
    ["ENOENT", "EACCES", "EISDIR", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")
  );
}
