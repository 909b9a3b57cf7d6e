import { describe, expect, it } from "vitest";
import {
  describeTroubles,
  EndpointHealth,
  type HealthReport,
} from "../../../src/gather/network/health/endpoint-health.ts";
import { openNetwork } from "../../../src/gather/network/network.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import {
  alice,
  callTrace,
  chainFixture,
  chainMethods,
  flatTrace,
  startTraceNode,
} from "../../support/rpc-server-chain.ts";
import { handClock, openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const soon = () => AbortSignal.timeout(2_000);

describe("a health record", () => {
  it("keeps when trouble began through rests and failures, until an answer comes", () => {
    const clock = handClock();
    const start = clock.time;
    const health = new EndpointHealth("rpc", "node.example", clock);
    expect(health.report()).toEqual({ kind: "rpc", name: "node.example", degradedSince: null, troubles: [] });
    health.fail({ restMs: 10_000 });
    expect([health.rests(), health.isFailing()]).toEqual([true, true]);
    clock.time += 20_000;
    expect([health.rests(), health.isFailing()]).toEqual([false, true]);
    health.fail({ restMs: 10_000 });
    health.rest("busy", 5_000);
    expect(health.report()).toMatchObject({
      degradedSince: start,
      troubles: [{ capability: "all", reason: "busy", since: start, until: clock.time + 5_000 }],
    });
    health.succeed();
    expect(health.report()).toMatchObject({ degradedSince: null, troubles: [] });
  });

  it("rests only after several failures in a row, and again after the next one", () => {
    const clock = handClock();
    const health = new EndpointHealth("sourcify", "server.example", clock);
    const fail = () => health.fail({ breakAfter: 3, restMs: 1_000 });
    fail();
    fail();
    expect(health.rests()).toBe(false);
    fail();
    expect(health.rests()).toBe(true);
    clock.time += 1_001;
    expect(health.rests()).toBe(false);
    fail();
    expect(health.rests()).toBe(true);
  });

  it("keeps capabilities apart, and does not count a missing one as trouble of the endpoint", () => {
    const clock = handClock();
    const health = new EndpointHealth("rpc", "node.example", clock);
    health.rest("missing", 600_000, "trace_transaction");
    expect([health.rests("trace_transaction"), health.rests()]).toEqual([true, false]);
    expect(health.report().degradedSince).toBeNull();
    clock.time += 5;
    health.rest("slow", 60_000, "traces");
    expect(health.report().degradedSince).toBe(clock.time);
  });
});

describe("what is told of a health record", () => {
  const build = () => {
    const clock = handClock();
    const health = new EndpointHealth("rpc", "node.example", clock);
    const told: object[] = [];
    health.watch((change) => told.push(change));
    return { clock, health, told };
  };

  it("is degraded since its oldest trouble, and lists each", () => {
    const { clock, health } = build();
    const start = clock.time;
    health.rest("missing", 1_000, "trace_transaction");
    clock.time += 5;
    health.rest("slow", 1_000, "traces");
    clock.time += 5;
    health.fail({ restMs: 1_000, reason: "dns" });
    expect(health.report()).toEqual({
      ...{ kind: "rpc", name: "node.example", degradedSince: start + 5 },
      troubles: [
        { capability: "trace_transaction", reason: "missing", since: start, until: start + 1_000 },
        { capability: "traces", reason: "slow", since: start + 5, until: start + 1_005 },
        { capability: "all", reason: "dns", since: start + 10, until: start + 1_010 },
      ],
    });
  });

  it("is each new trouble, each other reason, and the end, with the time since it began", () => {
    const { clock, health, told } = build();
    health.succeed();
    health.note("timeout");
    health.fail({ restMs: 10 });
    clock.time += 3;
    health.fail({ restMs: 10 });
    health.rest("busy", 10);
    clock.time += 4;
    health.succeed();
    health.succeed();
    const all = { kind: "rpc", name: "node.example", capability: "all" };
    expect(told).toEqual([
      { ...all, reason: "timeout", after: 0 },
      { ...all, reason: "busy", after: 3 },
      { ...all, reason: null, after: 7 },
    ]);
  });

  it("rests up to the very moment, and keeps an earlier rest while failures are few", () => {
    const { clock, health } = build();
    health.rest("busy", 100);
    clock.time += 99;
    expect(health.rests()).toBe(true);
    health.fail({ breakAfter: 2, restMs: 1_000 });
    expect(health.rests()).toBe(true);
    clock.time += 1;
    expect(health.rests()).toBe(false);
    health.fail({ breakAfter: 2, restMs: 1_000 });
    clock.time += 999;
    expect(health.rests()).toBe(true);
    clock.time += 1;
    expect(health.rests()).toBe(false);
  });

  it("names each endpoint that is in trouble with its reasons, each once", () => {
    const named = (name: string, ...reasons: ("busy" | "slow" | "missing" | "timeout")[]) => {
      const health = new EndpointHealth("rpc", name, handClock());
      for (const [i, reason] of reasons.entries()) health.rest(reason, 1, String(i));
      return { health };
    };
    const endpoints = [
      named("a", "timeout", "busy", "timeout"),
      named("b", "slow", "missing"),
      named("c", "missing", "busy"),
    ];
    expect(describeTroubles(endpoints)).toBe("a: timeout, busy; c: busy");
    expect(describeTroubles([])).toBe("");
  });
});

describe("the health of RPC endpoints", () => {
  const hash = hashOf(1);
  const troublesOf = (reports: readonly HealthReport[]) =>
    reports.map(({ troubles }) => troubles.map(({ capability, reason }) => `${capability} ${reason}`));

  it("tells which of them fails since when, and that it is over", async () => {
    const clock = handClock();
    const methods = { ...chainMethods(chainFixture()), debug_traceTransaction: () => callTrace };
    const [bad, good] = [await startRpcServer({ methods }), await startRpcServer({ methods })];
    bad.fault = "http500";
    const gatherer = openGatherer([`${bad.url}/v2/secret-key`, good.url], { clock });
    const start = clock.time;
    await gatherer.gather(hash);
    expect(gatherer.health()).toMatchObject([
      { kind: "rpc", name: new URL(bad.url).host, degradedSince: start },
      { kind: "rpc", name: new URL(good.url).host, degradedSince: null },
    ]);
    expect(JSON.stringify(gatherer.health())).not.toContain("secret");
    bad.fault = null;
    clock.time += 11_000;
    await gatherer.readHead();
    expect(troublesOf(gatherer.health())).toEqual([[], []]);
  });

  it("tells what an endpoint lacks, that traces are slow, and that it serves another chain", async () => {
    const lacking = await startTraceNode({ trace_transaction: () => flatTrace });
    const slow = await startTraceNode({ debug_traceTransaction: () => callTrace });
    slow.fault = (names) => (names.includes("debug_traceTransaction") ? "hang" : null);
    const wrong = await startRpcServer({ methods: chainMethods(chainFixture({ chainId: 1 })) });
    const first = openGatherer([wrong.url, lacking.url]);
    await first.gather(hash);
    expect(troublesOf(first.health())).toEqual([["chain wrong_chain"], ["debug_traceTransaction missing"]]);
    const second = openGatherer([slow.url], { callTimeoutMs: 300 });
    await second.gather(hash);
    expect(troublesOf(second.health())).toEqual([["traces slow"]]);
  });
});

it("an explorer that asks for a long rest gets it", async () => {
  const clock = handClock();
  const server = await startFactServer(() => ({ status: 429, body: "", headers: { "retry-after": "60" } }));
  const network = openNetwork({ chainId: 8453, rpcUrls: [], callTimeoutMs: 1_000, blockscoutUrl: server.url, clock });
  for (const later of [0, 30_000, 31_000]) {
    clock.time += later;
    expect(await network.blockscout?.listInternalTransfers(hashOf(1), soon())).toBe("failed");
  }
  expect(server.visits).toHaveLength(2);
  network.close();
});

it("the network lists Blockscout, Sourcify and drainer lists beside the endpoints, each with its troubles", async () => {
  const clock = handClock();
  const server = await startFactServer(() => ({ body: { items: "none" } }));
  const network = openNetwork({
    ...{ chainId: 8453, rpcUrls: ["http://127.0.0.1:1"], callTimeoutMs: 1_000, clock },
    ...{ blockscoutUrl: server.url, sourcifyUrl: server.url, drainerLists: [`${server.url}/list.json?key=secret`] },
  });
  expect(network.health().map(({ kind, degradedSince }) => [kind, degradedSince])).toEqual([
    ["rpc", null],
    ["blockscout", null],
    ["sourcify", null],
    ["drainer_list", null],
  ]);
  const start = clock.time;
  expect(await network.blockscout?.listInternalTransfers(hashOf(1), soon())).toBe("failed");
  server.fault = "429";
  expect(await network.sourcify?.isVerified(alice, soon())).toBeUndefined();
  expect(await network.blockscout?.isVerified(alice, soon())).toBeUndefined();
  await network.drainers.refresh();
  await network.head.read();
  const name = new URL(server.url).host;
  expect(network.health()).toMatchObject([
    { kind: "rpc", name: "127.0.0.1:1", degradedSince: start, troubles: [{ reason: "failing" }] },
    {
      ...{ kind: "blockscout", name, degradedSince: start },
      troubles: [
        { capability: "internal_transfers", reason: "garbage", since: start, until: start + 10_000 },
        { capability: "contracts", reason: "busy", since: start, until: start + 7_000 },
      ],
    },
    { kind: "sourcify", name, troubles: [{ capability: "all", reason: "busy" }] },
    { kind: "drainer_list", name: `${name}/list.json`, degradedSince: start },
  ]);
  expect(JSON.stringify(network.health())).not.toContain("secret");
  server.fault = null;
  clock.time += 10_001;
  await network.blockscout?.isVerified(alice, soon());
  expect(network.health()[1]?.troubles).toMatchObject([{ capability: "internal_transfers" }]);
  network.close();
});
