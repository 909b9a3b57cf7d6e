import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Config } from "../../../src/serve/settings/config.ts";
import { type FilterCommand, filterLines } from "../../../src/tools/cli/volume/filter.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import type { FilterOptions, FilterProgress } from "../../../src/tools/volume/filter.ts";
import { hashOf } from "../../support/sample.ts";

/** The input of the filter, its answer, and what is opened for it. */
const fake = vi.hoisted(() => ({
  given: [] as unknown[],
  did: [] as unknown[],
  done: { bytes: 0, answers: 0, failures: 0, recorded: 0 },
  during: async (_options: unknown): Promise<void> => {},
  earlier: { lines: 0, last: null as string | null },
  stat: { isFile: (): boolean => false, size: 0 },
}));
vi.mock("node:os", async (original) => ({ ...(await original<object>()), availableParallelism: () => 6 }));
vi.mock("node:fs", async (original) => ({ ...(await original<object>()), fstatSync: () => fake.stat }));
vi.mock("../../../src/tools/volume/filter.ts", () => ({
  async runFilter(options: unknown) {
    fake.given.push(options);
    await fake.during(options);
    return fake.done;
  },
}));
vi.mock("../../../src/tools/volume/resume.ts", () => ({
  openResumed: async (path: string) => {
    fake.did.push(`open ${path}`);
    const write = async (bytes: Uint8Array) => void fake.did.push(Buffer.from(bytes).toString());
    return { earlier: fake.earlier, write, close: async () => void fake.did.push("close") };
  },
}));

const config = { deadlineMs: 5 } as unknown as Config;
let shown: string[];

beforeEach(() => {
  shown = [];
  const earlier = { lines: 0, last: null };
  const done = { bytes: 0, answers: 0, failures: 0, recorded: 0 };
  Object.assign(fake, { given: [], did: [], done, earlier, during: async () => {}, stat: { isFile: () => false } });
  const destroyed = vi.spyOn(process.stdin, "destroy").mockImplementation(() => {
    fake.did.push("stdin");
    return process.stdin;
  });
  onTestFinished(() => destroyed.mockRestore());
});

function run(command: Partial<FilterCommand> = {}) {
  const progress = { show: (text: string) => void shown.push(text), clear() {} };
  return filterLines({ why: false, resume: null, threads: null, ...command }, { config, asks: true }, progress);
}

/** What the filter was given. */
const given = () => fake.given[0] as Required<FilterOptions>;

const onRecordings =
  "txgloss: 2 of 5 lines rest on a recording: no source of the network answers, or none knows the transaction\n";

describe("the filter of a command", () => {
  it.each([
    [{}, { evidence: false, threads: 6 }],
    [
      { why: true, threads: 2 },
      { evidence: true, threads: 2 },
    ],
  ])("works with %j as %j", async (command, work) => {
    await run(command);
    expect(given().work).toEqual({ config, asks: true, ...work });
    expect([given().input, given().skip]).toEqual([process.stdin, 0]);
  });

  it.each([
    [0, 0, ""],
    [1, 0, "txgloss: 1 of 5 lines are error objects\n"],
    [5, 0, "txgloss: 5 of 5 lines are error objects\n"],
    [0, 2, onRecordings],
    [3, 2, `txgloss: 3 of 5 lines are error objects\n${onRecordings}`],
  ])("tells of %i failures and %i recordings among its answers", async (failures, recorded, report) => {
    fake.done = { bytes: 0, answers: 5, failures, recorded };
    expect(await run()).toEqual({ text: "", report });
  });

  it.each([null, new Error("the disk is full")])("leaves stdin and closes its file, after %s too", async (error) => {
    fake.during = async () => {
      if (error !== null) throw error;
    };
    if (error === null) await run({ resume: "out" });
    else await expect(run({ resume: "out" })).rejects.toBe(error);
    expect(fake.did).toEqual(["open out", "stdin", "close"]);
  });

  it("writes to stdout where no file is named, and waits until it took the bytes", async () => {
    const wrote = vi.spyOn(process.stdout, "write").mockImplementation((bytes, then) => {
      const fails = Buffer.from(bytes as Uint8Array).toString() === "bad";
      (then as unknown as (error?: Error) => void)(fails ? new Error("gone") : undefined);
      return true;
    });
    onTestFinished(() => wrote.mockRestore());
    await run();
    expect(await given().write(Buffer.from("good"))).toBeUndefined();
    await expect(given().write(Buffer.from("bad"))).rejects.toThrow("gone");
    expect(fake.did).toEqual(["stdin"]);
  });
});

describe("a filter that goes on", () => {
  const answer = (number: number) => JSON.stringify({ tx_hash: hashOf(number), summary: "" });

  it("leaves out the lines that have their answer, and writes behind these", async () => {
    fake.earlier = { lines: 7, last: answer(1) };
    fake.during = (options) => (options as FilterOptions).write(Buffer.from("more"));
    await run({ resume: "out" });
    expect([given().skip, fake.did]).toEqual([7, ["open out", "more", "stdin", "close"]]);
  });

  const other = `out holds answers to another input: its last one is about ${hashOf(1)}, not ${hashOf(2)}`;
  it.each<[string, string | null, string | undefined]>([
    [hashOf(1), answer(1), undefined],
    [hashOf(2), answer(1), other],
    [JSON.stringify({ transaction: { hash: hashOf(2) } }), answer(1), other],
    [hashOf(2), null, undefined],
    ["nonsense", answer(1), undefined],
    [hashOf(2), '{"error":"internal","tx_hash":null}', undefined],
  ])("behind the line %s and the answer %s", async (line, last, refused) => {
    fake.earlier = { lines: 1, last };
    await run({ resume: "out" });
    const check = () => given().skipped(line);
    if (refused === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(new UsageError(refused));
  });
});

describe("where a filter stands", () => {
  /** Tells of progress at these times; gives what is shown. */
  async function shownAt(...reports: [number, FilterProgress][]): Promise<string[]> {
    vi.useFakeTimers({ now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    fake.during = async (options) => {
      for (const [ms, now] of reports) {
        vi.setSystemTime(1_000_000 + ms);
        (options as Required<FilterOptions>).progress(now);
      }
    };
    await run();
    return shown;
  }
  const at = (answers: number, bytes = 0, failures = 0) => ({ answers, bytes, failures, recorded: 0 });

  it("is shown four times a second at most", async () => {
    const reports = [0, 249, 250, 499, 500].map((ms, i): [number, FilterProgress] => [ms, at(i)]);
    expect(await shownAt(...reports)).toEqual(["0 done", "2 done, 8.0 a second", "4 done, 8.0 a second"]);
  });

  it.each([
    [{ isFile: () => true, size: 400 }, "10 done, 10 a second, 3 s left"],
    [{ isFile: () => true, size: 1 }, "10 done, 10 a second, 0 s left"],
    [{ isFile: () => true, size: 0 }, "10 done, 10 a second"],
    [{ isFile: () => false, size: 400 }, "10 done, 10 a second"],
  ])("tells how long it still takes where the input is a file, as of %j", async (stat, text) => {
    fake.stat = stat;
    expect(await shownAt([1_000, at(10, Math.min(100, stat.size))])).toEqual([text]);
  });

  it("counts errors where there are any", async () => {
    expect(await shownAt([1_000, at(5_000, 0, 1_234)])).toEqual(["5,000 done, 5,000 a second, 1,234 errors"]);
  });
});
