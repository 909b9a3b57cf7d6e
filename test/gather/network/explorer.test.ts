import { describe, expect, it, vi } from "vitest";
import { createBlockscout } from "../../../src/gather/network/blockscout/blockscout.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { alice, bob } from "../../support/rpc-server-chain.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";
import { json, never, origin, scriptFetch, soon } from "./scripted-fetch.ts";

const server = scriptFetch();

describe("an explorer", () => {
  const open = () => {
    const clock = handClock();
    return { explorer: createBlockscout(origin, { chainId: 8453, key: null, pageTimeoutMs: 20, clock }), clock };
  };
  const page = (items: object[], next: object | null = null) => json({ items, next_page_params: next });
  const hash = hashOf(1);

  it("is asked for internal transfers up to the limit of pages", async () => {
    const { explorer } = open();
    server.answer = () => page([], { at: server.asked.length });
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("unclear");
    const path = `/api/v2/transactions/${hash}/internal-transactions`;
    expect(server.asked).toEqual([
      path,
      ...Array.from({ length: serviceLimits.explorerPagesMax - 1 }, (_, i) => `${path}?at=${i + 1}`),
    ]);
  });

  it.each([
    [origin, ""],
    [`${origin}/8453/`, "/8453"],
    [`${origin}/api`, ""],
    [`${origin}/8453/api/v2/`, "/8453"],
  ])("has its routes behind %s", async (url, before) => {
    server.answer = () => json({ is_verified: true });
    const explorer = createBlockscout(url, { chainId: 8453, key: null, pageTimeoutMs: 20, clock: handClock() });
    expect(await explorer.isVerified(alice as Address, soon())).toBe(true);
    expect(server.asked).toEqual([`${before}/api/v2/smart-contracts/${alice}`]);
  });

  it("of all chains is asked about ours", async () => {
    const urls: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      urls.push(url);
      return json({ is_verified: true });
    });
    for (const path of ["", "/", "/8453", "/api/v2"]) {
      const options = { chainId: 8453, key: "a-key", pageTimeoutMs: 20, clock: handClock() };
      await createBlockscout(`https://api.blockscout.com${path}`, options).isVerified(alice as Address, soon());
    }
    expect(new Set(urls)).toEqual(new Set([`https://api.blockscout.com/8453/api/v2/smart-contracts/${alice}`]));
  });

  it("that wants a key says so of each use, until it answers", async () => {
    const { explorer, clock } = open();
    server.answer = () => json({}, 401);
    const uses = () => [explorer.wantsKey.contracts(), explorer.wantsKey.history()];
    expect(uses()).toEqual([false, false]);
    expect(await explorer.isVerified(alice as Address, soon())).toBeUndefined();
    expect(uses()).toEqual([true, false]);
    const question = { account: alice as Address, list: "transactions" as const, start: {}, pages: 1 };
    expect(await explorer.readAccountList({ ...question, signal: soon() })).toBeUndefined();
    expect(uses()).toEqual([true, true]);
    for (let i = 0; i < 2; i++) expect(await explorer.listInternalTransfers(hash, soon())).toBe("keyless");
    expect(server.asked).toHaveLength(3);
    clock.time += 120_000;
    server.answer = () => page([]);
    expect(await explorer.listInternalTransfers(hash, soon())).toEqual([]);
    await explorer.readAccountList({ ...question, signal: soon() });
    expect(uses()).toEqual([true, false]);
  });

  it("is left alone for ten seconds after one failure of that list, and asked for others", async () => {
    const { explorer, clock } = open();
    server.answer = () => json({}, 400);
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    const [trouble] = explorer.health.report().troubles;
    expect([trouble?.capability, (trouble?.until ?? 0) - clock.time]).toEqual(["internal_transfers", 10_000]);
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    expect(server.asked).toHaveLength(1);
    server.answer = () => json({ is_verified: true });
    expect(await explorer.isVerified(alice as Address, soon())).toBe(true);
    expect(server.asked.at(-1)).toBe(`/api/v2/smart-contracts/${alice}`);
    clock.time += 10_000;
    server.answer = () => page([]);
    expect(await explorer.listInternalTransfers(hash, soon())).toEqual([]);
    expect(explorer.health.report().troubles).toEqual([]);
  });

  it("rests as long as it asks for, where it is busy", async () => {
    const { explorer, clock } = open();
    server.answer = () => new Response("", { status: 429, headers: { "retry-after": "60" } });
    expect(await explorer.listInternalTransfers(hash, soon())).toBe("failed");
    expect(explorer.health.report().troubles).toMatchObject([{ reason: "busy", until: clock.time + 60_000 }]);
  });

  it("has a time for each page, and no part in it when the caller leaves", async () => {
    const { explorer } = open();
    server.answer = never;
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
    server.answer = (url) => (url.includes("at=7") ? json({}, status) : page(rows));
    const question = { account: alice as Address, list: "transactions" as const, pages: 2, signal: soon() };
    const told = await explorer.readAccountList({ ...question, start: { at: "7" } });
    const list = `/api/v2/addresses/${alice}/transactions?filter=from`;
    const again = status === 500 ? `${list}&at=7` : list;
    expect(server.asked).toEqual([`${list}&at=7`, again].slice(0, times));
    expect(told).toEqual(status === 400 || status === 422 ? { rows, ended: true } : undefined);
  });

  it("that refuses a later page has no list", async () => {
    const { explorer } = open();
    server.answer = (url) => (url.includes("at=1") ? json({}, 400) : page([{}], { at: 1 }));
    const question = { account: alice as Address, list: "transactions" as const, start: {}, signal: soon() };
    expect(await explorer.readAccountList({ ...question, pages: 2 })).toBeUndefined();
    expect(server.asked).toHaveLength(2);
    expect(await explorer.readAccountList({ ...question, pages: 1 })).toEqual({ rows: [{}], ended: false });
  });

  it("tells name and ABI of a contract, and what runs behind it", async () => {
    const { explorer } = open();
    server.answer = () => json({ name: "A", abi: [1], implementations: [{ address_hash: bob }] });
    expect(await explorer.readContract(alice as Address, soon())).toEqual({ name: "A", abi: [1], implementation: bob });
    server.answer = () => json({}, 404);
    expect(await explorer.readContract(alice as Address, soon())).toBeUndefined();
  });
});
