import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import { limits } from "../../src/kernel/limits.ts";
import { createBlockscout } from "../../src/network/blockscout/blockscout.ts";
import { createBodyBudget } from "../../src/network/http/body-budget.ts";
import { createJsonClient, type JsonClientOptions } from "../../src/network/http/json-client.ts";
import { createSourcify } from "../../src/network/sourcify/sourcify.ts";
import { alice, bob } from "../support/rpc-server-chain.ts";
import { handClock } from "../support/rpc-server-gatherer.ts";
import { hashOf } from "../support/sample.ts";

/** Pauses before a second try. `pause`: what one does. */
const pauses = vi.hoisted(() => ({ ms: [] as number[], pause: () => {} }));
vi.mock("node:timers/promises", () => ({
  async setTimeout(ms: number) {
    pauses.ms.push(ms);
    pauses.pause();
  },
}));

const origin = "https://server.example";

/** Paths that were asked for, and what is answered to each. */
let asked: string[] = [];
let answer: (path: string, signal: AbortSignal) => unknown;
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const never = () => new Promise(() => {});

beforeEach(() => {
  asked = [];
  Object.assign(pauses, { ms: [], pause: () => {} });
  answer = () => json({});
  vi.stubGlobal("fetch", async (url: string, { signal }: { signal: AbortSignal }) => {
    asked.push(url.slice(origin.length));
    const gone = new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return Promise.race([answer(url, signal), gone]);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const soon = () => new AbortController().signal;
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

function client(options: Partial<JsonClientOptions> = {}, url = origin) {
  const clock = handClock();
  const made = createJsonClient(url, { kind: "sourcify", clock, random: () => 0, ...options });
  const troubles = () =>
    made.health.report().troubles.map(({ capability, reason, until }) => [capability, reason, until - clock.time]);
  return { ...made, clock, troubles };
}

describe("a client of a JSON server", () => {
  it("asks below the address, whatever slashes it ends with", async () => {
    const { get, name } = client({}, `${origin}/base//`);
    expect(await get("/a?b=1", soon())).toEqual({ status: 200, body: {} });
    expect([asked, name]).toEqual([["/base/a?b=1"], "server.example"]);
  });

  it("sends eight requests at once for each use, and no more", async () => {
    const { get } = client();
    answer = never;
    const leaving = new AbortController();
    const gets = [..."aaaaaaaaab"].map((use) => get(`/${use}`, leaving.signal, use));
    await settle();
    expect(asked).toEqual([...Array(8).fill("/a"), "/b"]);
    leaving.abort();
    expect(await Promise.all(gets)).toEqual(Array(10).fill("failed"));
    expect(asked).toHaveLength(9);
  });

  it("rests after five failures in a row for ten seconds, each use by itself", async () => {
    const { get, troubles, health } = client();
    answer = () => json({}, 500);
    for (let i = 0; i < 4; i++) await get("/a", soon(), "a");
    expect(health.rests("a")).toBe(false);
    await get("/a", soon(), "a");
    expect(troubles()).toEqual([["a", "server_error", 10_000]]);
    expect(asked).toHaveLength(10);
    expect(await get("/a", soon(), "a")).toBe("failed");
    expect(asked).toHaveLength(10);
    answer = () => json({ a: 1 });
    expect(await get("/b", soon(), "b")).toEqual({ status: 200, body: { a: 1 } });
  });

  it("rests ten seconds for a busy server that names no time", async () => {
    const { get, troubles } = client();
    answer = () => json({}, 429);
    expect(await get("/a", soon())).toBe("failed");
    expect([asked.length, troubles()]).toEqual([1, [["all", "busy", 10_000]]]);
  });

  it.each([
    [0, 30],
    [0.5, 60],
    [1, 90],
  ])("waits before it asks again: with %d %i ms", async (random, ms) => {
    const { get } = client({ random: () => random });
    answer = () => json({}, 500);
    await get("/a", soon());
    expect([asked.length, pauses.ms]).toEqual([2, [ms]]);
  });

  it("does not ask again for a caller who leaves meanwhile", async () => {
    const { get, troubles } = client();
    answer = () => json({}, 500);
    const leaving = new AbortController();
    pauses.pause = () => leaving.abort();
    expect([await get("/a", leaving.signal), asked.length]).toEqual(["failed", 1]);
    await settle();
    expect([troubles(), asked.length]).toEqual([[["all", "server_error", 0]], 1]);
  });

  it("does not wait for a caller who left during the first try", async () => {
    const { get, troubles } = client();
    const leaving = new AbortController();
    answer = () => {
      leaving.abort(new DOMException("The time is up.", "TimeoutError"));
      return never();
    };
    expect([await get("/a", leaving.signal), pauses.ms]).toEqual(["failed", []]);
    expect(troubles()).toEqual([["all", "timeout", 0]]);
  });

  it("asks nothing for a caller who has left", async () => {
    const { get, troubles } = client();
    expect(await get("/a", AbortSignal.abort())).toBe("failed");
    expect([asked, troubles()]).toEqual([[], []]);
  });

  it("takes 8 MiB and no more, and a refusal without words", async () => {
    const { get, troubles } = client();
    const most = 8 * 1024 * 1024;
    answer = () => new Response(`"${"x".repeat(most - 2)}"`);
    expect(await get("/a", soon())).toMatchObject({ status: 200 });
    answer = () => new Response(`"${"x".repeat(most - 1)}"`);
    expect(await get("/a", soon())).toBe("failed");
    expect(troubles()).toMatchObject([["all", "garbage", 0]]);
    answer = () => new Response("<html>", { status: 404 });
    expect(await get("/a", soon())).toEqual({ status: 404, body: undefined });
    expect(troubles()).toEqual([]);
  });

  it("does not blame a server for what others' answers hold, and holds nothing itself", async () => {
    const bodies = createBodyBudget(10);
    const { get, troubles } = client({ bodies });
    const other = bodies.share();
    other.take(8);
    answer = () => json({ a: 1 });
    expect(await get("/a", soon())).toBe("failed");
    expect([asked.length, troubles(), bodies.held()]).toEqual([1, [], 8]);
    other.giveBack();
    expect(await get("/a", soon())).toEqual({ status: 200, body: { a: 1 } });
    expect(bodies.held()).toBe(0);
  });
});

describe("an explorer", () => {
  const open = () => {
    const clock = handClock();
    return { explorer: createBlockscout(origin, { pageTimeoutMs: 20, clock }), clock };
  };
  const page = (items: object[], next: object | null = null) => json({ items, next_page_params: next });
  const hash = hashOf(1);

  it("is asked for internal transfers up to the limit of pages", async () => {
    const { explorer } = open();
    answer = () => page([], { at: asked.length });
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("unclear");
    const path = `/api/v2/transactions/${hash}/internal-transactions`;
    expect(asked).toEqual([
      path,
      ...Array.from({ length: limits.explorerPagesMax - 1 }, (_, i) => `${path}?at=${i + 1}`),
    ]);
  });

  it("is left alone for ten seconds after one failure of that list, and asked for others", async () => {
    const { explorer, clock } = open();
    answer = () => json({}, 400);
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    const [trouble] = explorer.health.report().troubles;
    expect([trouble?.capability, (trouble?.until ?? 0) - clock.time]).toEqual(["internal_transfers", 10_000]);
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    expect(asked).toHaveLength(1);
    answer = () => json({ is_verified: true });
    expect(await explorer.isVerified(alice as Address, soon())).toBe(true);
    expect(asked.at(-1)).toBe(`/api/v2/smart-contracts/${alice}`);
    clock.time += 10_000;
    answer = () => page([]);
    expect(await explorer.listInternalTransfers(hash, soon())).toEqual([]);
    expect(explorer.health.report().troubles).toEqual([]);
  });

  it("rests as long as it asks for, where it is busy", async () => {
    const { explorer, clock } = open();
    answer = () => new Response("", { status: 429, headers: { "retry-after": "60" } });
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    expect(explorer.health.report().troubles).toMatchObject([{ reason: "busy", until: clock.time + 60_000 }]);
  });

  it("has a time for each page, and no part in it when the caller leaves", async () => {
    const { explorer } = open();
    answer = never;
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    expect(explorer.health.report().troubles).toMatchObject([{ reason: "timeout" }]);
    const other = open().explorer;
    const leaving = new AbortController();
    const told = other.listInternalTransfers(hash, leaving.signal);
    leaving.abort();
    expect([await told, other.health.report().troubles]).toEqual(["failed", []]);
  });

  it.each([
    [400, 2],
    [422, 2],
    [404, 1],
    [500, 2],
  ])("that answers a place with %i is asked %i times for a list", async (status, times) => {
    const { explorer } = open();
    const rows = [{ a: 1 }];
    answer = (url) => (url.includes("at=7") ? json({}, status) : page(rows));
    const question = { account: alice as Address, list: "transactions" as const, pages: 2, signal: soon() };
    const told = await explorer.readAccountList({ ...question, start: { at: "7" } });
    const list = `/api/v2/addresses/${alice}/transactions?filter=from`;
    const again = status === 500 ? `${list}&at=7` : list;
    expect(asked).toEqual([`${list}&at=7`, again].slice(0, times));
    expect(told).toEqual(status === 400 || status === 422 ? { rows, ended: true } : undefined);
  });

  it("that refuses a later page has no list", async () => {
    const { explorer } = open();
    answer = (url) => (url.includes("at=1") ? json({}, 400) : page([{}], { at: 1 }));
    const question = { account: alice as Address, list: "transactions" as const, start: {}, signal: soon() };
    expect(await explorer.readAccountList({ ...question, pages: 2 })).toBeUndefined();
    expect(asked).toHaveLength(2);
    expect(await explorer.readAccountList({ ...question, pages: 1 })).toEqual({ rows: [{}], ended: false });
  });

  it("tells name and ABI of a contract, and what runs behind it", async () => {
    const { explorer } = open();
    answer = () => json({ name: "A", abi: [1], implementations: [{ address_hash: bob }] });
    expect(await explorer.readContract(alice as Address, soon())).toEqual({ name: "A", abi: [1], implementation: bob });
    answer = () => json({}, 404);
    expect(await explorer.readContract(alice as Address, soon())).toBeUndefined();
  });
});

describe("a server of sources", () => {
  it("tells name and ABI of a contract, and what runs behind it", async () => {
    const sourcify = createSourcify(origin, { chainId: 8453, clock: handClock() });
    const proxyResolution = { implementations: [{ address: bob }] };
    answer = () => json({ abi: [1], compilation: { name: "A" }, proxyResolution });
    expect(await sourcify.readContract(alice as Address, soon())).toEqual({ name: "A", abi: [1], implementation: bob });
    expect(asked).toEqual([`/v2/contract/8453/${alice}?fields=abi,compilation,proxyResolution`]);
    answer = () => json({ abi: [1] }, 404);
    expect(await sourcify.readContract(alice as Address, soon())).toBeUndefined();
    answer = () => json({ message: "no" }, 400);
    expect(await sourcify.isVerified(alice as Address, soon())).toBeUndefined();
    answer = () => json({}, 429);
    expect(await sourcify.isVerified(alice as Address, soon())).toBeUndefined();
  });
});
