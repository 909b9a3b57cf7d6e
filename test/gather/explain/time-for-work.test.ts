import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createExplainer, runInTime } from "../../../src/gather/explain/explain.ts";
import { createWorkQueue } from "../../../src/gather/explain/work-queue.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { hashOf } from "../../support/sample.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const codeOf = (run: Promise<unknown>) => run.catch((error: ServiceError) => error.code);

describe("work in time", () => {
  const start = (queue: ReturnType<typeof createWorkQueue>, ended = new AbortController()) => {
    const signals: AbortSignal[] = [];
    const work = Promise.withResolvers<string>();
    const run = runInTime(queue, { deadlineMs: 1_000, ended: ended.signal }, (gathering, deciding) => {
      signals.push(gathering, deciding);
      return work.promise;
    });
    return { run, work, ended, signals, aborted: () => signals.map(({ aborted }) => aborted) };
  };

  it("has so long to gather, and a little more to decide", async () => {
    const { aborted, run, work } = start(createWorkQueue({ runningMax: 1, waitingMax: 0 }));
    await pass(999);
    expect(aborted()).toEqual([false, false]);
    await pass(1);
    expect(aborted()).toEqual([true, false]);
    await pass(serviceLimits.decidingMs - 1);
    expect(aborted()).toEqual([true, false]);
    await pass(1);
    expect(aborted()).toEqual([true, true]);
    work.resolve("done");
    expect(await run).toBe("done");
  });

  it("leaves no timer behind, however it ends", async () => {
    const queue = createWorkQueue({ runningMax: 1, waitingMax: 0 });
    const { run, work, aborted } = start(queue);
    work.resolve("done");
    expect(await run).toBe("done");
    expect([vi.getTimerCount(), aborted()]).toEqual([0, [true, true]]);
    const failing = start(queue);
    failing.work.reject(new ServiceError("transaction_not_found"));
    expect(await codeOf(failing.run)).toBe("transaction_not_found");
    expect([vi.getTimerCount(), queue.load()]).toEqual([0, { running: 0, waiting: 0 }]);
  });

  it("waits for a place for half of its time, and then has the rest", async () => {
    const queue = createWorkQueue({ runningMax: 1, waitingMax: 2 });
    const first = start(queue);
    const [second, third] = [start(queue), start(queue)];
    const refused = codeOf(third.run);
    await pass(499);
    expect([second.signals, queue.load()]).toEqual([[], { running: 1, waiting: 2 }]);
    first.work.resolve("done");
    await pass(0);
    expect(second.aborted()).toEqual([false, false]);
    await pass(1);
    expect([await refused, second.aborted()]).toEqual(["overloaded", [false, false]]);
    await pass(500);
    expect(second.aborted()).toEqual([true, false]);
    second.work.resolve("done");
    expect(await second.run).toBe("done");
  });

  it("ends when no caller waits for it", () => {
    const { ended, aborted } = start(createWorkQueue({ runningMax: 1, waitingMax: 0 }));
    ended.abort();
    expect(aborted()).toEqual([true, true]);
  });
});

describe("an explainer that is told no limits", () => {
  const build = () => {
    const signals: AbortSignal[] = [];
    const explainer = createExplainer({
      stages: {
        fetch: (_hash, signal) => {
          signals.push(signal);
          return never();
        },
        plan: never,
        lookUp: never,
        decide: never,
      },
      recordings: null,
      cacheBytes: 100_000,
    });
    return { explainer, signals };
  };

  it("gathers for eight seconds", async () => {
    const { explainer, signals } = build();
    void explainer.explain(hashOf(1)).catch(() => {});
    void explainer.gather(hashOf(2)).catch(() => {});
    await pass(7_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await pass(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("works on 64 at once, lets 256 wait, and refuses more", async () => {
    const { explainer, signals } = build();
    const codes: unknown[] = [];
    for (let i = 0; i < 64 + 256 + 2; i++) void codeOf(explainer.explain(hashOf(i))).then((code) => codes.push(code));
    await pass(0);
    expect([signals.length, codes]).toEqual([64, ["overloaded", "overloaded"]]);
  });
});
