import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../src/engine/build-engine.ts";
import { openEngine } from "../../../src/engine/engine.ts";
import { openBlockReader } from "../../../src/tools/bulk/blocks/range-reader.ts";
import { measureFile } from "../../../src/tools/bulk/parts/part-file.ts";
import type { PartFormat } from "../../../src/tools/bulk/parts/part-writer.ts";
import { planBlocks } from "../../../src/tools/bulk/plan.ts";
import { type BulkDatabase, openBulkDatabase } from "../../../src/tools/bulk/queue/database.ts";
import { listParts, type ManifestPart } from "../../../src/tools/bulk/queue/manifest.ts";
import { jobsSchema } from "../../../src/tools/bulk/queue/range-job.ts";
import { type RuleSources, sourcesOf } from "../../../src/tools/bulk/replan/rule-sources.ts";
import { readStatus } from "../../../src/tools/bulk/status.ts";
import { type WorkEvents, workOnBlocks } from "../../../src/tools/bulk/work.ts";
import { readPart } from "../../../src/tools/cli/volume/part-coverage.ts";
import { offline } from "../../support/main-process.ts";
import { startPostgres } from "../../support/postgres.ts";
import { type ReplayNode, startReplayNode } from "../../support/replay-node.ts";
import { root } from "../../support/shared.ts";
import { controlPostgres, type PostgresControl } from "../world/postgres-control.ts";

export const folders = { rulesDir: join(root, "rules"), labelsDir: join(root, "labels") };

/** A database server, a node and folders for parts, all on this machine. */
export interface BulkWorld {
  node: ReplayNode;
  server: PostgresControl;
  /** Of a new database. */
  createDatabase(name: string): Promise<string>;
  folder(): string;
  /** A worker in this process. */
  workHere(operator: Operator, dir: string, events?: WorkEvents): Promise<void>;
  /** A worker in a process of its own. */
  startWorker(given: { url: string; dir: string; env?: Record<string, string> }): BulkWorker;
  close(): Promise<void>;
}

export interface BulkWorker {
  child: ChildProcess;
  /** Resolves with the exit status, or with null when a signal ended the process. */
  ended: Promise<number | null>;
  said(): string;
}

export async function openBulkWorld({ perBlock = 4 } = {}): Promise<BulkWorld> {
  const postgres = await startPostgres();
  const node = await startReplayNode({ perBlock });
  const home = mkdtempSync(join(tmpdir(), "txgloss-bulk-"));
  const workers = new Set<ChildProcess>();
  const server = await controlPostgres(postgres, await postgres.createDatabase("control"));
  return {
    node,
    server,
    createDatabase: postgres.createDatabase,
    folder: () => mkdtempSync(join(home, "parts-")),
    async workHere(operator, dir, events = {}) {
      const settings = { rpcUrls: [node.url], rpcTimeoutMs: 3_000, endpointSockets: 16 };
      const { reader, close } = openBlockReader(settings, operator.engine);
      const signal = new AbortController().signal;
      await workOnBlocks(operator.database(), { dir, engine: operator.engine, reader, signal, events }).finally(close);
    },
    startWorker({ url, dir, env = {} }) {
      const child = spawn(process.execPath, [join(root, "src/tools/cli/txgloss.ts"), "bulk", "work", "--dir", dir], {
        env: { ...process.env, ...offline, RPC_URLS: node.url, DATABASE_URL: url, ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      workers.add(child);
      let told = "";
      child.stderr?.on("data", (chunk) => {
        told = `${told}${chunk}`.slice(-4_000);
      });
      const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
      void ended.then(() => workers.delete(child));
      return { child, ended, said: () => told };
    },
    async close() {
      for (const child of workers) child.kill("SIGKILL");
      await node.close();
      await postgres.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const known = new Map<string, { engine: Engine; sources: RuleSources }>();

/** Reads rules once, however many databases there are. */
function readRules(given: typeof folders): { engine: Engine; sources: RuleSources } {
  const key = JSON.stringify(given);
  const read = known.get(key) ?? { engine: openEngine(given), sources: sourcesOf(given) };
  known.set(key, read);
  return read;
}

/** One database, as the operator of a run sees it. */
export async function openOperator(url: string, { rulesDir, labelsDir } = folders) {
  const { engine, sources } = readRules({ rulesDir, labelsDir });
  const { ruleset } = engine;
  let database = await openBulkDatabase(url, { supervises: false });
  return {
    engine,
    database: (): BulkDatabase => database,
    /** After the server was away for longer. */
    async reconnect(): Promise<void> {
      await database.close();
      database = await openBulkDatabase(url, { supervises: false });
    },
    plan: (first: number, last: number, size: number, format: PartFormat = "ndjson", retries = 1_000) =>
      planBlocks(database, engine, sources, {
        ...{ first, last, format, size, retries, traces: true, state: true },
      }),
    status: () => readStatus(database, ruleset),
    parts: () => listParts(database, ruleset),
    /** Of all parts, in order. */
    async rows(dir: string) {
      const rows = [];
      for (const part of await listParts(database, ruleset))
        for await (const row of readPart(dir, part)) rows.push(row);
      return rows;
    },
    /**
     * Makes every job in work look as if its worker had been silent for a long time. Either the worker is dead, or it will notice that
     * another one has replaced it.
     */
    async age(): Promise<void> {
      await database.ask(
        `UPDATE ${jobsSchema}.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'`,
      );
    },
    close: () => database.close(),
  };
}

export type Operator = Awaited<ReturnType<typeof openOperator>>;

/** SHA-256 of the sorted rows of all parts, and the number of rows. */
export async function hashRows(dir: string, parts: readonly ManifestPart[]): Promise<{ rows: number; hash: string }> {
  const lines: string[] = [];
  for (const part of parts) for await (const row of readPart(dir, part)) lines.push(JSON.stringify(row));
  return { rows: lines.length, hash: createHash("sha256").update(lines.sort().join("\n")).digest("hex") };
}

/** The errors that a reader of the manifest sees now: parts that are missing or differ, and blocks that are in two parts. */
export async function checkParts(dir: string, parts: readonly ManifestPart[], known: Set<string>): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  for (const { name, first, last, sha256 } of parts) {
    if (first < next) wrong.push(`two parts hold block ${first}`);
    next = last + 1;
    if (known.has(name)) continue;
    const found = await measureFile(join(dir, name)).catch(() => undefined);
    if (found?.sha256 === sha256) known.add(name);
    else wrong.push(`${name} is ${found === undefined ? "missing" : "another file"}`);
  }
  return wrong;
}

/** Files that the manifest does not list, including hidden files. */
export function findLeftovers(dir: string, parts: readonly ManifestPart[]): string[] {
  const names = new Set([...parts.map(({ name }) => name), ".txgloss"]);
  return readdirSync(dir).filter((name) => !names.has(name));
}
