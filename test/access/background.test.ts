import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAccess } from "../../src/access/open.ts";
import { openLedgerAndChain, type Parts } from "../../src/access/parts.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { newDirectory, settingsOf } from "../support/metered-server.ts";

/** What was begun is done: nothing of it waits for a timer or another process. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("the work in the background", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("asks about all open payments at the start, then every 30 seconds about those of 15 blocks ago and before", async () => {
    const gasKey: `0x${string}` = `0x${"11".repeat(32)}`;
    const opened = await openLedgerAndChain({
      ledger: { dataDir: newDirectory() },
      transport: () => ({ config: {}, request: () => Promise.reject(new Error("no chain")) }) as never,
    });
    const asked: number[] = [];
    const ledger = {
      ...opened.ledger,
      listOpenPayments: async (block: number) => {
        asked.push(block);
        return [];
      },
    };
    const chain = { ...opened.chain, head: async () => 1_000 };
    const parts = { ...opened, ledger, chain, gasWallet: null } as unknown as Parts;
    const payments = settingsOf({ rpcUrl: "", gasKey } as never);
    const access = createAccess({ payments, log: createLogger("info", () => undefined) }, parts);
    access.start();
    await settled();
    expect(asked).toEqual([1_000]);
    vi.advanceTimersByTime(29_999);
    await settled();
    expect(asked).toEqual([1_000]);
    vi.advanceTimersByTime(1);
    await settled();
    expect(asked).toEqual([1_000, 985]);
    vi.advanceTimersByTime(30_000);
    await settled();
    expect(asked).toEqual([1_000, 985, 985]);
    await access.close();
    vi.advanceTimersByTime(30_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
