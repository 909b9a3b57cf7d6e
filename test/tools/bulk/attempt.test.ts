import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { BulkDatabase } from "../../../src/tools/bulk/queue/database.ts";
import { LostJobError } from "../../../src/tools/bulk/queue/manifest.ts";
import { contractKey } from "../../../src/tools/bulk/replan/holding-key.ts";
import { hashKey, mayHold } from "../../../src/tools/bulk/replan/holdings.ts";
import { workOnBlocks } from "../../../src/tools/bulk/work.ts";
import { caseOf, vault } from "../../support/case-of.ts";
import { evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

/** What a worker does, in order, and what meets it. */
const fake = vi.hoisted(() => ({
  did: [] as unknown[],
  blocks: [] as { number: number; cases: unknown[] }[],
  reading: async (): Promise<void> => {},
  committing: async (): Promise<void> => {},
  statuses: [] as { waiting: number; active: number }[],
  holds: new Uint8Array() as Uint8Array,
}));
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<object>()),
  setTimeout: async (ms: number) => {
    if (ms > 0) fake.did.push(`pause ${ms}`);
  },
}));
vi.mock("../../../src/tools/bulk/blocks/range-reader.ts", () => ({
  readBlockRange: async function* (_parts: object, _engine: object, { first, last }: { first: number; last: number }) {
    fake.did.push(`read ${first} to ${last}`);
    for (const block of fake.blocks) {
      yield block;
      await fake.reading();
    }
  },
}));
vi.mock("../../../src/tools/bulk/parts/part-row.ts", () => ({
  rowOf: ({ tx_hash }: { tx_hash: string }, _decision: object, { index }: { index: number }) => `${index} ${tx_hash}`,
}));
vi.mock("../../../src/tools/bulk/parts/part-file.ts", () => ({
  claimFolder: async () => {},
  openPart: async ({ dir, attempt }: { dir: string; attempt: string }) => {
    fake.did.push(`open ${attempt} in ${dir}`);
    return {
      add: async (rows: string[]) => void fake.did.push(["add", ...rows]),
      seal: async (rows: number) => `sealed ${rows}`,
      drop: async () => void fake.did.push("drop"),
    };
  },
}));
vi.mock("../../../src/tools/bulk/queue/manifest.ts", async (original) => ({
  ...(await original<object>()),
  sweepFolder: async () => void fake.did.push("sweep"),
  async commitPart(_database: object, { part, holds }: { part: string; holds: Uint8Array }) {
    await fake.committing();
    fake.holds = holds;
    fake.did.push(`commit ${part}`);
  },
}));
vi.mock("../../../src/tools/bulk/status.ts", () => ({ readStatus: async () => fake.statuses.shift() ?? nothingLeft }));

const nothingLeft = { waiting: 0, active: 0 };
const caseFile = (number: number) => ({ ...caseOf(), tx_hash: hashOf(number) });
const job = { id: "job", retryCount: 2, data: { first: 5, last: 6, format: "parquet", traces: true, state: true } };
const opened = "open job-2 in out";

beforeEach(() => {
  const nothing = async () => {};
  Object.assign(fake, { did: [], blocks: [], statuses: [], reading: nothing, committing: nothing });
});

/** Works on these jobs. `touched`: the database's answer to a sign of life. */
async function work(jobs: object[], { touched = {} as object | Error, signal = new AbortController().signal } = {}) {
  const boss = {
    getQueue: async () => ({}),
    fetch: async () => jobs.splice(0, 1),
    fail: async (...words: unknown[]) => void fake.did.push(["fail", ...words]),
    touch: async (...words: unknown[]) => {
      fake.did.push(["touch", ...words]);
      if (touched instanceof Error) throw touched;
      return touched;
    },
  };
  const database = { boss, ask: async () => ({ rows: [] }) } as unknown as BulkDatabase;
  const decision = { explanation: explanationOf(hashOf(1)), evidence: () => evidenceOf() };
  const engine = { ruleset: "r1", labels: {}, decide: () => decision };
  const events = {
    block: (number: number, rows: number) => void fake.did.push(`block ${number}: ${rows}`),
    done: ({ first }: { first: number }, rows: number) => void fake.did.push(`done ${first}: ${rows}`),
    failed: ({ first }: { first: number }, error: Error) => void fake.did.push(`failed ${first}: ${error.message}`),
  };
  await workOnBlocks(database, { dir: "out", engine, reader: {}, signal, events } as never);
  return fake.did;
}

describe("an attempt at a range", () => {
  it("writes the rows of each block, commits them with what they hold, and looks for more", async () => {
    fake.blocks = [
      { number: 5, cases: [caseFile(1), caseFile(2)] },
      { number: 6, cases: [] },
    ];
    expect(await work([job])).toEqual([
      ...[opened, "read 5 to 6"],
      ...[["add", `0 ${hashOf(1)}`, `1 ${hashOf(2)}`], "block 5: 2", ["add"], "block 6: 0"],
      ...["commit sealed 2", "done 5: 2", "sweep"],
    ]);
    expect(mayHold(fake.holds, [hashKey(contractKey(vault))])).toBe(true);
    expect(mayHold(fake.holds, [hashKey(contractKey(`0x${"9d".repeat(20)}`))])).toBe(false);
  });

  const failing = { id: "job", retryCount: 2 };
  it.each([
    [new Error("no block"), "no block"],
    ["a text", "a text"],
  ])("that ends with %s is told, and given back for another", async (error, message) => {
    fake.blocks = [{ number: 5, cases: [] }];
    fake.reading = () => Promise.reject(error);
    expect(await work([job])).toEqual([
      ...[opened, "read 5 to 6", ["add"], "block 5: 0", "drop", `failed 5: ${message}`],
      ...[["fail", "txgloss-r1", failing, { message }], "sweep", "sweep"],
    ]);
  });

  it("at what is somebody else's by now is not given back", async () => {
    fake.committing = () => Promise.reject(new LostJobError("lost"));
    expect(await work([job])).toEqual([opened, "read 5 to 6", "drop", "failed 5: lost", "sweep", "sweep"]);
  });

  it.each(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EIO", "EMFILE"])(
    "that ends with %s is of this machine, and ends the worker",
    async (code) => {
      const error = Object.assign(new Error("full"), { code });
      fake.committing = () => Promise.reject(error);
      await expect(work([job, job])).rejects.toBe(error);
      expect(fake.did.slice(2)).toEqual([
        ...["drop", "failed 5: full", ["fail", "txgloss-r1", failing, { message: "full" }], "sweep"],
      ]);
    },
  );

  it("ends with the signal of the worker, and no other range is begun", async () => {
    fake.blocks = [
      { number: 5, cases: [] },
      { number: 6, cases: [] },
    ];
    const stop = new AbortController();
    fake.reading = async () => stop.abort(new Error("stopped"));
    const did = await work([job, job], { signal: stop.signal });
    expect(did.filter((what) => what === opened)).toHaveLength(1);
    expect(did).toContain("failed 5: stopped");
    expect(did).not.toContainEqual(expect.stringContaining("commit"));
  });
});

describe("a worker that has no range", () => {
  it.each([
    [[{ waiting: 1, active: 0 }], 1],
    [[{ waiting: 0, active: 1 }], 1],
    [
      [
        { waiting: 1, active: 1 },
        { waiting: 2, active: 0 },
      ],
      2,
    ],
    [[], 0],
  ])("waits half a second while %j", async (statuses, pauses) => {
    fake.statuses = statuses;
    expect(await work([])).toEqual([...Array.from({ length: pauses }, () => "pause 500"), "sweep"]);
  });
});

describe("the signs of life of an attempt", () => {
  /** Passes so many seconds while the first block is read. */
  function passSeconds(seconds: number): void {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    fake.blocks = [
      { number: 5, cases: [] },
      { number: 6, cases: [] },
    ];
    let passed = false;
    fake.reading = async () => {
      if (!passed) await vi.advanceTimersByTimeAsync(seconds * 1_000);
      passed = true;
    };
  }
  const touch = ["touch", "txgloss-r1", { id: "job", retryCount: 2 }];
  const isTouch = (what: unknown) => Array.isArray(what) && what[0] === "touch";

  it.each([
    [4.999, { affected: 1 }, 0],
    [5, { affected: 1 }, 1],
    [14.999, { affected: 1 }, 2],
    [10, new Error("away"), 2],
  ])("in %d seconds, where the database says %j: %i", async (seconds, touched, count) => {
    passSeconds(seconds);
    const did = await work([job], { touched });
    expect(did.filter(isTouch)).toEqual(Array.from({ length: count }, () => touch));
    expect(did).toContain("done 5: 0");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("end it where the job is somebody else's by now", async () => {
    passSeconds(5);
    const did = await work([job], { touched: { affected: 0 } });
    expect(did.slice(4)).toEqual([
      ...[touch, ["add"], "block 6: 0", "drop", "failed 5: The job is somebody else's by now."],
      ...["sweep", "sweep"],
    ]);
  });
});
