import { fstatSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Config } from "../../../serve/settings/config.ts";
import { UsageError } from "../../terminal/command-table.ts";
import { type FilterProgress, runFilter } from "../../volume/filter.ts";
import { hashOfLine } from "../../volume/line-input.ts";
import { startPace } from "../../volume/pace.ts";
import { openResumed } from "../../volume/resume.ts";
import type { Progress } from "../progress.ts";

/** The options of `explain -` and `replay -`. */
export interface FilterCommand {
  /** The evidence as one more field. */
  why: boolean;
  /** A file of answers to continue; null: stdout. */
  resume: string | null;
  /** null: one for each core. */
  threads: number | null;
}

/** One line of output a line of stdin. Errors in lines are no failure: the report counts them. */
export async function filterLines(
  { why, resume, threads: wanted }: FilterCommand,
  { config, asks }: { config: Config; asks: boolean },
  progress: Progress,
): Promise<{ text: string; report: string }> {
  const work = { config, asks, evidence: why, threads: wanted ?? availableParallelism() };
  const output = resume === null ? null : await openResumed(resume);
  const earlier = output?.earlier ?? { lines: 0, last: null };
  const size = inputSize();
  const show = showPace(progress, size);
  try {
    const done = await runFilter({
      work,
      input: process.stdin,
      skip: earlier.lines,
      skipped: (line) => checkSame(line, earlier.last, resume),
      write: output?.write ?? writeOut,
      progress: show,
    });
    return { text: "", report: report(done) };
  } finally {
    // Stops reading, because open input would keep the process alive.
    process.stdin.destroy();
    await output?.close();
  }
}

/** Lines without an answer, and on a recording; empty for none. */
function report({ answers, failures, recorded }: FilterProgress): string {
  const failed = failures === 0 ? "" : `txgloss: ${failures} of ${answers} lines are error objects\n`;
  const reason = "no source of the network answers, or none knows the transaction";
  return recorded === 0 ? failed : `${failed}txgloss: ${recorded} of ${answers} lines rest on a recording: ${reason}\n`;
}

function showPace(progress: Progress, size: number | undefined): (now: FilterProgress) => void {
  const pace = startPace();
  let next = 0;
  return ({ answers, failures, bytes }) => {
    const now = Date.now();
    if (now < next) return;
    next = now + showMs;
    const failed = failures === 0 ? "" : `, ${failures.toLocaleString("en")} errors`;
    progress.show(`${pace.describe(answers, size === undefined ? undefined : bytes / size)}${failed}`);
  };
}

const showMs = 250;

/** Bytes; undefined for a pipe. */
function inputSize(): number | undefined {
  const stat = fstatSync(0);
  return stat.isFile() && stat.size > 0 ? stat.size : undefined;
}

/** Throws UsageError where the answers are of another input. */
function checkSame(line: string, answer: string | null, path: string | null): void {
  const asked = hashOfLine(line);
  const answered = answer === null ? null : hashOfLine(answer);
  if (asked !== null && answered !== null && asked !== answered)
    throw new UsageError(`${path} holds answers to another input: its last one is about ${answered}, not ${asked}`);
}

function writeOut(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
