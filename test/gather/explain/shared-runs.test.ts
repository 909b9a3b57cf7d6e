import { describe, expect, it } from "vitest";
import { CallerGone, createSharedRuns } from "../../../src/gather/explain/shared-runs.ts";

describe("runs that callers share", () => {
  const build = (callersMax = 9) => {
    const runs: { key: string; ended: AbortSignal; done: PromiseWithResolvers<string> }[] = [];
    const shared = createSharedRuns<string, string>({ callersMax });
    const join = (key: string, signal?: AbortSignal) =>
      shared.join(
        key,
        (ended) => {
          const done = Promise.withResolvers<string>();
          runs.push({ key, ended, done });
          return done.promise;
        },
        signal,
      );
    return { shared, join, runs };
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

  it("end when the last caller has gone, and a caller who went gets that as the cause", async () => {
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

  it("have at most the allowed number of callers, all runs together", async () => {
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
    const { shared, join, runs } = build();
    void join("a").catch(() => {});
    void join("b").catch(() => {});
    shared.close();
    for (const { ended } of runs)
      expect(ended.reason).toMatchObject({ code: "upstream_unavailable", retryAfterSeconds: 5 });
    for (const { done } of runs) done.resolve("");
  });
});
