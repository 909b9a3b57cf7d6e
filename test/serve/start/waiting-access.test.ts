import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Access } from "../../../src/serve/access/open.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import type { PaymentSettings } from "../../../src/serve/settings/payment-settings.ts";
import { waitForAccess } from "../../../src/serve/start/waiting-access.ts";
import { paymentEnv } from "../../support/payment-env.ts";

const payments = readConfig(paymentEnv).payments as PaymentSettings;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const away = new Error("away");

/** Charging over a ledger that gives these results to the tries to open it. `done`: the calls to the real access. */
function wait(...tries: ("away" | "broken" | "there")[]) {
  const done: string[] = [];
  const failures: unknown[] = [];
  const real = {
    ledger: "sqlite",
    start: () => void done.push("start"),
    close: async () => void done.push("close"),
  };
  const open = vi.fn(async () => {
    const next = tries.shift();
    if (next === "away") throw away;
    if (next === "broken") throw new Error("broken");
    return real as unknown as Access;
  });
  const access = waitForAccess({
    ...{ payments, open, isServerAway: (error: unknown) => error === away },
    failed: (error) => failures.push((error as Error).message),
  });
  return { access, open, done, failures };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("charging whose ledger is away at the start", () => {
  it("refuses every call, gives nothing for free, and says so", async () => {
    const { access } = wait();
    const metering = access.metering as unknown as Record<string, () => unknown>;
    for (const name of ["admit", "buy"]) expect(() => metering[name]?.()).toThrow("ledger");
    for (const name of ["checkRate", "noteOutcome"]) expect(metering[name]?.()).toBeUndefined();
    expect(() => (access.batches.admit as () => unknown)()).toThrow(
      expect.objectContaining({ code: "ledger_unavailable" }),
    );
    expect([access.decimals, access.ledger, access.prices.publicUrl]).toEqual([6, "postgres", payments.publicUrl]);
    expect(await access.readiness()).toEqual({
      ...{ facilitator: "unavailable", ledger: "unavailable", gas_balance_eth: null },
      degraded: [{ part: "ledger", reason: "unavailable", since: 1_000_000 }],
    });
    expect(await access.reconcile(0)).toEqual([]);
  });

  it("tries again every two seconds, and is the real one from then on", async () => {
    const { access, open, done } = wait("away", "there");
    await pass(1_999);
    expect(open).not.toHaveBeenCalled();
    await pass(1);
    expect([open.mock.calls.length, access.ledger]).toEqual([1, "postgres"]);
    await pass(1_999);
    expect(open).toHaveBeenCalledTimes(1);
    await pass(1);
    expect([open.mock.calls.length, access.ledger, done]).toEqual([2, "sqlite", []]);
    access.start();
    expect(done).toEqual(["start"]);
    await pass(10_000);
    expect(open).toHaveBeenCalledTimes(2);
    await access.close();
    expect(done).toEqual(["start", "close"]);
  });

  it("starts the real one where it was started before", async () => {
    const { access, done } = wait("there");
    access.start();
    expect(done).toEqual([]);
    await pass(2_000);
    expect(done).toEqual(["start"]);
  });

  it("fails at once for what does not pass", async () => {
    const { failures, open } = wait("broken");
    await pass(10_000);
    expect([failures, open.mock.calls.length]).toEqual([["broken"], 1]);
  });

  it("tries no more once it is closed", async () => {
    const { access, open } = wait("away");
    await pass(1_000);
    await access.close();
    await pass(10_000);
    expect(open).not.toHaveBeenCalled();
  });

  it.each(["there", "away"] as const)("ends with a try that was under way: the ledger is %s", async (how) => {
    const { access, open, done } = wait(how);
    access.start();
    vi.advanceTimersByTime(2_000);
    expect(open).toHaveBeenCalledTimes(1);
    await access.close();
    await pass(10_000);
    expect([open.mock.calls.length, access.ledger, done]).toEqual([1, "postgres", how === "there" ? ["close"] : []]);
  });

  it("keeps no process alive", () => {
    const started = vi.spyOn(globalThis, "setTimeout");
    wait();
    expect(started.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    started.mockRestore();
  });
});
