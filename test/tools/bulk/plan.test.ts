import { describe, expect, it } from "vitest";
import { type PlanOptions, planBlocks } from "../../../src/tools/bulk/plan.ts";
import type { BulkDatabase } from "../../../src/tools/bulk/queue/database.ts";
import { shippedLabels } from "../../support/labels.ts";

type Row = Record<string, unknown>;

interface Given {
  /** Ranges that are planned already. */
  covered?: Row[];
  /** Those of them whose job failed or is gone. */
  failed?: Row[];
}

/** Plans over a database that gives these answers. Gives what was written, and the jobs that were begun. */
async function plan({ covered = [], failed = [] }: Given, more: Partial<PlanOptions> = {}) {
  const written: unknown[][] = [];
  const begun: unknown[] = [];
  const queues: unknown[] = [];
  const asked: string[] = [];
  const rulesets: unknown[][] = [];
  const ask = async (sql: string, values: unknown[] = []) => {
    asked.push(sql);
    if (/INSERT INTO txgloss_bulk\.ruleset/.test(sql)) rulesets.push(values);
    if (/^\s*(?:INSERT INTO txgloss_bulk\.range|UPDATE)/.test(sql)) written.push(values);
    const rows = /part IS NULL/.test(sql) ? failed : /^\s*SELECT first_block/.test(sql) ? covered : [];
    return { rows, rowCount: null };
  };
  const boss = {
    createQueue: async (name: string, options: object) => void queues.push([name, options]),
    insert: async (_queue: string, jobs: { data: object; retryLimit: number }[], options: object) => {
      const from = begun.length;
      begun.push(...jobs.map(({ data, retryLimit }) => ({ ...data, retryLimit })));
      expect(options).toEqual({ db: { executeSql: ask }, returnId: true });
      return jobs.map((_, i) => `job ${from + i}`);
    },
  };
  const database = { boss, inTransaction: (work: (...given: unknown[]) => unknown) => work(ask, { executeSql: ask }) };
  const options: PlanOptions = {
    ...{ first: 100, last: 129, format: "ndjson", size: 10, traces: true, state: false, retries: 7 },
    ...more,
  };
  const planned = await planBlocks(
    database as unknown as BulkDatabase,
    { ruleset: "r1", labels: shippedLabels() },
    { "*": "ab" },
    options,
  );
  return { planned, written, begun, queues, asked, rulesets };
}

const job = { format: "ndjson", traces: true, state: false, retryLimit: 7 };

describe("a plan of blocks", () => {
  it("has jobs of 200 seconds, before and after blocks became faster", async () => {
    const sizesOf = async (first: number, last: number) => {
      const { begun } = await plan({}, { first, last, size: null });
      return (begun as { first: number; last: number }[]).map((one) => [one.first, one.last]);
    };
    expect(await sizesOf(30_000_050, 30_000_299)).toEqual([
      [30_000_050, 30_000_099],
      [30_000_100, 30_000_199],
      [30_000_200, 30_000_299],
    ]);
    expect(await sizesOf(60_000_900, 60_002_999)).toEqual([
      [60_000_900, 60_000_999],
      [60_001_000, 60_001_999],
      [60_002_000, 60_002_999],
    ]);
  });

  it("is a job for each piece that nothing covers, written with its range", async () => {
    const { planned, written, begun } = await plan({ covered: [{ first: 105, last: 119 }] });
    expect(planned).toEqual({ ruleset: "r1", jobs: 2, carried: 0, known: 1, revived: 0 });
    expect(begun).toEqual([
      { ...job, first: 100, last: 104 },
      { ...job, first: 120, last: 129 },
    ]);
    expect(written).toEqual([
      ["r1", "ndjson", 100, 104, true, false, "job 0"],
      ["r1", "ndjson", 120, 129, true, false, "job 1"],
    ]);
  });

  it("leaves what its rules can be about for later ones", async () => {
    expect((await plan({})).rulesets).toEqual([["r1", '{"*":"ab"}']]);
  });

  it("begins nothing where all is covered", async () => {
    const { planned, written, begun } = await plan({
      covered: [
        { first: 1, last: 119 },
        { first: 120, last: 200 },
      ],
    });
    expect(planned).toEqual({ ruleset: "r1", jobs: 0, carried: 0, known: 2, revived: 0 });
    expect([written, begun]).toEqual([[], []]);
  });

  it("gives what failed a new job, as it was planned", async () => {
    const failed = [
      { first: 100, last: 109, format: "ndjson", traces: false, state: true },
      { first: 120, last: 129, format: "ndjson", traces: true, state: true },
    ];
    const { planned, written, begun } = await plan({ covered: [...failed, { first: 110, last: 119 }], failed });
    expect(planned).toEqual({ ruleset: "r1", jobs: 0, carried: 0, known: 1, revived: 2 });
    expect(begun).toEqual(failed.map((range) => ({ ...range, retryLimit: 7 })));
    expect(written).toEqual([
      ["job 0", "r1", "ndjson", 100],
      ["job 1", "r1", "ndjson", 120],
    ]);
  });

  it("makes a queue that keeps jobs for a year, those that are done for a month, and tries again ever later", async () => {
    const { queues, asked } = await plan({}, { retries: 3 });
    const times = {
      heartbeatSeconds: 15,
      expireInSeconds: 21_600,
      retentionSeconds: 31_536_000,
      deleteAfterSeconds: 2_592_000,
    };
    expect(queues).toEqual([
      ["txgloss-r1", { ...times, retryLimit: 3, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 }],
    ]);
    // Two who plan at once wait for one another.
    expect(asked[0]).toBe("SELECT pg_advisory_xact_lock($1)");
  });
});
