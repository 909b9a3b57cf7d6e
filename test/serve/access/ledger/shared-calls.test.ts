import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../../src/kernel/error.ts";
import { SharedCalls } from "../../../../src/serve/access/ledger/calls/shared-calls.ts";
import type { TakenCall } from "../../../../src/serve/access/ledger/calls/taken-call.ts";
import type { PassRow } from "../../../../src/serve/access/ledger/rows.ts";
import { type Asked, noteDatabase } from "./noting-database.ts";

const outage = new ServiceError("ledger_unavailable", undefined, { cause: new Error("the connection broke") });
const refusal = new ServiceError("ledger_unavailable", undefined, { cause: new Error("timeout") });

interface World {
  /** Thrown by a statement of this name, once each. */
  failures?: [name: string, error: Error][];
  /** The numbers of the calls that the database holds when they are charged. */
  held?: number[];
  /** The numbers of the calls that the database holds for this instance when it looks. */
  listed?: number[];
  taken?: boolean;
  /** So many takes are refused at first. */
  takesFail?: number;
  pass?: Partial<PassRow> | undefined;
  readFails?: boolean;
}

function open(world: World = {}) {
  const failures = [...(world.failures ?? [])];
  let { takesFail = 0 } = world;
  const { database, asked } = noteDatabase((name) => {
    const failing = failures.findIndex(([failed]) => failed === name);
    if (failing >= 0) throw failures.splice(failing, 1)[0]?.[1];
    if (name === "takeFree" && takesFail-- > 0) throw refusal;
    if (name === "takeFree") return world.taken === false ? [] : [{ used: 4 }];
    if (name === "takePassCall") return world.taken === false ? [] : [{ remaining: 6 }];
    if (name === "chargeHeld") return (world.held ?? [1, 2, 3]).map((number) => ({ number }));
    if (name === "listHeld") return (world.listed ?? []).map((number) => ({ number }));
    if (name === "giveBackCalls") return [{ calls: 1 }];
    return [];
  });
  const calls = new SharedCalls({
    database,
    readUsed: async () => {
      if (world.readFails) throw outage;
      return 3;
    },
    readPass: async () => world.pass as PassRow | undefined,
  });
  const instance = () => asked.find(([name]) => /^take/.test(name))?.at(-2);
  /** What was asked, without the name of the instance. */
  const told = (): Asked[] => asked.map((one) => one.filter((value) => value !== instance()) as Asked);
  const take = async () => (await calls.takeFree("c", 20, 5)) as TakenCall;
  return { calls, asked, told, take };
}
const taken: Asked = ["takeFree", "c", 20, 5, 1];
const looks: Asked[] = [["beatInstance"], ["listInstances"], ["listHeld"]];
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("calls of a ledger that instances share", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are taken in the name of the instance, each under a number of its own", async () => {
    const { calls, asked, told } = open();
    const free = await calls.takeFree("c", 20, 5);
    const pass = await calls.takePassCall("p", 99);
    expect([free?.count, pass?.count]).toEqual([4, 6]);
    expect(told()).toEqual([taken, ["takePassCall", "p", 99, 2]]);
    expect(asked[0]?.[4]).toMatch(/^[0-9a-f-]{36}$/);
    expect(asked[1]?.[3]).toBe(asked[0]?.[4]);
  });

  it("are refused if none is left, and no free one is asked for if none can be left", async () => {
    const { calls, told } = open({ taken: false, listed: [1, 2] });
    expect([await calls.takeFree("c", 20, 1), await calls.takePassCall("p", 99)]).toEqual([null, null]);
    expect(told()).toHaveLength(2);
    expect([await calls.takeFree("c", 20, 0), await calls.takeFree("c", 20, -1)]).toEqual([null, null]);
    expect(told()).toHaveLength(2);
    await calls.watch();
    expect(told().at(-1)).toEqual(["giveBackCalls", "{1,2}"]);
  });

  it("are charged together after 20 milliseconds, each once", async () => {
    const { told, take } = open();
    const [first, second] = [await take(), await take()];
    first.charge();
    first.charge();
    await wait(10);
    second.charge();
    await wait(9);
    expect(told()).toHaveLength(2);
    await wait(1);
    expect(told().slice(2)).toEqual([["chargeHeld", "{1,2}"]]);
    expect(await first.giveBack()).toBe(3);
    await wait(1_000);
    expect(told()).toHaveLength(3);
  });

  it("are counted again if the others took this instance for dead", async () => {
    const { calls, told, take } = open({ held: [2] });
    (await take()).charge();
    (await take()).charge();
    (await calls.takePassCall("p", 99))?.charge();
    await wait(20);
    expect(told().slice(3)).toEqual([
      ["chargeHeld", "{1,2,3}"],
      ["chargeFree", "c", 20, 1],
      ["chargePass", 1, "p"],
    ]);
  });

  it("are charged later if the ledger is down, and not counted again then", async () => {
    const { told, take } = open({ held: [], failures: [["chargeHeld", outage]] });
    (await take()).charge();
    await wait(20);
    expect(told().slice(1)).toEqual([["chargeHeld", "{1}"]]);
    await wait(499);
    expect(told()).toHaveLength(2);
    await wait(1);
    expect(told().slice(2)).toEqual([["chargeHeld", "{1}"]]);
    await wait(1_000);
    expect(told()).toHaveLength(3);
  });

  it("are given back once, with the number that is used then", async () => {
    const { told, take } = open();
    const call = await take();
    expect(await call.giveBack()).toBe(3);
    expect(told()).toEqual([taken, ["giveBackCalls", "{1}"]]);
    expect(await call.giveBack()).toBe(3);
    call.charge();
    await wait(1_000);
    expect(told()).toHaveLength(2);
  });

  it.each([
    [{ callCap: 9, used: 2 }, 7],
    [undefined, 0],
  ])("of a pass %j leave %d when one is given back", async (pass, left) => {
    const { calls } = open({ pass });
    expect(await (await calls.takePassCall("p", 99))?.giveBack()).toBe(left);
  });

  it("are given back at the next look if the ledger is down", async () => {
    const { calls, told, take } = open({ listed: [1, 2], failures: [["giveBackCalls", outage]] });
    const [call] = [await take(), await take()];
    expect(await call.giveBack()).toBeNull();
    expect(await call.giveBack()).toBe(3);
    expect(told()).toHaveLength(3);
    expect(await calls.watch()).toBe(1);
    expect(told().slice(3)).toEqual([...looks, ["giveBackCalls", "{1}"]]);
  });

  it("are not given back twice if only the number of calls left cannot be read", async () => {
    const { calls, told, take } = open({ readFails: true });
    const call = await take();
    expect(await call.giveBack()).toBeNull();
    expect(await calls.watch()).toBe(0);
    expect(told().slice(1)).toEqual([["giveBackCalls", "{1}"], ...looks]);
  });

  it("are tried under another number if the connection broke, and the call that was taken before is given back", async () => {
    const { calls, told, take } = open({
      listed: [1, 2, 3],
      failures: [
        ["takeFree", outage],
        ["takeFree", outage],
      ],
    });
    expect((await take()).count).toBe(4);
    expect(told()).toEqual([1, 2, 3].map((number) => ["takeFree", "c", 20, 5, number]));
    await calls.watch();
    expect(told().slice(3)).toEqual([...looks, ["giveBackCalls", "{1,2}"]]);
  });

  it("are not given back while they are taken, held or charged", async () => {
    const { calls, told, take } = open({ listed: [1, 2, 3], failures: [["chargeHeld", outage]] });
    (await take()).charge();
    await wait(20);
    await take();
    const last = take();
    await Promise.all([last, calls.watch()]);
    expect(told().filter(([name]) => name === "giveBackCalls")).toEqual([]);
    await wait(500);
    // A charged call is no longer in the database. If it is still listed there, the list came late.
    await calls.watch();
    expect(told().at(-1)).toEqual(["giveBackCalls", "{1}"]);
  });

  it("are charged after an outage, however many failed in it", async () => {
    const many = 150_000;
    const parts = { held: [many + 1, many + 2], takesFail: many };
    const { calls, asked, take } = open({ ...parts, failures: [["chargeHeld", outage]] });
    const all = await Promise.allSettled(Array.from({ length: many }, () => calls.takeFree("c", 20, 5)));
    expect(all.every(({ status }) => status === "rejected")).toBe(true);
    (await take()).charge();
    await wait(520);
    (await take()).charge();
    await wait(520);
    const charged = asked.filter(([name]) => name === "chargeHeld").map(([, , numbers]) => numbers);
    expect(charged).toEqual([`{${many + 1}}`, `{${many + 1}}`, `{${many + 2}}`]);
  });

  it.each<[string, Error, number]>([
    ["three broken connections", outage, 3],
    ["one refusal", refusal, 1],
  ])("fail after %s", async (_name, error, tries) => {
    const { told, take } = open({ failures: Array.from({ length: 4 }, () => ["takeFree", error]) });
    await expect(take()).rejects.toBe(error);
    expect(told()).toHaveLength(tries);
  });

  it("are written when the ledger is closed, and then the instance leaves", async () => {
    const { calls, told, take } = open();
    const [first, second] = [await take(), await take()];
    first.charge();
    await calls.close();
    expect(told().slice(2)).toEqual([["chargeHeld", "{1}"], ["listInstances"]]);
    // Nothing is asked of a ledger that is closed.
    second.charge();
    await wait(1_000);
    expect(told()).toHaveLength(4);
  });

  it("are refused after three failed looks in a row, until one succeeds", async () => {
    const { calls } = open({ failures: [1, 2, 3].map((): [string, Error] => ["beatInstance", outage]) });
    for (let look = 0; look < 3; look++) {
      expect(calls.check()).toBeUndefined();
      await expect(calls.watch()).rejects.toBe(outage);
    }
    expect(() => calls.check()).toThrow(expect.objectContaining({ code: "ledger_unavailable" }));
    await calls.watch();
    expect(calls.check()).toBeUndefined();
  });

  it("are watched, and read from the ledger", async () => {
    const { calls, told } = open({ pass: { id: "p" } });
    expect(await calls.watch()).toBe(0);
    expect(told().map(([name]) => name)).toEqual(["beatInstance", "listInstances", "listHeld"]);
    expect([await calls.readFree("c", 20), await calls.findPass("p")]).toEqual([3, { id: "p" }]);
  });
});
