import { join, resolve } from "node:path";
import type { Engine } from "../../../engine/build-engine.ts";
import { openEngine } from "../../../engine/engine.ts";
import { type Config, ConfigError } from "../../../serve/settings/config.ts";
import { openBlockReader } from "../../bulk/blocks/range-reader.ts";
import { BulkError } from "../../bulk/bulk-error.ts";
import { type Planned, planBlocks } from "../../bulk/plan.ts";
import type { BulkDatabase } from "../../bulk/queue/database.ts";
import { listParts } from "../../bulk/queue/manifest.ts";
import { sourcesOf } from "../../bulk/replan/rule-sources.ts";
import { type BulkStatus, readStatus } from "../../bulk/status.ts";
import { workOnBlocks } from "../../bulk/work.ts";
import { formatFields } from "../../terminal/table.ts";
import { startPace } from "../../volume/pace.ts";
import type { Printed } from "../output.ts";
import type { Progress } from "../progress.ts";
import { type BulkWords, type PartsTask, readBulk } from "./bulk-options.ts";
import { openBulkOf } from "./open-database.ts";

/** `txgloss bulk`. Rejects with UsageError and ConfigError. */
export async function runBulk(words: BulkWords, config: Config, progress: Progress): Promise<Printed> {
  const command = readBulk(words);
  const engine = openEngine(config);
  const needed = "bulk runs keep their plans in PostgreSQL";
  const database = await openBulkOf(config, { needed, supervises: command.task === "work" });
  try {
    switch (command.task) {
      case "plan":
        return tell(command.json, await planBlocks(database, engine, sourcesOf(config), command.plan), formatPlanned);
      case "status":
        return tell(command.json, await readStatus(database, engine.ruleset), formatStatus);
      case "parts":
        return { text: await listPaths(database, engine, command) };
      case "work":
        return await work(database, engine, { command, config, progress });
    }
  } catch (error) {
    throw error instanceof BulkError ? new ConfigError([error.message]) : error;
  } finally {
    await database.close();
  }
}

function tell<T>(json: boolean, found: T, format: (found: T) => string): Printed {
  return { text: json ? `${JSON.stringify(found)}\n` : format(found) };
}

/** One a line; with --json, what the manifest says. */
async function listPaths(database: BulkDatabase, { ruleset }: Engine, { dir, json }: PartsTask): Promise<string> {
  const parts = await listParts(database, ruleset);
  const lines = parts.map((part) => {
    const path = join(resolve(dir), part.name);
    return json ? JSON.stringify({ path, ...part }) : path;
  });
  return lines.map((line) => `${line}\n`).join("");
}

async function work(
  database: BulkDatabase,
  engine: Engine,
  { command, config, progress }: { command: PartsTask; config: Config; progress: Progress },
): Promise<Printed> {
  const { dir, rpcUrls } = command;
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("the worker was stopped"));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { reader, close } = openBlockReader(rpcUrls.length > 0 ? { ...config, rpcUrls } : config, engine);
  const pace = startPace();
  let rows = 0;
  let parts = 0;
  const say = (text: string) => {
    progress.clear();
    process.stderr.write(`txgloss: ${text}\n`);
  };
  try {
    await workOnBlocks(database, {
      ...{ dir, engine, reader, signal: stopping.signal },
      events: {
        block(number, made) {
          rows += made;
          progress.show(`block ${number}: ${pace.describe(rows)}`);
        },
        done: () => void parts++,
        failed: ({ first, last }, error) => say(`blocks ${first} to ${last} are tried again: ${error.message}`),
        waiting: (error) => progress.show(`waiting for PostgreSQL: ${error.message}`),
      },
    });
  } finally {
    close();
  }
  const { failed } = await readStatus(database, engine.ruleset);
  const report = failed === 0 ? "" : `txgloss: ${failed} ranges failed: see txgloss bulk status, and plan them again\n`;
  return { text: `${parts} parts, ${rows} transactions\n`, report, status: failed === 0 ? 0 : 1 };
}

/** For people. Ends with a newline. */
export function formatPlanned({ ruleset, jobs, carried, known, revived }: Planned): string {
  return formatFields([
    ["ruleset", ruleset],
    ["planned", `${jobs} ranges`],
    ["carried over", carried === 0 ? "" : `${carried} ranges that no changed rule can be about`],
    ["known", known === 0 ? "" : `${known} ranges are done or planned already`],
    ["tried anew", revived === 0 ? "" : `${revived} ranges that had failed`],
  ]);
}

/** For people. Ends with a newline. */
export function formatStatus(status: BulkStatus): string {
  const { ruleset, planned, done, active, waiting, failed, blocks, blocksDone, rows, bytes, failures } = status;
  return formatFields([
    ["ruleset", ruleset],
    ["ranges", `${done} of ${planned} done, ${active} worked on, ${waiting} waiting, ${failed} failed`],
    ["blocks", `${blocksDone} of ${blocks}`],
    ["transactions", `${rows}, ${(bytes / 1e6).toFixed(1)} MB`],
    ["trouble", failures.map(({ first, last, message }) => `${first} to ${last}: ${message}`).join("\n")],
  ]);
}
