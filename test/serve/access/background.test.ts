import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createAccess } from "../../../src/serve/access/open.ts";
import { openLedgerAndChain, openParts, type Parts } from "../../../src/serve/access/parts.ts";
import { newDirectory, settingsOf } from "../../support/metered-server.ts";
import { calendar, http, logged, optionsFor, transport } from "./access-options.ts";
import { payment, rich } from "./ledger/sample-payment.ts";

/** Waits until everything that was begun is done. Nothing of it waits for a timer or another process. */
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

  it("asks about all open payments at the start, then every 30 seconds about those of 30 seconds of the chain ago and before", async () => {
    const gasKey: `0x${string}` = `0x${"11".repeat(32)}`;
    const opened = await openLedgerAndChain({
      ledger: { dataDir: newDirectory() },
      ...{ transport, calendar },
    });
    const asked: number[] = [];
    const ledger = {
      ...opened.ledger,
      listOpenPayments: async (block: number) => {
        asked.push(block);
        return [];
      },
    };
    const chain = { ...opened.chain, blockBefore: async (seconds: number) => 1_000 - 5 * seconds };
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
    expect(asked).toEqual([1_000, 850]);
    vi.advanceTimersByTime(30_000);
    await settled();
    expect(asked).toEqual([1_000, 850, 850]);
    await access.close();
    vi.advanceTimersByTime(30_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("drops what failed payments do not need any more: a day after they expired, at the start and every hour", async () => {
    const opened = await openLedgerAndChain({ ledger: { dataDir: newDirectory() }, transport, calendar });
    const dropped: number[][] = [];
    const note = async (...times: number[]) => void dropped.push(times);
    const ledger = { ...opened.ledger, dropAnswers: note, dropUnsent: note, dropPasted: note };
    const parts = { ...opened, ledger, gasWallet: null } as unknown as Parts;
    const payments = settingsOf({ rpcUrl: "", gasKey: `0x${"11".repeat(32)}` } as never);
    const day = 86_400;
    const access = createAccess({ payments, log: createLogger("silent", () => {}) }, parts, () => 100 * day * 1_000);
    access.start();
    await settled();
    vi.advanceTimersByTime(3_600_000);
    await settled();
    expect(dropped).toEqual(
      Array(2)
        .fill([[60 * day, 99 * day], [60 * day, 100 * day], [99 * day]])
        .flat(),
    );
    await access.close();
  });

  /** Opens access over this ledger and this chain. Counts how often the ledger is closed. */
  async function openWith(ledger: object, blockBefore: () => Promise<number> = async () => 1_000) {
    const options = optionsFor(http);
    const opened = await openParts(options);
    const { log, lines } = logged("debug");
    const chain = { ...opened.chain, blockBefore };
    let closed = 0;
    const close = () => {
      closed++;
      return opened.ledger.close();
    };
    const parts = { ...opened, chain, ledger: { ...opened.ledger, close, ...ledger } } as Parts;
    return { access: createAccess({ ...options, log }, parts), lines, opened, closed: () => closed };
  }

  it("watches every second and forgets every hour, until it is closed", async () => {
    const times = { watched: 0, forgot: 0 };
    const held = [0, 1, 2];
    const { access, lines, closed } = await openWith({
      watchCalls: async () => held[times.watched++] ?? 0,
      dropFreeBefore: () => void times.forgot++,
    });
    access.start();
    await settled();
    vi.advanceTimersByTime(999);
    await settled();
    expect(times).toEqual({ watched: 1, forgot: 1 });
    for (const ms of [1, 1_000]) {
      vi.advanceTimersByTime(ms);
      await settled();
    }
    expect(times).toEqual({ watched: 3, forgot: 1 });
    expect(lines()).toEqual([1, 2].map((calls) => ({ level: "info", event: "given_back", calls })));
    vi.advanceTimersByTime(3_600_000 - 2_001);
    expect(times.forgot).toBe(1);
    vi.advanceTimersByTime(1);
    await settled();
    expect(times.forgot).toBe(2);
    await access.close();
    expect([vi.getTimerCount(), closed()]).toEqual([0, 1]);
  });

  it("is not begun again while it is under way", async () => {
    const heads: PromiseWithResolvers<number>[] = [];
    const looks: PromiseWithResolvers<number>[] = [];
    const waiting = (list: PromiseWithResolvers<number>[]) => () => {
      list.push(Promise.withResolvers());
      return list.at(-1)?.promise as Promise<number>;
    };
    const { access } = await openWith({ watchCalls: waiting(looks) }, waiting(heads));
    access.start();
    const pass = async () => {
      vi.advanceTimersByTime(90_000);
      await settled();
      return [heads.length, looks.length];
    };
    expect(await pass()).toEqual([1, 1]);
    heads[0]?.reject(new Error("away"));
    looks[0]?.resolve(0);
    await settled();
    expect(await pass()).toEqual([2, 2]);
    await access.close();
  });

  it("tells what it found, and what failed", async () => {
    const failing = () => Promise.reject(new Error("away"));
    const { access, lines } = await openWith({ watchCalls: failing, dropFreeBefore: failing }, failing);
    access.start();
    await settled();
    const failed = { outcome: "failed" };
    expect(lines()).toHaveLength(3);
    expect(lines()).toEqual(
      expect.arrayContaining([
        { level: "warn", event: "reconcile", ...failed },
        { level: "debug", event: "watch", ...failed },
        { level: "warn", event: "forget", ...failed },
      ]),
    );
    await access.close();
    const found = await openWith({});
    await found.opened.ledger.openPayment(payment("k"), rich);
    found.access.start();
    await settled();
    expect(found.lines()).toEqual([{ level: "info", event: "reconciled", product: "explain", outcome: "unreachable" }]);
    expect([access.usage.open, found.access.usage.open]).toEqual([0, 1]);
    await found.access.close();
  });
});
