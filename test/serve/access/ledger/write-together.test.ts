import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProcessCalls } from "../../../../src/serve/access/ledger/calls/process-calls.ts";
import { collectMs, type TakenCall } from "../../../../src/serve/access/ledger/calls/taken-call.ts";
import type { LedgerDatabase, Write } from "../../../../src/serve/access/ledger/database.ts";

describe("charges of one process", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** How many calls each transaction wrote. */
  const written: number[] = [];
  const inOneTransaction = (writes: readonly Write[]) => {
    written.push(...writes.map(({ values }) => Number(values[2])));
    return writes.length;
  };
  const database = { inOneTransaction } as unknown as LedgerDatabase;
  const usedBefore = () => written.reduce((sum, calls) => sum + calls, 0);

  it("are written at once, those of the next milliseconds together, and none is lost", async () => {
    const calls = new ProcessCalls({ database, readUsed: usedBefore, readPass: () => undefined });
    const answer = async () => ((await calls.takeFree("client", 1, 100)) as TakenCall).charge();
    await answer();
    expect(written).toEqual([]);
    vi.advanceTimersByTime(0);
    expect(written).toEqual([1]);
    for (let count = 0; count < 10; count++) {
      await answer();
      vi.advanceTimersByTime(0);
    }
    expect(written).toEqual([1]);
    expect(await calls.readFree("client", 1)).toBe(11);
    vi.advanceTimersByTime(collectMs);
    expect(written).toEqual([1, 10]);
    expect(await calls.readFree("client", 1)).toBe(11);
    await answer();
    await calls.close();
    expect(written).toEqual([1, 10, 1]);
  });
});
