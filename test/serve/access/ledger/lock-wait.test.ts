import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLockWait } from "../../../../src/serve/access/ledger/sqlite.ts";

/** As node:sqlite throws it. */
const locked = (errcode = 5) => Object.assign(new Error("locked"), { code: "ERR_SQLITE_ERROR", errcode });

/** Work that throws these errors one after the other and then gives 5, and the times at which it was started. */
function workOf(...failures: unknown[]) {
  const times: number[] = [];
  const begun = performance.now();
  const work = () => {
    times.push(performance.now() - begun);
    if (failures.length > 0) throw failures.shift();
    return 5;
  };
  return { work, times };
}
const many = (count: number) => Array.from({ length: count }, () => locked());

describe("work on a file that may be locked", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("runs at once if the file is free, and nothing waits", () => {
    const { work, times } = workOf();
    expect(createLockWait(100)(work)).toBe(5);
    expect([times, vi.getTimerCount()]).toEqual([[0], 0]);
  });

  it.each([
    ["SQLITE_BUSY", 5],
    ["SQLITE_BUSY_SNAPSHOT", 517],
    ["SQLITE_LOCKED", 6],
    ["SQLITE_LOCKED_SHAREDCACHE", 262],
  ])("is tried again while it is %s", async (_code, errcode) => {
    const { work, times } = workOf(locked(errcode));
    const waiting = createLockWait(100)(work);
    await vi.advanceTimersByTimeAsync(2);
    expect([await waiting, times]).toEqual([5, [0, 2]]);
  });

  it.each([locked(13), locked(1288), new Error("SQLITE_BUSY")])(
    "fails at once where something else is wrong, at first and later: %s",
    async (failure) => {
      const wait = createLockWait(100);
      expect(() => wait(workOf(failure).work)).toThrow(failure);
      const later = workOf(locked(), failure);
      const waiting = Promise.resolve(wait(later.work)).catch((thrown: unknown) => thrown);
      await vi.advanceTimersByTimeAsync(1_000);
      expect([await waiting, later.times]).toEqual([failure, [0, 2]]);
    },
  );

  it("is tried again after twice the pause each time, of 50 milliseconds at most", async () => {
    const { work, times } = workOf(...many(8));
    const waiting = createLockWait(10_000)(work);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await waiting, times]).toEqual([5, [0, 2, 6, 14, 30, 62, 112, 162, 212]]);
  });

  it.each([
    [31, [0, 2, 6, 14, 30, 62]],
    [62, [0, 2, 6, 14, 30, 62]],
    [63, [0, 2, 6, 14, 30, 62, 112]],
    [0, [0, 2]],
  ])("is given up after %d milliseconds, with what was thrown last", async (waitMs, expected) => {
    const failures = many(20);
    const last = failures[expected.length - 1];
    const { work, times } = workOf(...failures);
    const waiting = Promise.resolve(createLockWait(waitMs)(work)).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(times).toEqual(expected);
    expect(await waiting).toBe(last);
    expect(vi.getTimerCount()).toBe(0);
  });
});
