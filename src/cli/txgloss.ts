#!/usr/bin/env node
import { version } from "../engine/build-engine.ts";
import { EngineError, openEngine } from "../engine/engine.ts";
import type { Answer } from "../explain/explain.ts";
import { ServiceError } from "../kernel/error.ts";
import { readPreviewRequest } from "../preview/preview-request.ts";
import { CaseFileError, writeCase } from "../recordings/case-format.ts";
import { ConfigError, readConfig } from "../settings/config.ts";
import { formatEvidence, formatExplanation } from "./answer-text.ts";
import { auditCases } from "./audit.ts";
import { type Command, type CommandOf, helpText, readCommandLine, UsageError } from "./command-line.ts";
import { formatCoverage, measureFolder } from "./coverage.ts";
import { networkConfig, readOwnCase, withExplainer } from "./explainer.ts";
import { formatPreviewAnswer, readRequestFile } from "./preview/preview-text.ts";
import { openProgress } from "./progress.ts";

const progress = openProgress(process.stderr);

/** What the user gave is wrong: command line, settings, rules, labels or case file. */
const givenWrong = [UsageError, ConfigError, EngineError, CaseFileError];
/** A file or folder is missing or cannot be read. */
const fileProblems = ["ENOENT", "EACCES", "EISDIR", "ENOTDIR"];

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
      return print({ text: helpText });
    case "version":
      return print({ text: `${version}\n` });
    case "serve":
      return (await import("../start/serve.ts")).serve();
    case "explain":
      return print({ text: await explain(command) });
    case "preview":
      return print({ text: await preview(command) });
    case "replay":
      return print({ text: await replay(command) });
    case "audit":
      return print(await auditCases(command.paths, openEngine(readConfig())));
    case "coverage":
      return print(await cover(command));
    case "record":
      return record(command);
    case "import-erc7730":
      return print((await import("./import-erc7730.ts")).runImport(command, readConfig()));
    case "ledger":
      return print(await (await import("./ledger.ts")).runLedger(command, readConfig()));
  }
}

/** `text` is for stdout, `report` for stderr. */
function print({ text, report = "", status = 0 }: { text: string; report?: string; status?: number }): void {
  progress.clear();
  process.stderr.write(report);
  process.stdout.write(text);
  process.exitCode = status;
}

function explain({ hash, rpcUrls, ...form }: CommandOf<"explain">): Promise<string> {
  progress.show(`Explaining ${hash}`);
  // Endpoints on the command line replace the recordings too.
  const config = rpcUrls.length === 0 ? readConfig() : networkConfig(rpcUrls);
  return withExplainer(config, async (explainer) => {
    // A recording must not come before an endpoint that answers.
    if (config.recordingsDir !== null) await explainer.readHead();
    return formatAnswer(await explainer.explain(hash), form);
  });
}

/** Endpoints on the command line replace those of the settings. */
async function preview({ path, fields, rpcUrls, ...form }: CommandOf<"preview">): Promise<string> {
  const request = readPreviewRequest({ ...(path === null ? {} : await readRequestFile(path)), ...fields });
  progress.show("Simulating");
  return withExplainer(networkConfig(rpcUrls), async ({ previewer }) => {
    return formatPreviewAnswer(await previewer.preview(request), form);
  });
}

function replay({ path, ...form }: CommandOf<"replay">): Promise<string> {
  return withExplainer(networkConfig([]), async (explainer) => {
    return formatAnswer(await explainer.replay(await readOwnCase(path)), form);
  });
}

function formatAnswer({ explanation, evidence, body }: Answer, { json, why }: { json: boolean; why: boolean }): string {
  if (json) return `${body}\n${why ? `${JSON.stringify(evidence)}\n` : ""}`;
  return `${formatExplanation(explanation)}${why ? `\n${formatEvidence(evidence)}` : ""}`;
}

async function cover({ dir, json }: CommandOf<"coverage">): Promise<{ text: string; report: string }> {
  const found = await measureFolder(dir, openEngine(readConfig()), (done, total) => {
    progress.show(`Explaining ${done} of ${total}`);
  });
  const report = found.unreadable.map(({ file, problem }) => `txgloss: ${file}: ${problem}\n`).join("");
  return { text: json ? `${JSON.stringify(found)}\n` : formatCoverage(found), report };
}

/** Records one transaction after the other and tells of each at once. What is recorded already is recorded again. */
async function record({ hashes, rpcUrls, dir }: CommandOf<"record">): Promise<void> {
  const target = dir ?? readConfig().recordingsDir ?? ".";
  await withExplainer(networkConfig(rpcUrls), async (explainer) => {
    for (const [i, hash] of hashes.entries()) {
      progress.show(`Recording ${i + 1} of ${hashes.length}`);
      try {
        const path = await writeCase(target, await explainer.gather(hash));
        progress.clear();
        process.stdout.write(`${path}\n`);
      } catch (error) {
        progress.clear();
        process.exitCode = tellFailure(error, hash);
      }
    }
  });
}

/** Says on stderr what went wrong and returns the exit status. */
function tellFailure(error: unknown, about?: string): number {
  const { message: said, stack, code: cause = "" } = error as NodeJS.ErrnoException;
  if (givenWrong.some((kind) => error instanceof kind) || fileProblems.includes(cause)) {
    const hint = error instanceof UsageError ? "\ntxgloss --help says more." : "";
    process.stderr.write(`txgloss: ${said}${hint}\n`);
    return 2;
  }
  const failure =
    error instanceof ServiceError ? error : new ServiceError("internal", "Our mistake; the lines below say where.");
  const { code, retryable } = failure;
  const message = about === undefined ? failure.message : `${about}: ${failure.message}`;
  process.stderr.write(`${JSON.stringify({ error: code, message, retryable })}\n`);
  if (code === "internal") process.stderr.write(`${stack ?? String(error)}\n`);
  return 1;
}
