import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type NetworkOptions, openNetwork } from "../../../src/gather/network/network.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob } from "../../support/rpc-server-chain.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";

let asked: { url: string; signal: AbortSignal }[] = [];
let answer: () => Promise<Response>;

beforeEach(() => {
  asked = [];
  answer = async () => new Response("", { status: 500 });
  vi.stubGlobal("fetch", async (url: string, { signal }: { signal: AbortSignal }) => {
    asked.push({ url, signal });
    const gone = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return Promise.race([answer(), gone]);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const hour = 3_600_000;
const rpcUrls = ["http://one.example/", "http://two.example/"];
const open = (options: Partial<NetworkOptions> = {}) =>
  openNetwork({ chainId: 8453, rpcUrls, callTimeoutMs: 1_000, blockscoutUrl: null, ...options });

function listFile(...addresses: string[]): string {
  const path = join(mkdtempSync(join(tmpdir(), "network-")), "list.txt");
  writeFileSync(path, addresses.join("\n"));
  return path;
}

describe("a network", () => {
  it("has no more than its RPC endpoints by itself", () => {
    const { blockscout, sourcify, prices, health, drainers } = open();
    expect([blockscout, sourcify, prices, drainers.health]).toEqual([null, null, null, []]);
    expect(health().map(({ kind, name }) => [kind, name])).toEqual([
      ["rpc", "one.example"],
      ["rpc", "two.example"],
    ]);
    expect(asked).toEqual([]);
  });

  it("tells how each of its servers does, and each change of that", () => {
    const { health, watch, sourcify, drainers, pool } = open({
      ...{ blockscoutUrl: "http://explorer.example", sourcifyUrl: "http://sources.example" },
      ...{ pricesUrl: "http://prices.example", drainerLists: ["http://lists.example/a"] },
    });
    expect(health().map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      ...["rpc one.example", "rpc two.example", "blockscout explorer.example", "sourcify sources.example"],
      ...["price_api prices.example", "drainer_list lists.example/a"],
    ]);
    const told: string[] = [];
    watch(({ name }) => told.push(name));
    pool.endpoints[1]?.health.rest("busy", 1);
    sourcify?.health.rest("busy", 1);
    drainers.health[0]?.rest("busy", 1);
    expect(told).toEqual(["two.example", "sources.example", "lists.example/a"]);
  });

  it("asks every RPC endpoint for its chain", async () => {
    const { probe, health } = open();
    expect(await probe()).toBeUndefined();
    expect(asked.map(({ url }) => url)).toEqual(rpcUrls);
    expect(health().map(({ troubles }) => troubles[0]?.reason)).toEqual(["server_error", "server_error"]);
  });

  it("gives up what is under way when it is closed", async () => {
    const { probe, drainers, close } = open({ drainerLists: ["http://lists.example/a"] });
    answer = () => new Promise(() => {});
    const probed = probe();
    const refreshed = drainers.refresh();
    await vi.waitFor(() => expect(asked).toHaveLength(3));
    close();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    await Promise.all([probed, refreshed]);
  });

  it("renews drainer lists every six hours, within half a minute each", async () => {
    const clock = handClock();
    const path = listFile(alice);
    const times = vi.spyOn(AbortSignal, "timeout");
    const { drainers, close } = open({ drainerLists: [path], clock });
    const named = async () => {
      await drainers.refresh();
      const signal = new AbortController().signal;
      return (await drainers.look([bob as Address], { signal, time: () => "" })).hits.length;
    };
    expect(await named()).toBe(0);
    writeFileSync(path, `${alice}\n${bob}`);
    clock.time += 6 * hour - 1;
    expect(await named()).toBe(0);
    clock.time += 1;
    expect(await named()).toBe(1);
    expect(times.mock.calls).toEqual([[30_000], [30_000]]);
    close();
  });

  it("renews them as often, and gives them as long, as it is told", async () => {
    const clock = handClock();
    const times = vi.spyOn(AbortSignal, "timeout");
    const { drainers, close } = open({ drainerLists: [listFile(alice)], drainerRefreshMs: 500, downloadMs: 70, clock });
    await drainers.refresh();
    clock.time += 499;
    await drainers.refresh();
    expect(times.mock.calls).toEqual([[70]]);
    clock.time += 1;
    await drainers.refresh();
    expect(times.mock.calls).toEqual([[70], [70]]);
    close();
  });
});
