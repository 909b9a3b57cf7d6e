import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BulkError } from "../../../src/tools/bulk/bulk-error.ts";
import type { BulkDatabase } from "../../../src/tools/bulk/queue/database.ts";
import { listParts, sweepFolder } from "../../../src/tools/bulk/queue/manifest.ts";
import { readStatus } from "../../../src/tools/bulk/status.ts";
import { workOnBlocks } from "../../../src/tools/bulk/work.ts";
import { newFolder } from "./part-files.ts";

type Row = Record<string, unknown>;

interface Given {
  /** null: nothing is planned. */
  queue?: object | null;
  counted?: Row;
  failures?: Row[];
  parts?: string[];
  active?: string[];
  /** What the first question of all ends with. */
  error?: Error;
}

/** A database that gives these answers and lists the questions to it. */
function openDatabase({ queue = {}, counted = {}, failures = [], parts = [], active = [], error }: Given = {}) {
  const asked: string[] = [];
  const counts = { planned: 0, done: 0, active: 0, waiting: 0, blocks: 0, blocksDone: 0, rows: 0, bytes: 0 };
  const answers: [RegExp, Row[]][] = [
    [/SELECT owner/, [{ owner: "database 1" }]],
    [/count\(\*\) AS planned/, [{ ...counts, ...counted }]],
    [/j\.output/, failures],
    [/SELECT name FROM/, parts.map((name) => ({ name }))],
    [/AS attempt/, active.map((attempt) => ({ attempt }))],
  ];
  const ask = async (sql: string) => {
    asked.push(sql);
    if (error !== undefined) throw error;
    return { rows: answers.find(([pattern]) => pattern.test(sql))?.[1] ?? [], rowCount: null };
  };
  const boss = { getQueue: async () => queue, fetch: async () => [] };
  const inTransaction = (work: (of: typeof ask, db: object) => Promise<unknown>) => work(ask, { executeSql: ask });
  return { database: { ask, boss, inTransaction } as unknown as BulkDatabase, asked };
}

function work(given: Given, dir: string, { signal = new AbortController().signal, waiting = [] as Error[] } = {}) {
  const { database, asked } = openDatabase(given);
  const events = { waiting: (error: Error) => void waiting.push(error) };
  const done = workOnBlocks(database, { dir, engine: { ruleset: "r1" }, reader: {}, signal, events } as never);
  return { done, asked, waiting };
}

const hash = "ab".repeat(32);
const known = `1-2-${hash}.parquet`;
const lost = `3-4-${hash}.ndjson.zst`;

describe("a worker", () => {
  it("without work claims its folder, puts it right, and ends", async () => {
    const dir = join(newFolder(), "parts");
    await work({}, dir).done;
    expect(readFileSync(join(dir, ".txgloss"), "utf8")).toBe("database 1\n");
    for (const name of [known, lost, ".1-0.draft", ".2-1.draft"]) writeFileSync(join(dir, name), "");
    await work({ parts: [known], active: ["2-1"] }, dir).done;
    expect(readdirSync(dir).sort()).toEqual([".2-1.draft", ".txgloss", known]);
  });

  it("has nothing to do where nothing is planned", async () => {
    await expect(work({ queue: null }, newFolder()).done).rejects.toEqual(
      new BulkError("not_planned", "Nothing is planned for the ruleset r1: plan it first."),
    );
  });

  it("does not touch the folder of another database", async () => {
    const dir = newFolder();
    writeFileSync(join(dir, ".txgloss"), "database 2\n");
    writeFileSync(join(dir, lost), "");
    await expect(work({}, dir).done).rejects.toMatchObject({ code: "foreign_folder" });
    expect(existsSync(join(dir, lost))).toBe(true);
  });

  it("that is stopped looks for no work", async () => {
    const { done, asked } = work({ counted: { waiting: 1 } }, newFolder(), { signal: AbortSignal.abort() });
    await done;
    expect(asked.some((sql) => sql.includes("planned"))).toBe(false);
  });

  const coded = (code: string, message = "no") => Object.assign(new Error(message), { code });
  it.each<[Error, boolean]>([
    [coded("57P01"), true],
    [coded("08006"), true],
    [coded("53300"), true],
    [coded("25006"), true],
    [coded("40001"), true],
    [coded("ECONNREFUSED"), true],
    [coded("", "Connection terminated unexpectedly"), true],
    [coded("", "timeout exceeded when trying to connect"), true],
    [coded("42P01"), false],
    [coded("E2BIG"), false],
    [coded("X57"), false],
    [new Error("no"), false],
  ])("waits for a database that %s says is away: %s", async (error, waits) => {
    const stop = new AbortController();
    const waiting: Error[] = [];
    const database = openDatabase({ error }).database;
    const events = {
      waiting(met: Error) {
        waiting.push(met);
        stop.abort();
      },
    };
    const dir = newFolder();
    const options = { dir, engine: { ruleset: "r1" }, reader: {}, signal: stop.signal, events } as never;
    await expect(workOnBlocks(database, options)).rejects.toBe(error);
    expect([waiting, readdirSync(dir)]).toEqual([waits ? [error] : [], []]);
  });
});

describe("how far a plan is", () => {
  it("counts as failed what is neither done nor worked on nor waiting, and says why", async () => {
    const counted = { planned: 10, done: 4, active: 3, waiting: 2, blocks: 7, blocksDone: 5, rows: 6, bytes: 8 };
    const failures = [
      { first: 1, last: 2, output: { message: "no" } },
      { first: 3, last: 4, output: { value: { message: "never" } } },
      { first: 5, last: 6, output: {} },
      { first: 7, last: 8, output: null },
    ];
    expect(await readStatus(openDatabase({ counted, failures }).database, "r1")).toEqual({
      ...{ ruleset: "r1", ...counted, failed: 1 },
      failures: [
        { first: 1, last: 2, message: "no" },
        { first: 3, last: 4, message: "never" },
        { first: 5, last: 6, message: "its job is gone" },
        { first: 7, last: 8, message: "its job is gone" },
      ],
    });
  });
});

describe("a folder that is put right", () => {
  it("removes drafts of dead workers and unlisted parts, and says which", async () => {
    const dir = newFolder();
    for (const name of [known, lost, ".1-0.draft", ".2-1.draft", "other"]) writeFileSync(join(dir, name), "");
    const { database, asked } = openDatabase({ parts: [known], active: ["2-1"] });
    expect(await sweepFolder(database, dir)).toEqual([lost, "1-0"]);
    expect(readdirSync(dir).sort()).toEqual([".2-1.draft", known, "other"]);
    expect(asked[0]).toContain("pg_advisory_xact_lock");
    expect(await sweepFolder(database, join(dir, "none"))).toEqual([]);
    expect(await listParts(database, "r1")).toEqual([]);
  });
});
