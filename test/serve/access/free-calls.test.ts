import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Ledger } from "../../../src/serve/access/ledger/ledger.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import { createDayBudget } from "../../../src/serve/access/quota/day-budget.ts";
import { createFreeCalls } from "../../../src/serve/access/quota/free-calls.ts";

const client = "192.0.2.1" as Client;
const day = 86_400_000;
const nameOf = (secret: string, today: number, who: string = client) =>
  createHmac("sha256", secret).update(`allowance|${today}|${who}`).digest("base64url").slice(0, 22);

interface World {
  secrets?: string[];
  /** Calls that were used, by name. */
  used?: Record<string, number>;
  /** Milliseconds. */
  time?: number;
  /** How many gatherings are free a day, of all clients; 0: all. */
  budget?: number;
  /** What the ledger says when a call is given back. */
  left?: number | null;
}

/** Three free calls a day, over a ledger that notes what it is asked. */
function open({ secrets = ["s"], used = {}, time = 20 * day, left = null, budget = 0 }: World = {}) {
  const clock = { time };
  const asked: unknown[][] = [];
  const ledger = {
    readFree: (name: string, today: number) => {
      asked.push(["read", name, today]);
      return used[name] ?? 0;
    },
    takeFree: (name: string, today: number, cap: number) => {
      asked.push(["take", name, today, cap]);
      const count = (used[name] ?? 0) + 1;
      return count > cap ? null : { count, charge: () => asked.push(["charged"]), giveBack: () => left };
    },
    dropFreeBefore: (first: number) => asked.push(["drop", first]),
  } as unknown as Ledger;
  const calls = createFreeCalls({
    ...{ ledger, perDay: 3, secrets, now: () => clock.time },
    budget: createDayBudget(budget, () => clock.time),
  });
  return { calls, asked, clock };
}

describe("the free calls of a client", () => {
  it.each([
    [0, 86_400],
    [1, 86_400],
    [1_000, 86_399],
    [day - 1, 1],
  ])("renew at midnight: %d milliseconds after it", async (passed, resetSeconds) => {
    const { calls, asked } = open({ time: 20 * day + passed });
    expect(await calls.read(client)).toEqual({ limit: 3, remaining: 3, resetSeconds });
    expect((await calls.take(client)).quota).toEqual({ limit: 3, remaining: 2, resetSeconds });
    const name = nameOf("s", 20);
    expect(asked).toEqual([
      ["read", name, 20],
      ["take", name, 20, 3],
    ]);
  });

  it("have another name each day, and for each client", async () => {
    const { calls, asked, clock } = open();
    await calls.read(client);
    await calls.read("192.0.2.2" as Client);
    clock.time += day;
    await calls.read(client);
    expect(asked.map(([, name]) => name)).toEqual([nameOf("s", 20), nameOf("s", 20, "192.0.2.2"), nameOf("s", 21)]);
    clock.time = 0;
    await calls.read(client);
    expect(asked.at(-1)).toEqual(["read", nameOf("s", 0), 0]);
  });

  it("are held, charged, or given back", async () => {
    const [name, quota] = [nameOf("s", 20), { limit: 3, resetSeconds: 86_400 }];
    const { calls, asked, clock } = open({ used: { [name]: 1 }, left: 1 });
    const { call, quota: now } = await calls.take(client);
    expect(now).toEqual({ ...quota, remaining: 1 });
    call?.charge();
    expect(asked.at(-1)).toEqual(["charged"]);
    clock.time += 1_000;
    expect(await call?.giveBack()).toEqual({ ...quota, remaining: 2, resetSeconds: 86_399 });
    const silent = open({ used: { [name]: 1 } });
    expect(await (await silent.calls.take(client)).call?.giveBack()).toEqual({ ...quota, remaining: 2 });
  });

  it("are charged at once", async () => {
    const name = nameOf("s", 20);
    const { calls, asked } = open({ used: { [name]: 1 }, time: 20 * day + 1_000 });
    expect(await calls.charge(client)).toEqual({ limit: 3, remaining: 1, resetSeconds: 86_399 });
    expect(asked).toEqual([["take", name, 20, 3], ["charged"]]);
  });

  it("end at the limit of the day", async () => {
    const quota = { limit: 3, remaining: 0, resetSeconds: 86_400 };
    const { calls } = open({ used: { [nameOf("s", 20)]: 3 } });
    expect(await calls.take(client)).toEqual({ quota, call: null });
    expect(await calls.charge(client)).toBeNull();
    const more = open({ used: { [nameOf("s", 20)]: 9 } });
    expect(await more.calls.read(client)).toEqual(quota);
  });

  it("include those that were used under the previous secret", async () => {
    const [name, before] = [nameOf("new", 20), nameOf("old", 20)];
    const { calls, asked } = open({ secrets: ["new", "old"], used: { [name]: 0, [before]: 1 }, left: 0 });
    expect(await calls.read(client)).toMatchObject({ remaining: 2 });
    const { call, quota } = await calls.take(client);
    expect(quota.remaining).toBe(1);
    expect(await call?.giveBack()).toMatchObject({ remaining: 2 });
    expect(await calls.charge(client)).toMatchObject({ remaining: 1 });
    expect(asked).toEqual([
      ["read", before, 20],
      ["read", name, 20],
      ["read", before, 20],
      ["take", name, 20, 2],
      ["read", before, 20],
      ["take", name, 20, 2],
      ["charged"],
    ]);
  });

  it("are forgotten after a day", () => {
    const { calls, asked } = open({ time: 20 * day + 5 });
    calls.dropOld();
    expect(asked).toEqual([["drop", 19]]);
  });
});

describe("clients of one network of IPv6", () => {
  /** Fifty free calls a day, over a ledger in memory. */
  function openShop() {
    const used = new Map<string, number>();
    const ledger = {
      readFree: (name: string) => used.get(name) ?? 0,
      takeFree: (name: string, _today: number, cap: number) => {
        const count = (used.get(name) ?? 0) + 1;
        if (count > cap) return null;
        used.set(name, count);
        const giveBack = () => {
          used.set(name, (used.get(name) ?? 0) - 1);
          return used.get(name);
        };
        return { count, charge: () => {}, giveBack };
      },
    } as unknown as Ledger;
    return createFreeCalls({ ledger, perDay: 50, secrets: ["s"], now: () => 20 * day });
  }
  const takeAll = async (calls: ReturnType<typeof openShop>, who: string) => {
    let taken = 0;
    while ((await calls.take(who as Client)).call !== null) taken++;
    return taken;
  };

  it("have fifty each, two hundred in their /56 and four hundred in their /48; others have theirs", async () => {
    const calls = openShop();
    const taken: number[] = [];
    for (let nth = 0; nth < 12; nth++)
      taken.push(await takeAll(calls, `2001:db8:1:${(0x100 * (nth >> 2) + nth).toString(16)}`));
    expect(taken).toEqual([50, 50, 50, 50, 50, 50, 50, 50, 0, 0, 0, 0]);
    const victims = ["2001:db8:2:100", "198.51.100.1", "2001:db8:9:0"];
    expect(await Promise.all(victims.map((who) => takeAll(calls, who)))).toEqual([50, 50, 50]);
  });

  it("share what their /56 has, also where calls are given back or charged at once", async () => {
    const calls = openShop();
    for (let nth = 0; nth < 3; nth++) expect(await takeAll(calls, `2001:db8:1:10${nth}`)).toBe(50);
    const fifth = "2001:db8:1:110" as Client;
    const [one, two] = ["2001:db8:1:120" as Client, "2001:db8:1:130" as Client];
    for (let nth = 0; nth < 49; nth++) expect(await calls.charge(one)).toMatchObject({ remaining: 49 - nth });
    expect(await calls.read(fifth)).toMatchObject({ limit: 50, remaining: 1 });
    const { call, quota } = await calls.take(fifth);
    expect(quota.remaining).toBe(0);
    expect(await calls.take(two)).toMatchObject({ call: null, quota: { remaining: 0 } });
    expect(await calls.charge(two)).toBeNull();
    expect(await call?.giveBack()).toMatchObject({ remaining: 1 });
    expect(await calls.charge(two)).toMatchObject({ remaining: 0 });
    // The second client had a call taken and given back when its network had none.
    expect(await calls.read(two)).toMatchObject({ remaining: 0 });
  });
});

describe("the budget of all free gatherings", () => {
  it("ends them for everybody, while remembered answers stay free, until the next day", async () => {
    const { calls, clock } = open({ budget: 4 });
    const attackers = ["198.51.100.1", "198.51.100.2", "198.51.100.3"] as Client[];
    const first = await Promise.all(attackers.map((who) => calls.take(who)));
    expect(first.map(({ call }) => call !== null)).toEqual([true, true, true]);
    // What came to nothing is given back.
    await first[0]?.call?.giveBack();
    for (const expected of [true, true, false, false]) expect((await calls.take(client)).call !== null).toBe(expected);
    expect((await calls.take(client)).quota).toMatchObject({ limit: 3, remaining: 0 });
    expect(await calls.charge(client)).toMatchObject({ remaining: 2 });
    clock.time += day;
    expect((await calls.take(client)).call).not.toBeNull();
  });
});
