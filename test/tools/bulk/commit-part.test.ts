import { describe, expect, it } from "vitest";
import type { SealedPart } from "../../../src/tools/bulk/parts/part-file.ts";
import type { BulkDatabase } from "../../../src/tools/bulk/queue/database.ts";
import { attemptName, commitPart, LostJobError } from "../../../src/tools/bulk/queue/manifest.ts";

const job = {
  ...{ id: "j1", retryCount: 2 },
  data: { first: 10, last: 19, format: "ndjson", traces: true, state: false } as const,
};

/** Commits a part when the database finds this many jobs and ranges. Gives what was done, in order. */
async function commit({ affected, rowCount }: { affected: number; rowCount: number }) {
  const done: unknown[] = [];
  const ask = async (sql: string, values: unknown[]) => {
    done.push([sql.trim().split(/\s+/).slice(0, 3).join(" "), ...values]);
    return { rows: [], rowCount };
  };
  const db = { executeSql: ask };
  const boss = {
    complete: async (...given: unknown[]) => {
      done.push(["complete", ...given]);
      return { affected };
    },
  };
  const database = { boss, inTransaction: (work: (...given: unknown[]) => unknown) => work(ask, db) };
  const part = {
    ...{ name: "p1", sha256: "ab", bytes: 7, rows: 3 },
    publish: async () => void done.push("published"),
  } as unknown as SealedPart;
  const given = { job, part, holds: Uint8Array.of(1, 2), ruleset: "r1" };
  const error = await commitPart(database as unknown as BulkDatabase, given).catch((thrown) => thrown);
  const [lock, complete, ...written] = done;
  expect(lock).toEqual(["SELECT pg_advisory_xact_lock_shared($1)", 8_453_103]);
  expect(complete).toEqual(["complete", "txgloss-r1", { id: "j1", retryCount: 2 }, null, { db }]);
  return { error, written };
}

const partRow = ["INSERT INTO txgloss_bulk.part", "p1", 10, 19, "ndjson", "ab", 7, 3, Buffer.of(1, 2)];
const rangeRow = ["UPDATE txgloss_bulk.range SET", "p1", "r1", "ndjson", 10, 19, "j1"];

describe("a part that is done", () => {
  it("gets its row and its range, and last of all its name", async () => {
    expect(await commit({ affected: 1, rowCount: 1 })).toEqual({
      error: undefined,
      written: [partRow, rangeRow, "published"],
    });
  });

  it.each([0, 2])("is not written by a worker whose job belongs to another one: %i jobs", async (affected) => {
    const { error, written } = await commit({ affected, rowCount: 1 });
    expect(error).toEqual(new LostJobError("Blocks 10 to 19 are somebody else's by now."));
    expect(written).toEqual([]);
  });

  it.each([0, 2])("gets no name where its range is not planned any more: %i ranges", async (rowCount) => {
    const { error, written } = await commit({ affected: 1, rowCount });
    expect(error).toEqual(new LostJobError("Blocks 10 to 19 are not planned any more."));
    expect(written).toEqual([partRow, rangeRow]);
  });

  it("is drafted under the name of its attempt", () => {
    expect(attemptName(job)).toBe("j1-2");
  });
});
