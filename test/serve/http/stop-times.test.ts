import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Connections } from "../../../src/serve/http/connections.ts";
import { stopOnSignal } from "../../../src/serve/http/lifecycle.ts";

// Here a turn of the event loop is quiet at once. `untils` are the times until which the server would have waited for one.
const untils: number[] = [];
vi.mock("../../../src/serve/http/quiet-turn.ts", () => ({
  afterQuietTurn(_connections: unknown, until: number, then: () => void) {
    untils.push(until - startedAt);
    then();
  },
}));

/** When a server is opened. Times are told from there on. */
const startedAt = 1_000;
const signals = ["SIGTERM", "SIGINT"] as const;
const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.advanceTimersByTime(startedAt);
  untils.splice(0);
});
afterEach(() => {
  vi.useRealTimers();
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
});

interface Given {
  delayMs?: number;
  drainMs?: number;
  /** Requests that still wait when the time is up. */
  waiting?: number;
  /** Connections that are open then. */
  open?: number;
}

/** A server whose actions a test reads, each with its millisecond. `end` lets it close. */
function openServer({ delayMs = 0, drainMs = 10_000, waiting = 0, open = 0 }: Given = {}) {
  const done: [string, number][] = [];
  const note = (what: string) => () => void done.push([what, performance.now() - startedAt]);
  const closed: (() => void)[] = [];
  const server = {
    closeIdleConnections: note("close idle"),
    closeAllConnections: note("close all"),
    close(then: () => void) {
      note("stop listening")();
      closed.push(then);
    },
  };
  const app = {
    server,
    close: async () => note("close framework")(),
  };
  const connections = {
    arrived: 0,
    drain: note("drain"),
    closeSilent: note("close silent"),
    refuseWaiting() {
      note("refuse")();
      return waiting;
    },
    counts: () => ({ open, refused: 0, cut_off: 0 }),
  };
  const stop = stopOnSignal(app as unknown as FastifyInstance, {
    ...{ connections: connections as unknown as Connections, delayMs, drainMs },
    hurry: note("hurry"),
    stopped: (clean) => note(clean ? "clean" : "cut off")(),
  });
  return {
    stop: stop as (signal?: NodeJS.Signals) => void,
    end: () => {
      for (const then of closed.splice(0)) then();
    },
    /** Gives the actions since the last look, after this many milliseconds. */
    async past(ms: number) {
      await vi.advanceTimersByTimeAsync(ms);
      return done.splice(0);
    },
  };
}

describe("a stop", () => {
  it("closes in two steps, looks for idle connections every 50 ms, and ends when all are closed", async () => {
    const { stop, past, end } = openServer();
    stop();
    expect(await past(3)).toEqual([
      ["drain", 0],
      ["close idle", 0],
      ["stop listening", 0],
      ["close framework", 0],
    ]);
    expect(await past(46)).toEqual([]);
    expect(await past(3)).toEqual([
      ["close idle", 50],
      ["close silent", 50],
    ]);
    expect(await past(46)).toEqual([]);
    expect((await past(4)).map(([what]) => what)).toEqual(["close idle", "close silent"]);
    expect(new Set(untils)).toEqual(new Set([8_500]));
    end();
    expect((await past(1)).map(([what]) => what)).toEqual(["clean"]);
  });

  it.each([
    ["takes connections during the delay", undefined, 200, 200],
    ["does so on SIGTERM", "SIGTERM", 200, 200],
    ["has no delay on SIGINT", "SIGINT", 200, 0],
    ["has no delay that goes on beyond the moment of hurry", "SIGTERM", 60_000, 8_500],
  ] as const)("%s", async (_name, signal, delayMs, at) => {
    const { stop, past } = openServer({ delayMs });
    stop(signal);
    const done = await past(at + 20);
    expect(done[0]).toEqual(["drain", 0]);
    expect(done.find(([what]) => what === "stop listening")).toEqual(["stop listening", at]);
  });

  it.each([
    [10_000, 8_500, 9_300],
    [1_500, 0, 800],
    [1_000, 0, 300],
    [500, 0, 0],
  ])("of %i ms hurries at %i ms and cuts off at %i ms, then sends for 100 ms", async (drainMs, hurry, cut) => {
    const { stop, past } = openServer({ drainMs, waiting: 1 });
    stop();
    const done = await past(11_000);
    const at = (name: string) => done.filter(([what]) => what === name).map(([, ms]) => ms);
    expect([at("hurry"), at("refuse"), at("close all"), at("stop listening")]).toEqual([
      ...[[hurry], [cut], [cut + 100]],
      [0],
    ]);
  });

  it.each([
    [0, 0, "clean"],
    [1, 0, "cut off"],
    [0, 1, "cut off"],
    [2, 3, "cut off"],
  ])("that finds %i requests and %i connections at its end is %s", async (waiting, open, how) => {
    const { stop, past, end } = openServer({ waiting, open, delayMs: 5_000 });
    stop("SIGTERM");
    await past(9_400);
    end();
    expect((await past(5)).map(([what]) => what)).toEqual([how]);
  });

  it("cuts off at once on a second signal, and closes only once", async () => {
    const { stop, past } = openServer({ delayMs: 5_000, waiting: 1 });
    stop("SIGTERM");
    expect(await past(10)).toEqual([["drain", 0]]);
    stop("SIGTERM");
    expect(await past(10)).toEqual([
      ["refuse", 10],
      ["stop listening", 10],
      ["close framework", 10],
    ]);
    const later = await past(5_100);
    expect(later.filter(([what]) => what === "close all")).toEqual([["close all", 110]]);
    expect(later.filter(([what]) => what === "stop listening")).toEqual([]);
  });

  it.each(signals)("begins on %s", async (signal) => {
    const { past } = openServer();
    process.emit(signal, signal);
    expect((await past(1))[0]).toEqual(["drain", 0]);
  });
});
