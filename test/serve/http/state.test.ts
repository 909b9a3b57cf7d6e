import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import type { Readiness } from "../../../src/serve/access/readiness.ts";
import { addHealthRoutes } from "../../../src/serve/http/routes/health.ts";
import { addMetricsRoute } from "../../../src/serve/http/routes/metrics.ts";
import { type EndpointState, readState, type StateOptions } from "../../../src/serve/http/state.ts";

const since = Date.UTC(2026, 0, 1);
const ready: Readiness = { facilitator: "ready", ledger: "ready", gas_balance_eth: "0.5", degraded: [] };
const usage = { free: 1, pass: 2, paid: 3, challenged: 4, refused: 5, passes_sold: 6, settled: 1_234_500n };

interface World {
  /** null: nothing is charged. */
  readiness?: Readiness | null;
  draining?: boolean;
  endpoints?: EndpointState[];
  head?: { number: number; timestamp: number } | null;
  /** Since when requests come over a proxy that is not trusted. */
  forwardedSince?: number;
}

function stateOf({ readiness = null, draining = false, endpoints = [], forwardedSince }: World): StateOptions {
  const access =
    readiness === null
      ? null
      : { readiness: async () => readiness, usage: { counts: usage, open: 3 }, decimals: 6, ledger: "sqlite" };
  return {
    service: {
      ...{ access, counts: { read: () => ({ success: 7, reverted: 2, internal: 1 }) } },
      untrustedForwardingSince: () => forwardedSince ?? null,
    } as never,
    connections: { draining, counts: () => ({ open: 8, refused: 9, cut_off: 10 }) } as never,
    endpoints: () => endpoints,
  };
}

const trouble = { capability: "all", reason: "timeout", since, until: since + 1_000 };
const failing = { kind: "rpc", name: "a", degradedSince: since, troubles: [trouble] };
const told = { part: "rpc", name: "a", reason: "timeout", since: "2026-01-01T00:00:00.000Z" };

describe("what works and what does not", () => {
  it.each<[string, World, object]>([
    ["all well", {}, { notReady: [], degraded: [], readiness: null }],
    ["it stops", { draining: true }, { notReady: ["stopping"], degraded: [], readiness: null }],
    [
      "it stops, and the ledger is silent",
      { draining: true, readiness: { ...ready, ledger: "unavailable" } },
      { notReady: ["stopping", "ledger"], degraded: [], readiness: { ...ready, ledger: "unavailable" } },
    ],
    [
      "a facilitator that is silent keeps nobody away",
      {
        readiness: {
          ...ready,
          facilitator: "unavailable",
          degraded: [{ part: "facilitator", reason: "unavailable", since }],
        },
      },
      {
        notReady: [],
        degraded: [{ part: "facilitator", name: null, reason: "unavailable", since: told.since }],
        readiness: expect.anything(),
      },
    ],
    [
      "it stands behind a proxy that it does not know",
      { forwardedSince: since },
      {
        ...{ notReady: [], readiness: null },
        degraded: [{ part: "proxy", name: null, reason: "untrusted_forwarding", since: told.since }],
      },
    ],
    ["an endpoint fails", { endpoints: [failing] }, { notReady: [], degraded: [told], readiness: null }],
    [
      "the reason is that of the oldest trouble which is one",
      {
        endpoints: [
          {
            ...failing,
            troubles: [
              { ...trouble, reason: "missing" },
              { ...trouble, reason: "busy", since: since + 1 },
              { ...trouble, reason: "dns" },
            ],
          },
          { ...failing, name: "b", troubles: [] },
          { ...failing, name: "c", degradedSince: null },
        ],
      },
      {
        notReady: [],
        degraded: [
          { ...told, reason: "dns" },
          { ...told, name: "b", reason: "failing" },
        ],
        readiness: null,
      },
    ],
  ])("%s", async (_name, world, expected) => {
    expect(await readState(stateOf(world))).toEqual(expected);
  });
});

async function ask(path: string, world: World, operator = true) {
  const app = Fastify();
  const options = { ...stateOf(world), version: "1.2.3", ruleset: "r", isOperator: () => operator };
  const { head = null } = world;
  addHealthRoutes(app, { ...options, head: async () => head });
  addMetricsRoute(app, { ...options, process: () => ({ log_lines_dropped: 11, rejections: 12, exceptions: 13 }) });
  const response = await app.inject(path);
  await app.close();
  return response;
}

describe("/healthz", () => {
  const free = { pass: 0, paid: 0, challenged: 0, refused: 0, passes_sold: 0 };
  it("tells everything of a service that is free", async () => {
    const now = Math.floor(Date.now() / 1000);
    const response = await ask("/healthz", { endpoints: [failing], head: { number: 5, timestamp: now + 100 } });
    expect(response.headers).toMatchObject({ "cache-control": "no-store", "x-ruleset": "r" });
    expect(response.json()).toEqual({
      ...{ status: "degraded", ready: true, degraded: [told], version: "1.2.3", uptime_seconds: 0, ruleset: "r" },
      chain_head: { number: 5, age_seconds: 0 },
      endpoints: [
        {
          ...{ kind: "rpc", name: "a", degraded_since: told.since },
          troubles: [{ ...trouble, since: told.since, until: "2026-01-01T00:00:01.000Z" }],
        },
      ],
      explanations: { success: 7, reverted: 2, internal: 1 },
      access: { mode: "open", demand: { free: 9, ...free, settled_usd: "0" } },
    });
    expect((await ask("/healthz", {}, false)).json()).toMatchObject({
      ...{ status: "ok", chain_head: null },
      access: { mode: "open", demand: { free: 9, ...free, settled_usd: null } },
    });
  });

  it.each([true, false])("tells what a service earns to its operator alone: %s", async (operator) => {
    const { settled: _, ...counts } = usage;
    const { access } = (await ask("/healthz", { readiness: ready }, operator)).json();
    expect(access).toEqual({
      ...{ mode: "metered", ledger: "sqlite" },
      demand: { ...counts, settled_usd: operator ? "1.2345" : null },
      readiness: { facilitator: "ready", ledger: "ready", gas_balance_eth: operator ? "0.5" : null },
    });
  });
});

describe("/readyz", () => {
  it.each<[World, number, string[]]>([
    [{}, 200, []],
    [{ endpoints: [failing] }, 200, []],
    [{ readiness: { ...ready, ledger: "unavailable" } }, 503, ["ledger"]],
    [{ draining: true, readiness: { ...ready, ledger: "unavailable" } }, 503, ["stopping"]],
  ])("%j: %d", async (world, status, reasons) => {
    const response = await ask("/readyz", world);
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([status, status === 503 ? "2" : undefined]);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.json()).toEqual({ ready: reasons.length === 0, not_ready: reasons });
  });
});

describe("/metrics", () => {
  const linesOf = async (world: World) => {
    const response = await ask("/metrics", world);
    expect(response.headers["cache-control"]).toBe("no-store");
    const lines = response.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return lines.filter((line) => !line.startsWith("process_resident_memory_bytes "));
  };
  const always = [
    'txgloss_info{version="1.2.3"} 1',
    'txgloss_explanations_total{outcome="success"} 7',
    'txgloss_explanations_total{outcome="reverted"} 2',
    'txgloss_explanations_total{outcome="internal"} 1',
  ];
  const process = [
    "txgloss_connections 8",
    'txgloss_connections_ended_total{reason="refused"} 9',
    'txgloss_connections_ended_total{reason="cut_off"} 10',
    "txgloss_log_lines_dropped_total 11",
    'txgloss_uncaught_total{kind="rejections"} 12',
    'txgloss_uncaught_total{kind="exceptions"} 13',
  ];

  it("counts each part that does not work", async () => {
    const endpoints = [failing, { ...failing, name: "b" }, { ...failing, kind: "sourcify" }];
    expect(await linesOf({ endpoints })).toEqual([
      ...[...always, "txgloss_serving 1", 'txgloss_degraded{part="rpc"} 2', 'txgloss_degraded{part="sourcify"} 1'],
      ...process,
    ]);
  });

  it("tells what was let in, refused and earned where calls are charged", async () => {
    const access = Object.entries(usage).filter(([kind]) => kind !== "settled");
    const lines = (works: number, gas: string) => [
      ...access.map(([kind, count]) => `txgloss_access_total{kind="${kind}"} ${count}`),
      "txgloss_settled_usd_total 1.2345",
      "txgloss_open_settlements 3",
      `txgloss_ready{part="facilitator"} ${works}`,
      `txgloss_ready{part="ledger"} ${works}`,
      `txgloss_gas_balance_eth ${gas}`,
    ];
    expect(await linesOf({ readiness: ready })).toEqual([
      ...always,
      "txgloss_serving 1",
      ...process,
      ...lines(1, "0.5"),
    ]);
    const broken: Readiness = { ...ready, facilitator: "unsupported", ledger: "unavailable", gas_balance_eth: null };
    expect(await linesOf({ readiness: broken })).toEqual([
      ...always,
      "txgloss_serving 0",
      ...process,
      ...lines(0, "Nan"),
    ]);
  });

  it("is for the operator", async () => {
    const response = await ask("/metrics", {}, false);
    expect(response.headers["www-authenticate"]).toBe('Bearer realm="txgloss"');
    expect(response.body).not.toContain("txgloss_info");
  });
});
