import { describe, expect, it } from "vitest";
import { createAnswerMemory } from "../../src/explain/answer-memory.ts";
import { CallerGone, createFlights } from "../../src/explain/flights.ts";
import { caseLifetime, failureLifetime, lifetimes } from "../../src/explain/lifetime.ts";
import { createViewMemory } from "../../src/explain/view-memory.ts";
import { chain } from "../../src/kernel/chain-profile.ts";
import { type ErrorCode, ServiceError } from "../../src/kernel/error.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";

const hash = hashOf(1);

describe("how long a case and a failure are remembered", () => {
  const settled = Number(caseFileOf(hash).block.timestamp) * 1000 + chain.finalAfterMs + 1;
  it.each<[string, Partial<CaseFile>, number, number]>([
    ["settled for good", {}, settled, lifetimes.settled],
    ["a moment before", {}, settled - 1, lifetimes.young],
    ["young", {}, 0, lifetimes.young],
    ["without a time", { block: { number: "0x1" } as CaseFile["block"] }, settled, 0],
    [
      "whose trace may still come",
      { trace: { source: "none", reason: "the trace sources did not answer" } },
      settled,
      0,
    ],
    [
      "that has no trace",
      { trace: { source: "none", reason: "plain transfer: 21000 gas" } },
      settled,
      lifetimes.settled,
    ],
    ["whose price did not come", { price: { status: "unavailable", source: "s", eth_usd: null } }, settled, 0],
    [
      "whose price is not known",
      { price: { status: "inconclusive", source: "s", eth_usd: null } },
      settled,
      lifetimes.settled,
    ],
    [
      "whose token did not answer",
      {
        tokens: { a: { status: "unavailable", source: "s", symbol: null, name: null, decimals: null, standard: null } },
      },
      settled,
      0,
    ],
    [
      "one of whose reads did not come",
      { reads: [{ status: "unavailable", source: "s", to: "0x", data: "0x", result: null } as never] },
      settled,
      0,
    ],
  ])("a case %s", (_name, parts, now, ms) => {
    expect(caseLifetime({ ...caseFileOf(hash), ...parts }, now)).toBe(ms);
  });

  it("a failure: where it tells something about the transaction", () => {
    const of = (code: ErrorCode) => failureLifetime(new ServiceError(code));
    expect([
      of("transaction_not_found"),
      of("transaction_pending"),
      of("upstream_unavailable"),
      of("overloaded"),
    ]).toEqual([...[4_000, 1_000, 0, 0]]);
    expect(lifetimes).toEqual({ settled: 86_400_000, young: 15_000, notFound: 4_000, pending: 1_000 });
  });
});

describe("the memory of answers", () => {
  const clockAt = () => {
    const clock = { time: 1_000, now: () => clock.time };
    return clock;
  };
  const answerOf = (bytes: number) => ({ body: Buffer.alloc(bytes) });

  it("keeps an answer and its case for so long, and nothing for no time", () => {
    const clock = clockAt();
    const memory = createAnswerMemory(1_000_000, clock);
    const examined = { answer: answerOf(10), caseFile: caseFileOf(hash) };
    memory.keep(hash, examined, 0);
    expect([memory.recall(hash), memory.recallExamined(hash)]).toEqual([undefined, undefined]);
    memory.keep(hash, examined, 100);
    expect([memory.recall(hash), memory.recallExamined(hash)]).toEqual([examined.answer, examined]);
    clock.time += 99;
    expect(memory.recall(hash)).toBe(examined.answer);
    clock.time += 2;
    expect([memory.recall(hash), memory.recallExamined(hash)]).toEqual([undefined, undefined]);
  });

  it("holds answers by nine times their bytes and a thousand each", () => {
    const each = 9 * 100 + 1024;
    const kept = (maxSize: number) => {
      const memory = createAnswerMemory(maxSize, clockAt());
      const examined = { answer: answerOf(100), caseFile: caseFileOf(hash) };
      for (const i of [1, 2, 3]) memory.keep(hashOf(i), examined, 100);
      return [1, 2, 3].filter((i) => memory.recall(hashOf(i)) !== undefined);
    };
    expect([kept(3 * each), kept(3 * each - 1), kept(each), kept(each - 1)]).toEqual([[1, 2, 3], [2, 3], [3], []]);
  });

  it("holds cases in a quarter as much, by what is long in them", () => {
    const sample = caseFileOf(hash);
    const log = { address: "0x", topics: [], data: "0x1234" };
    const frame = { type: "CALL", from: "0x" };
    const file: CaseFile = {
      ...sample,
      transaction: { ...sample.transaction, input: `0x${"00".repeat(50)}` },
      receipt: { ...sample.receipt, logs: [log, log] },
      tokens: { a: {} as never },
      reads: [{}, {}] as never,
    };
    const base = 4096 + 102 + 1024 * 3 + 2 * (512 + 6);
    const root = {
      ...{ ...frame, input: "0x12", output: "0x123456", logs: [log] },
      calls: [{ ...frame, calls: [{ ...frame, input: "0x" }] }],
    };
    const sizes: [CaseFile["trace"], number][] = [
      [{ source: "none", reason: "x" }, base],
      [{ source: "debug_traceTransaction", root }, base + 512 * 3 + 4 + 8 + (512 + 6) + 2],
      [{ source: "internal_transfers", provider: "x", internal_transfers: [{}, {}, {}] as never }, base + 512 * 3],
    ];
    for (const [trace, size] of sizes) {
      const whole = size + 9 * 100 + 1024;
      const holds = (maxSize: number) => {
        const memory = createAnswerMemory(maxSize, clockAt());
        memory.keep(hash, { answer: answerOf(100), caseFile: { ...file, trace } }, 100);
        return memory.recallExamined(hash) !== undefined;
      };
      expect([holds(4 * whole), holds(4 * whole - 4)]).toEqual([true, false]);
    }
  });

  it("keeps failures that tell something, and throws each on", () => {
    const clock = clockAt();
    const memory = createAnswerMemory(1_000, clock);
    const fail = (error: unknown) => expect(() => memory.keepFailure(hash, error)).toThrow(error as Error);
    fail(new ServiceError("upstream_unavailable"));
    fail(new Error("transaction_not_found"));
    expect(memory.failureOf(hash)).toBeUndefined();
    fail(new ServiceError("transaction_not_found"));
    clock.time += 3_999;
    expect(memory.failureOf(hash)).toBe("transaction_not_found");
    clock.time += 2;
    expect(memory.failureOf(hash)).toBeUndefined();
  });
});

describe("the memory of views", () => {
  const account = `0x${"a1".repeat(20)}` as never;
  const view = { account } as never;
  const build = (examined: unknown = {}) => {
    const clock = { time: Date.UTC(2030, 0, 1), now: () => clock.time };
    const memory = createViewMemory({ explainer: { examined: () => examined as never }, cacheBytes: 10_000, clock });
    return { clock, memory };
  };

  it("tells views of one transaction apart by their account", () => {
    const { memory, clock } = build();
    const file = caseFileOf(hash);
    const made = memory.keep({ hash, account: null }, view, { source: "network", file });
    expect(made).toEqual({ source: "network", view, body: Buffer.from(JSON.stringify(view)), etag: made.etag });
    expect(memory.recall({ hash, account: null })).toBe(made);
    expect(memory.recall({ hash, account })).toBeUndefined();
    clock.time += lifetimes.settled + 1;
    expect(memory.recall({ hash, account: null })).toBeUndefined();
  });

  it.each([
    ["network", undefined, true],
    ["recording", {}, true],
    ["recording", undefined, false],
  ] as const)("gives what a %s told, where the case is %s: %s", (source, examined, found) => {
    const { memory } = build(examined === undefined ? null : examined);
    const clock = { now: () => Date.UTC(2030, 0, 1) };
    const own = createViewMemory({ explainer: { examined: () => examined as never }, cacheBytes: 10_000, clock });
    own.keep({ hash, account: null }, view, { source, file: caseFileOf(hash) });
    expect(own.recall({ hash, account: null }) !== undefined).toBe(found);
    expect(memory.recall({ hash, account: null })).toBeUndefined();
  });

  it.each([
    [{ prices: { a: { status: "unavailable" } }, balances: [] }, false],
    [{ prices: {}, balances: [{ status: "unavailable" }] }, false],
    [{ prices: { a: { status: "absent" } }, balances: [{ status: "inconclusive" }] }, true],
  ])("keeps %j: %s", (looked, kept) => {
    const { memory } = build();
    memory.keep({ hash, account }, view, { source: "network", file: { ...caseFileOf(hash), view: looked as never } });
    expect(memory.recall({ hash, account }) !== undefined).toBe(kept);
  });

  it("lets callers of one question share the work, until it is done", async () => {
    const { memory } = build();
    let runs = 0;
    const work = async () => ({ run: ++runs }) as never;
    const question = { hash, account };
    const [one, other] = [memory.share(question, work), memory.share(question, work)];
    expect(await one).toBe(await other);
    expect(await memory.share({ hash, account: null }, work)).toEqual({ run: 2 });
    expect(await memory.share(question, work)).toEqual({ run: 3 });
  });
});

describe("runs that callers share", () => {
  const build = (callersMax = 9) => {
    const runs: { key: string; ended: AbortSignal; done: PromiseWithResolvers<string> }[] = [];
    const flights = createFlights<string, string>({ callersMax });
    const join = (key: string, signal?: AbortSignal) =>
      flights.join(
        key,
        (ended) => {
          const done = Promise.withResolvers<string>();
          runs.push({ key, ended, done });
          return done.promise;
        },
        signal,
      );
    return { flights, join, runs };
  };

  it("are one for each key, until they end", async () => {
    const { join, runs } = build();
    const all = [join("a"), join("a"), join("b")];
    expect(runs.map(({ key }) => key)).toEqual(["a", "b"]);
    runs[0]?.done.resolve("A");
    runs[1]?.done.resolve("B");
    expect(await Promise.all(all)).toEqual(["A", "A", "B"]);
    expect(runs.map(({ ended }) => ended.aborted)).toEqual([true, true]);
    void join("a");
    expect(runs).toHaveLength(3);
  });

  it("end when the last caller has gone, and a caller who went is told so", async () => {
    const { join, runs } = build();
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = [join("a", first.signal), join("a", second.signal)].map((wait) => wait.catch((error) => error));
    first.abort();
    const told = await waits[0];
    expect(told).toMatchObject({ code: "upstream_unavailable", retryAfterSeconds: 5 });
    expect(told.cause).toBeInstanceOf(CallerGone);
    expect(runs[0]?.ended.aborted).toBe(false);
    second.abort();
    await waits[1];
    expect(runs[0]?.ended.aborted).toBe(true);
    // The next caller does not join the run that was given up.
    void join("a");
    expect(runs).toHaveLength(2);
    await expect(join("a", AbortSignal.abort())).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("have so many callers together, and no more", async () => {
    const { join, runs } = build(2);
    const first = join("a");
    void join("a");
    await expect(join("a")).rejects.toMatchObject({ code: "overloaded", retryAfterSeconds: 5 });
    await expect(join("b")).rejects.toMatchObject({ code: "overloaded" });
    runs[0]?.done.resolve("A");
    await first;
    void join("b");
    expect(runs).toHaveLength(2);
  });

  it("are all ended with a reason at the close", () => {
    const { flights, join, runs } = build();
    void join("a").catch(() => {});
    void join("b").catch(() => {});
    flights.close();
    for (const { ended } of runs)
      expect(ended.reason).toMatchObject({ code: "upstream_unavailable", retryAfterSeconds: 5 });
    for (const { done } of runs) done.resolve("");
  });
});
