import { describe, expect, it } from "vitest";
import { createBlockscout } from "../../../src/gather/network/blockscout/blockscout.ts";
import { type BodyBudget, createBodyBudget } from "../../../src/gather/network/http/body-budget.ts";
import { createEndpoint } from "../../../src/gather/network/rpc/endpoint.ts";
import { createSourcify } from "../../../src/gather/network/sourcify/sourcify.ts";
import { openDeadline } from "../../../src/kernel/abort.ts";
import { hostilities, startHostileServer } from "../../support/hostile-server.ts";
import { openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const megabyte = 1024 * 1024;
const address = `0x${"ab".repeat(20)}` as never;
const calls = [{ method: "eth_blockNumber", params: [] }];

/** A budget that remembers the most that it ever held. */
function watched(bytesMax: number): BodyBudget & { most(): number } {
  const budget = createBodyBudget(bytesMax);
  let most = 0;
  const share = () => {
    const own = budget.share();
    return {
      ...own,
      take(bytes: number) {
        own.take(bytes);
        most = Math.max(most, budget.held());
      },
    };
  };
  return { ...budget, share, most: () => most };
}

describe("a server that sends without end, too much or too slowly", () => {
  it.each(hostilities)("ends an explanation at the limit or the deadline: %s", async (hostility) => {
    const server = await startHostileServer(hostility);
    // A dripping server must run into the deadline; a flooding one into the limit first, also on a busy machine.
    const slow = hostility === "drip";
    const gatherer = openGatherer([server.url], {
      callTimeoutMs: slow ? 1_500 : 20_000,
      deadlineMs: slow ? 3_000 : 40_000,
    });
    await expect(gatherer.gather(hashOf(1))).rejects.toMatchObject({ code: "upstream_unavailable" });
    // After a timeout it is asked once more without traces, because the traces may have been slow.
    expect(server.requests).toBeLessThanOrEqual(2);
    expect(server.sent()).toBeLessThan(80 * megabyte);
    const reason = slow ? "timeout" : "garbage";
    expect(gatherer.health()[0]?.troubles[0]).toMatchObject({ capability: "all", reason });
  });

  it.each(hostilities)("is no answer of Sourcify or Blockscout: %s", async (hostility) => {
    const server = await startHostileServer(hostility);
    const bodies = watched(32 * megabyte);
    const options = { bodies, clock: Date };
    const sourcify = createSourcify(server.url, { chainId: 8453, ...options });
    const blockscout = createBlockscout(server.url, { chainId: 8453, key: null, pageTimeoutMs: 800, ...options });
    const deadline = openDeadline(800);
    const told = await Promise.all([
      sourcify.isVerified(address, deadline.signal),
      sourcify.readContract(address, deadline.signal),
      blockscout.isVerified(address, deadline.signal),
      blockscout.listInternalTransfers(hashOf(1), deadline.signal),
      blockscout.readAccountList({
        account: address,
        list: "transactions",
        start: {},
        pages: 2,
        signal: deadline.signal,
      }),
    ]);
    deadline.end();
    expect(told).toEqual([undefined, undefined, undefined, "failed", undefined]);
    expect(bodies.most()).toBeLessThanOrEqual(32 * megabyte);
    expect(bodies.held()).toBe(0);
  });

  it.each(hostilities)("never makes the process hold more than it may, however many ask: %s", async (hostility) => {
    const server = await startHostileServer(hostility);
    const bodies = watched(48 * megabyte);
    const endpoint = createEndpoint(server.url, { chainId: 8453, callTimeoutMs: 1_500, bodies, clock: Date });
    const works = Array.from({ length: 8 }, () => openDeadline(10_000));
    const faults = await Promise.all(works.map(({ signal }) => endpoint.ask(calls, signal)));
    for (const fault of faults) expect(["timeout", "unusable", "crowded"]).toContain(fault);
    expect(bodies.most()).toBeLessThanOrEqual(48 * megabyte);
    for (const work of works) work.end();
    expect(bodies.held()).toBe(0);
  });
});

describe("the bytes of answers", () => {
  it("are held as long as the work on the explanation, and what finds no room is not the endpoint's fault", async () => {
    const server = await startHostileServer("long");
    const bodies = createBodyBudget(50 * megabyte);
    const endpoint = createEndpoint(server.url, { chainId: 8453, callTimeoutMs: 20_000, bodies, clock: Date });
    const works = Array.from({ length: 3 }, () => openDeadline(60_000));
    const [first, second, third] = works.map(({ signal }) => signal) as [AbortSignal, AbortSignal, AbortSignal];
    for (const signal of [first, second])
      expect(await endpoint.ask(calls, signal)).toEqual([{ ok: true, result: "0x1" }]);
    const held = bodies.held();
    expect(held).toBeGreaterThan(40 * megabyte);
    expect(await endpoint.ask(calls, third)).toBe("crowded");
    expect([bodies.held(), endpoint.health.report().troubles]).toEqual([held, []]);
    works[0]?.end();
    expect(bodies.held()).toBeLessThan(held);
    // A batch of the service itself gives its bytes back as soon as it is read.
    expect(await endpoint.ask(calls, first, "service")).toBe("aborted");
    expect(await endpoint.ask(calls, third, "service")).toHaveLength(1);
    for (const work of works) work.end();
    expect(bodies.held()).toBe(0);
  });
});
