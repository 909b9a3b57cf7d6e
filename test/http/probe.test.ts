import { describe, expect, it } from "vitest";
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
