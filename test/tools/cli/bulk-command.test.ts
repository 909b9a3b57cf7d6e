import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Config, ConfigError } from "../../../src/serve/settings/config.ts";
import { BulkError } from "../../../src/tools/bulk/bulk-error.ts";
import type { ManifestPart } from "../../../src/tools/bulk/queue/manifest.ts";
import type { WorkEvents, WorkOptions } from "../../../src/tools/bulk/work.ts";
import { runBulk } from "../../../src/tools/cli/volume/bulk.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";

/** The input of the parts of a run, and their answers. */
const fake = vi.hoisted(() => ({
  calls: [] as unknown[][],
  parts: [] as unknown[],
  failed: 0,
  work: async (_options: unknown): Promise<void> => {},
}));
vi.mock("../../../src/engine/engine.ts", async (original) => ({
  ...(await original<object>()),
  openEngine: () => engine,
}));
vi.mock("../../../src/tools/cli/volume/open-database.ts", () => ({
  openBulkOf: async (_config: unknown, { supervises, needed }: { supervises: boolean; needed: string }) => {
    fake.calls.push(["open", supervises, needed]);
    return { close: async () => void fake.calls.push(["close"]) };
  },
}));
vi.mock("../../../src/tools/bulk/replan/rule-sources.ts", () => ({ sourcesOf: () => "sources" }));
vi.mock("../../../src/tools/bulk/plan.ts", () => ({
  async planBlocks(_database: unknown, _engine: unknown, sources: unknown, options: unknown) {
    fake.calls.push(["plan", sources, options]);
    return { ruleset: "r1", jobs: 3, carried: 0, known: 0, revived: 0 };
  },
}));
vi.mock("../../../src/tools/bulk/status.ts", () => ({
  async readStatus(_database: unknown, ruleset: string) {
    fake.calls.push(["status", ruleset]);
    return { ...status, failed: fake.failed };
  },
}));
vi.mock("../../../src/tools/bulk/queue/manifest.ts", () => ({
  listParts: async (_database: unknown, ruleset: string) => {
    fake.calls.push(["parts", ruleset]);
    return fake.parts;
  },
}));
vi.mock("../../../src/tools/bulk/blocks/range-reader.ts", () => ({
  openBlockReader: (config: { rpcUrls: string[] }) => {
    fake.calls.push(["reader", config]);
    return { reader: "reader", close: () => void fake.calls.push(["reader closed"]) };
  },
}));
vi.mock("../../../src/tools/bulk/work.ts", () => ({
  workOnBlocks: (_database: unknown, options: WorkOptions) => {
    const { dir, reader, signal } = options;
    fake.calls.push(["work", dir, reader, signal.aborted]);
    return fake.work(options);
  },
}));

const engine = { ruleset: "r1" };
const counts = { planned: 3, done: 3, active: 0, waiting: 0, blocks: 9, blocksDone: 9, rows: 5, bytes: 1_000_000 };
const status = { ruleset: "r1", ...counts, failures: [] };
const config = { rpcUrls: ["http://settings"], deadlineMs: 5 } as unknown as Config;
const needed = "bulk runs keep their plans in PostgreSQL";
let shown: string[];
const progress = { show: (text: string) => void shown.push(text), clear: () => void shown.push("-") };

const signals = ["SIGINT", "SIGTERM"] as const;
const heardBefore = signals.map((name) => process.listeners(name));
afterEach(() => {
  for (const [i, name] of signals.entries())
    for (const one of process.listeners(name)) if (!heardBefore[i]?.includes(one)) process.off(name, one);
});
beforeEach(() => {
  shown = [];
  Object.assign(fake, { calls: [], parts: [], failed: 0, work: async () => {} });
});

const run = (words: string[], options = {}, rpcUrls: string[] = []) =>
  runBulk({ words, options, rpcUrls }, config, progress);

describe("bulk plan and bulk status", () => {
  const planned = { ruleset: "r1", jobs: 3, carried: 0, known: 0, revived: 0 };

  it.each([
    [false, "ruleset  r1\nplanned  3 ranges\n"],
    [true, `${JSON.stringify(planned)}\n`],
  ])("plan what was asked for, told as JSON: %s", async (json, text) => {
    expect(await run(["plan"], { from: "5", to: "9", json })).toEqual({ text });
    const plan = { first: 5, last: 9, format: "ndjson", traces: true, state: true, size: null, retries: 10 };
    expect(fake.calls).toEqual([["open", false, needed], ["plan", "sources", plan], ["close"]]);
  });

  it.each([
    [false, expect.stringMatching(/^ruleset {7}r1\nranges {8}3 of 3 done,/)],
    [true, `${JSON.stringify({ ...status, failed: 0 })}\n`],
  ])("say how far the plans are, told as JSON: %s", async (json, text) => {
    expect(await run(["status"], { json })).toEqual({ text });
    expect(fake.calls).toEqual([["open", false, needed], ["status", "r1"], ["close"]]);
  });

  it("open nothing where the command line is wrong", async () => {
    await expect(run(["stop"])).rejects.toBeInstanceOf(UsageError);
    expect(fake.calls).toEqual([]);
  });
});

describe("bulk parts", () => {
  const part = { name: "1-2-ab.parquet", first: 1, last: 2, format: "parquet", sha256: "ab", bytes: 3, rows: 4 };
  const two: Partial<ManifestPart>[] = [part as ManifestPart, { name: "3-4-cd.ndjson.zst" }];
  const [first, second] = [resolve("out", "1-2-ab.parquet"), resolve("out", "3-4-cd.ndjson.zst")];

  it.each<[boolean, readonly object[], string]>([
    [false, [], ""],
    [false, two, `${first}\n${second}\n`],
    [true, two.slice(0, 1), `${JSON.stringify({ path: first, ...part })}\n`],
  ])("lists whole paths, as JSON with all that is known: %s, of %j", async (json, parts, text) => {
    fake.parts = [...parts];
    expect(await run(["parts"], { dir: "out", json })).toEqual({ text });
    expect(fake.calls).toEqual([["open", false, needed], ["parts", "r1"], ["close"]]);
  });
});

describe("bulk work", () => {
  const range = (first: number) => ({ first, last: first + 9 }) as never;

  function heardOnStderr(): string[] {
    const heard: string[] = [];
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      heard.push(String(text));
      return true;
    });
    onTestFinished(() => spy.mockRestore());
    return heard;
  }

  it("counts parts and transactions, and shows where it is", async () => {
    const heard = heardOnStderr();
    fake.work = async (options) => {
      const { events } = options as { events: Required<WorkEvents> };
      events.block(7, 2);
      events.block(8, 3);
      events.done(range(1), 5);
      events.done(range(11), 0);
      events.waiting(new Error("away"));
      events.failed(range(21), new Error("no block"));
    };
    expect(await run(["work"], { dir: "out" })).toEqual({ text: "2 parts, 5 transactions\n", report: "", status: 0 });
    expect(shown).toEqual([
      expect.stringMatching(/^block 7: 2 done/),
      expect.stringMatching(/^block 8: 5 done/),
      "waiting for PostgreSQL: away",
      "-",
    ]);
    expect(heard).toEqual(["txgloss: blocks 21 to 30 are tried again: no block\n"]);
    expect(fake.calls).toEqual([
      ...[
        ["open", true, needed],
        ["reader", config],
        ["work", "out", "reader", false],
      ],
      ...[["reader closed"], ["status", "r1"], ["close"]],
    ]);
  });

  it("says what to do about ranges that failed", async () => {
    fake.failed = 1;
    expect(await run(["work"])).toEqual({
      text: "0 parts, 0 transactions\n",
      report: "txgloss: 1 ranges failed: see txgloss bulk status, and plan them again\n",
      status: 1,
    });
  });

  it("asks the endpoints of the command line instead of those of the settings", async () => {
    await run(["work"], {}, ["http://mine"]);
    expect(fake.calls[1]).toEqual(["reader", { ...config, rpcUrls: ["http://mine"] }]);
  });

  it.each([
    [new BulkError("not_planned", "plan it first"), new ConfigError(["plan it first"])],
    [new TypeError("oops"), new TypeError("oops")],
  ])("that ends with %s closes what it opened", async (error, told) => {
    fake.work = () => Promise.reject(error);
    await expect(run(["work"])).rejects.toEqual(told);
    expect(fake.calls.slice(3)).toEqual([["reader closed"], ["close"]]);
  });

  it.each(signals)("is stopped by %s", async (name) => {
    const before = process.listeners(name);
    const reasons: unknown[] = [];
    fake.work = async (options) => {
      const { signal } = options as WorkOptions;
      const [stop] = process.listeners(name).filter((one) => !before.includes(one));
      stop?.(name);
      reasons.push(signal.reason);
    };
    await run(["work"]);
    expect(reasons).toEqual([new Error("the worker was stopped")]);
  });
});
