import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProbe } from "../../src/kernel/probe.ts";

describe("createProbe", () => {
  it("asks once while the answer is fresh, then again", async () => {
    let asked = 0;
    let nowMs = 0;
    const head = createProbe(async () => ({ number: ++asked, timestamp: 1 }), null, {
      freshMs: 100,
      waitMs: 500,
      now: () => nowMs,
    });
    expect(await Promise.all([head(), head()])).toEqual(Array(2).fill({ number: 1, timestamp: 1 }));
    nowMs = 99;
    expect(await head()).toMatchObject({ number: 1 });
    nowMs = 100;
    expect(await head()).toMatchObject({ number: 2 });
  });

  it("does not wait for a source that hangs, and keeps the last head when it fails", async () => {
    let nowMs = 0;
    const answers = [
      async () => ({ number: 1, timestamp: 1 }),
      () => Promise.reject(new Error("refused")),
      async () => null,
      () => new Promise<null>(() => {}),
    ];
    const head = createProbe(() => (answers.shift() as () => Promise<null>)(), null, {
      freshMs: 1,
      waitMs: 5,
      now: () => nowMs++,
    });
    for (let count = 0; count < 4; count++) expect(await head()).toEqual({ number: 1, timestamp: 1 });
    expect(answers).toHaveLength(0);
  });

  it("makes nobody wait twice for one question", async () => {
    const head = createProbe(() => new Promise(() => {}), null, { freshMs: 5_000, waitMs: 100 });
    await head();
    const began = performance.now();
    for (let count = 0; count < 10; count++) await head();
    expect(performance.now() - began).toBeLessThan(100);
  });

  it("knows nothing before the first answer", async () => {
    const head = createProbe(() => new Promise(() => {}), null, { freshMs: 5_000, waitMs: 1 });
    expect(await head()).toBeNull();
  });
});

describe("a probe", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("asks again only when its answer is old", async () => {
    let now = 1000;
    const answers = [1, null, 3];
    let asked = 0;
    const probe = createProbe(async () => answers[asked++] as number | null, 0, {
      freshMs: 100,
      waitMs: 10,
      now: () => now,
    });
    expect([await probe(), asked]).toEqual([1, 1]);
    now += 99;
    expect([await probe(), asked]).toEqual([1, 1]);
    now += 1;
    expect([await probe(), asked]).toEqual([1, 2]);
    now += 100;
    expect([await probe(), asked]).toEqual([3, 3]);
  });

  it("gives the last answer where the source fails or is slow, and does not ask a second time meanwhile", async () => {
    let now = 0;
    let asked = 0;
    let answer = (_: number) => {};
    const probe = createProbe(
      () => {
        asked++;
        if (asked === 1) return Promise.reject(new Error("down"));
        return new Promise<number>((resolve) => {
          answer = resolve;
        });
      },
      7,
      { freshMs: 100, waitMs: 10, now: () => now },
    );
    expect(await probe()).toBe(7);
    now = 100;
    const slow = probe();
    await vi.advanceTimersByTimeAsync(9);
    let settled = false;
    void slow.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await slow).toBe(7);
    now = 300;
    expect([await probe(), asked]).toEqual([7, 2]);
    answer(9);
    await vi.advanceTimersByTimeAsync(0);
    now = 199;
    expect([await probe(), asked]).toEqual([9, 2]);
  });
});
