import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProcessCalls } from "../../../../src/serve/access/ledger/calls/process-calls.ts";
import type { TakenCall } from "../../../../src/serve/access/ledger/calls/taken-call.ts";
import type { LedgerDatabase, Write } from "../../../../src/serve/access/ledger/database.ts";
import type { PassRow } from "../../../../src/serve/access/ledger/rows.ts";

/** Calls over a ledger that consists of a few numbers. `how`: what each transaction does; the last entry is used for all later ones. */
function open(...how: ("now" | "fails" | Promise<number>)[]) {
  const passRow = { id: "p", callCap: 3, expiresAt: 100, used: 0 } as PassRow;
  const used: Record<string, number> = {};
  const state = { reads: 0, pass: passRow as PassRow | undefined, away: false as false | "throws" | "rejects" };
  const written: unknown[][][] = [];
  const ways = [...how];
  const apply = (writes: readonly Write[]) => {
    for (const { values } of writes) {
      const [first, second, calls] = values as [string, number, number];
      if (values.length === 3) used[`${first} ${second}`] = (used[`${first} ${second}`] ?? 0) + calls;
      else passRow.used += Number(first);
    }
    return writes.length;
  };
  const inOneTransaction = (writes: readonly Write[]) => {
    written.push(writes.map(({ values }) => [...values]));
    const way = ways.length > 1 ? ways.shift() : ways[0];
    if (way === "fails") throw new Error("the disk is full");
    return way instanceof Promise ? way.then(() => apply(writes)) : apply(writes);
  };
  const calls = new ProcessCalls({
    database: { inOneTransaction } as unknown as LedgerDatabase,
    readUsed: (client, day) => {
      state.reads++;
      if (state.away === "throws") throw new Error("away");
      return state.away === "rejects" ? Promise.reject(new Error("away")) : (used[`${client} ${day}`] ?? 0);
    },
    readPass: (id) => {
      state.reads++;
      return id === "p" && state.pass ? { ...state.pass } : undefined;
    },
  });
  const take = (client = "c", day = 1) => calls.takeFree(client, day, 9) as TakenCall;
  return { calls, used, state, written, take, passRow };
}
const count = (call: unknown) => (call as TakenCall | null)?.count;
/** The end of this turn. */
const turn = () => vi.advanceTimersByTime(0);

describe("calls of a ledger that one process has for itself", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are taken while some are left, by client and day", () => {
    const { calls } = open();
    const takeFree = (client: string, day: number) => count(calls.takeFree(client, day, 2)) ?? null;
    expect([takeFree("c", 1), takeFree("c", 1), takeFree("c", 1)]).toEqual([1, 2, null]);
    expect([takeFree("d", 1), takeFree("c", 2)]).toEqual([1, 1]);
    expect(calls.takeFree("e", 1, 0)).toBeNull();
    expect([calls.readFree("c", 1), calls.readFree("d", 1), calls.readFree("e", 1)]).toEqual([2, 1, 0]);
  });

  it("of a pass are taken while some are left and it is good", () => {
    const { calls, passRow } = open();
    passRow.used = 1;
    expect(calls.takePassCall("p", 100)).toBeNull();
    expect(calls.takePassCall("other", 1)).toBeNull();
    expect([1, 99, 99].map((now) => count(calls.takePassCall("p", now)) ?? null)).toEqual([1, 0, null]);
    expect(calls.findPass("p")).toEqual({ ...passRow, used: 3 });
    expect(calls.findPass("other")).toBeUndefined();
  });

  it("are given back once, with the number that is used then", () => {
    const { calls, take } = open();
    const [first] = [take(), take()];
    expect([first.giveBack(), first.giveBack()]).toEqual([1, 1]);
    first.charge();
    expect(calls.readFree("c", 1)).toBe(1);
    const [pass] = [calls.takePassCall("p", 1), calls.takePassCall("p", 1)] as [TakenCall, TakenCall];
    expect([pass.giveBack(), pass.giveBack()]).toEqual([2, 2]);
  });

  it("are given back if it cannot be said how many are left", async () => {
    const { calls, take, state } = open();
    const [first, second] = [take(), take()];
    const pass = calls.takePassCall("p", 1) as TakenCall;
    vi.advanceTimersByTime(20);
    state.away = "throws";
    expect(first.giveBack()).toBeNull();
    state.away = "rejects";
    expect(await second.giveBack()).toBeNull();
    state.away = false;
    expect(calls.readFree("c", 1)).toBe(0);
    state.pass = undefined;
    expect(pass.giveBack()).toBe(0);
  });

  it("are counted once when they are charged, and written at the end of the turn", async () => {
    const { calls, used, take, written, passRow } = open();
    const call = take();
    call.charge();
    call.charge();
    expect(call.giveBack()).toBe(1);
    expect(calls.takeFree("c", 1, 1)).toBeNull();
    (calls.takeFree("c", 1, 2) as TakenCall).charge();
    (calls.takePassCall("p", 1) as TakenCall).charge();
    expect(written).toEqual([]);
    turn();
    expect(written).toEqual([
      [
        ["c", 1, 2],
        [1, "p"],
      ],
    ]);
    expect([used["c 1"], passRow.used, calls.readFree("c", 1)]).toEqual([2, 1, 2]);
    expect(calls.findPass("p")).toMatchObject({ used: 1 });
    vi.advanceTimersByTime(1_000);
    expect(written).toHaveLength(1);
    expect(await calls.watch()).toBe(0);
  });

  it("are read again after 20 milliseconds, with those that are held", () => {
    const { calls, used, take, state, passRow } = open();
    take();
    take();
    calls.takePassCall("p", 1);
    calls.readFree("c", 1);
    expect(state.reads).toBe(2);
    used["c 1"] = 4;
    passRow.used = 1;
    vi.advanceTimersByTime(19);
    expect([calls.readFree("c", 1), state.reads]).toEqual([2, 2]);
    vi.advanceTimersByTime(1);
    expect([calls.readFree("c", 1), calls.findPass("p")?.valueOf(), state.reads]).toMatchObject([6, { used: 2 }, 4]);
  });

  it("are written later if some were written a moment ago", () => {
    const { take, written } = open();
    const [first, second, third] = [take(), take(), take()];
    vi.advanceTimersByTime(30);
    first.charge();
    turn();
    expect(written).toEqual([[["c", 1, 1]]]);
    second.charge();
    turn();
    vi.advanceTimersByTime(19);
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(written.slice(1)).toEqual([[["c", 1, 1]]]);
    vi.advanceTimersByTime(20);
    third.charge();
    turn();
    expect(written).toHaveLength(3);
  });

  it("are not taken while charges cannot be written, which is tried again every half second", () => {
    const { calls, take, written } = open("fails", "fails", "now");
    const [first, second] = [take(), take()];
    first.charge();
    turn();
    const away = expect.objectContaining({ code: "ledger_unavailable", cause: new Error("the disk is full") });
    expect(() => calls.check()).toThrow(away);
    expect(() => take()).toThrow(away);
    expect(() => calls.takePassCall("p", 1)).toThrow(away);
    second.charge();
    turn();
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(20);
    expect(written).toHaveLength(2);
    vi.advanceTimersByTime(499);
    expect([written.length, calls.readFree("c", 1)]).toEqual([2, 2]);
    vi.advanceTimersByTime(1);
    expect(written.slice(2)).toEqual([[["c", 1, 2]]]);
    expect([calls.check(), calls.readFree("c", 1), count(take())]).toEqual([undefined, 2, 3]);
  });

  it("are written one transaction after the other while the file is locked", async () => {
    const locked = Promise.withResolvers<number>();
    const { calls, take, written, used } = open(locked.promise, "now");
    take().charge();
    turn();
    take().charge();
    turn();
    vi.advanceTimersByTime(100);
    expect(written).toHaveLength(1);
    expect(calls.readFree("c", 1)).toBe(2);
    locked.resolve(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(written).toEqual([[["c", 1, 1]], [["c", 1, 1]]]);
    expect([used["c 1"], calls.readFree("c", 1)]).toEqual([2, 2]);
  });

  it("cannot be taken when the file stays locked", async () => {
    const { calls, take, written } = open(Promise.reject(new Error("locked")), "now");
    take().charge();
    turn();
    for (let i = 0; i < 5; i++) await Promise.resolve();
    expect(() => calls.check()).toThrow();
    await vi.advanceTimersByTimeAsync(20);
    expect([written.length, calls.check()]).toEqual([2, undefined]);
  });

  it("are written when the ledger is closed, and nothing after that", async () => {
    const { calls, take, written } = open();
    const [first] = [take(), take()];
    first.charge();
    await calls.close();
    expect(written).toEqual([[["c", 1, 1]]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are not tried again after a writing that failed at the close", async () => {
    const { calls, take, written } = open("fails");
    take().charge();
    await calls.close();
    expect(written).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are closed after the writing that waits", async () => {
    const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const { calls, take, written } = open(first.promise, second.promise);
    take().charge();
    turn();
    take().charge();
    let closed = false;
    const closing = Promise.resolve(calls.close()).then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect([written.length, closed]).toEqual([1, false]);
    first.resolve(1);
    for (let i = 0; i < 9; i++) await Promise.resolve();
    expect([written.length, closed]).toEqual([2, false]);
    second.resolve(1);
    await closing;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are not begun to be written while the ledger is closed", async () => {
    const writing = Promise.withResolvers<number>();
    const { calls, take, written } = open(writing.promise);
    const [first, second] = [take(), take()];
    first.charge();
    const closing = calls.close();
    second.charge();
    writing.resolve(1);
    await closing;
    expect(vi.getTimerCount()).toBe(0);
    expect(written).toHaveLength(1);
  });
});
