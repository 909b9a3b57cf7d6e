import { existsSync, writeFileSync } from "node:fs";
import { version } from "../../engine/build-engine.ts";
import { openEngine, type WholeEngine } from "../../engine/engine.ts";
import type { Answer } from "../../gather/explain/explain.ts";
import { writeCase } from "../../gather/recordings/case-format.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { pictureFile } from "../../serve/picture/picture.ts";
import { readPreviewQuestion } from "../../serve/service/preview-answers.ts";
import { type Config, readConfig } from "../../serve/settings/config.ts";
import { auditAnswer, statementLines } from "../audit/audit.ts";
import { knowledgeOf } from "../audit/known-contracts.ts";
import { helpFor, helpHint, UsageError } from "../terminal/command-table.ts";
import { folderProblem, namingFile } from "../terminal/file-problem.ts";
import { type AnswerForm, formatEvidence, formatExplanation } from "./answer-text.ts";
import { type Command, type CommandOf, program, readCommandLine } from "./command-line.ts";
import { formatCoverage, holdsParts, measureFolder } from "./coverage.ts";
import { networkConfig, readOwnCase, withExplainer } from "./explainer.ts";
import { failureText } from "./failure-text.ts";
import { type Printed, watchOutput } from "./output.ts";
import { formatMessageAnswer, formatPreviewAnswer, readRequestFile } from "./preview/preview-text.ts";
import { openProgress, progressText } from "./progress.ts";

const progress = openProgress(process.stderr);

/** Never rejects: a failure goes to stderr and the exit status. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const command = readCommandLine(args);
    // The service prints when it starts, but nobody needs to read it. So its output is not watched.
    if (command.name !== "serve") watchOutput("txgloss");
    await run(command, args);
  } catch (error) {
    progress.clear();
    process.exitCode = tellFailure(error, args);
  }
}

async function run(command: Command, args: readonly string[]): Promise<void> {
  switch (command.name) {
    case "help":
      return print({ text: helpFor(program, command.words) });
    case "version":
      return print({ text: `${version}\n` });
    case "serve":
      return (await import("../../serve/start/serve.ts")).serve();
    case "explain":
    case "replay":
      return print(await answer(command));
    case "preview":
      return print({ text: await preview(command) });
    case "audit":
      return print(await auditCases(command.paths, openEngine(readConfig())));
    case "coverage":
      return print(await cover(command));
    case "record":
      return record(command, args);
    case "import-erc7730":
      return print((await import("./import-erc7730.ts")).runImport(command, readConfig()));
    case "bulk":
      return print(await (await import("./volume/bulk.ts")).runBulk(command, readConfig(), progress));
    case "ledger":
      return print(await (await import("./ledger/ledger.ts")).runLedger(command, readConfig()));
  }
}

function print({ text, report = "", status = 0 }: Printed): void {
  progress.clear();
  process.stderr.write(report);
  process.stdout.write(text);
  process.exitCode = status;
}

/** One transaction, or the lines of stdin. Endpoints on the command line replace the recordings too. */
async function answer(command: CommandOf<"explain" | "replay">): Promise<Printed> {
  const asks = command.name === "explain";
  const config = asks && command.rpcUrls.length > 0 ? networkConfig(command.rpcUrls) : readConfig();
  if (command.filter !== undefined)
    return (await import("./volume/filter.ts")).filterLines(
      { ...command, ...command.filter },
      { config, asks },
      progress,
    );
  return asks ? explain(command, config) : { text: await replay(command) };
}

function explain({ hash, ...form }: CommandOf<"explain">, config: Config): Promise<Printed> {
  progress.show(`Explaining ${hash}`);
  return withExplainer(config, async (explainer, engine) => {
    // Reads the newest block first, so that a recording is not used while an endpoint answers.
    if (config.recordingsDir !== null) await explainer.readHead();
    const { answer, caseFile } = await explainer.examine(hash as Hash);
    if (form.svg !== null) writePicture(form.svg, engine, caseFile);
    return { text: formatAnswer(answer, form), report: answer.source === "recording" ? restsOnRecording : "" };
  });
}

/** Goes to stderr, like the header `X-Txgloss-Source`: the answer is the same from both sources. */
const restsOnRecording =
  "txgloss: this rests on a recording: no source of the network answers, or none knows the transaction\n";

/** Endpoints on the command line replace those of the settings. */
async function preview({ path, fields, rpcUrls, ...form }: CommandOf<"preview">): Promise<string> {
  const asked = readPreviewQuestion({ ...(path === null ? {} : await readRequestFile(path)), ...fields });
  progress.show("Simulating");
  return withExplainer(networkConfig(rpcUrls), async ({ previewer, messages }) => {
    return asked.kind === "message"
      ? formatMessageAnswer(await messages.explain(asked.question), form)
      : formatPreviewAnswer(await previewer.preview(asked.request), form);
  });
}

function replay({ path, ...form }: CommandOf<"replay">): Promise<string> {
  return withExplainer(networkConfig([]), async (explainer, engine) => {
    const caseFile = await readOwnCase(path);
    if (form.svg !== null) writePicture(form.svg, engine, caseFile);
    return formatAnswer(await explainer.replay(caseFile), form);
  });
}

function formatAnswer({ explanation, evidence, body }: Answer, { json, why }: AnswerForm): string {
  if (json) return `${body}\n${why ? `${JSON.stringify(evidence)}\n` : ""}`;
  return `${formatExplanation(explanation)}${why ? `\n${formatEvidence(evidence)}` : ""}`;
}

function writePicture(path: string, engine: Pick<WholeEngine, "decide">, caseFile: CaseFile): void {
  const { explanation, pictureFacts } = engine.decide(caseFile);
  const picture = pictureFile({ explanation, facts: pictureFacts() });
  try {
    writeFileSync(path, picture);
  } catch (error) {
    namingFile(path)(error);
  }
}

async function cover({ dir, json }: CommandOf<"coverage">): Promise<Printed> {
  const config = readConfig();
  const engine = openEngine(config);
  const started = Date.now();
  const show = (done: number, all: number) =>
    progress.show(`Explaining ${progressText({ done, all, ms: Date.now() - started })}`);
  const parts = holdsParts(dir) ? await import("./volume/part-coverage.ts") : undefined;
  const found = await (parts?.measureParts(dir, { engine, config, progress: show }) ??
    measureFolder(dir, engine, show));
  const report = found.unreadable.map(({ file, problem }) => `txgloss: ${file}: ${problem}\n`).join("");
  return { text: json ? `${JSON.stringify(found)}\n` : formatCoverage(found), report };
}

/** One after the other, each path printed at once. Replaces a recording. */
async function record({ hashes, rpcUrls, dir }: CommandOf<"record">, args: readonly string[]): Promise<void> {
  const target = dir ?? readConfig().recordingsDir ?? ".";
  const problem = existsSync(target) ? folderProblem(target) : undefined;
  if (problem !== undefined) throw new UsageError(problem);
  const started = Date.now();
  await withExplainer(networkConfig(rpcUrls), async (explainer) => {
    for (const [done, hash] of hashes.entries()) {
      progress.show(`Recording ${progressText({ done, all: hashes.length, ms: Date.now() - started })}`);
      try {
        const path = await writeCase(target, await explainer.gather(hash));
        progress.clear();
        process.stdout.write(`${path}\n`);
      } catch (error) {
        progress.clear();
        process.exitCode = tellFailure(error, args, hash);
      }
    }
  });
}

/** Prints on stderr. Returns the exit status. */
function tellFailure(error: unknown, args: readonly string[], about?: string): number {
  const { text, status } = failureText(error, {
    ...(about !== undefined && { about }),
    json: args.includes("--json"),
    usage: helpHint(program, args),
  });
  process.stderr.write(text);
  return status;
}

/**
 * The sentence, the statement of each principal and a line a violation, after the file's name where there are several files; status 1 when
 * there is a violation. Rejects with CaseFileError, or with
 * UsageError for another chain.
 */
export async function auditCases(
  paths: readonly string[],
  engine: WholeEngine,
): Promise<{ text: string; status: 0 | 1 }> {
  const knowledge = knowledgeOf({ ...engine, protocols: engine.catalog.protocols });
  const lines: string[] = [];
  let broken = false;
  for (const path of paths) {
    const caseFile = await readOwnCase(path);
    const { explanation } = engine.decide(caseFile);
    const violations = auditAnswer(caseFile, explanation, knowledge);
    broken ||= violations.length > 0;
    const place = paths.length > 1 ? `${path}: ` : "";
    const told = [explanation.summary, ...statementLines(caseFile, explanation, knowledge).map((line) => `  ${line}`)];
    lines.push(...told.map((line) => `${place}${line}\n`));
    lines.push(...violations.map(({ law, sentence }) => `${place}law ${law}: ${sentence}\n`));
  }
  return { text: lines.join(""), status: broken ? 1 : 0 };
}
