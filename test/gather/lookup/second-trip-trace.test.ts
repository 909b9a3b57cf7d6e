import { describe, expect, it } from "vitest";
import type { Fetched } from "../../../src/gather/fetch/fetch.ts";
import { fetchDetails } from "../../../src/gather/lookup/fetch-details.ts";
import { bob, callTrace, flatTrace } from "../../support/rpc-server-chain.ts";
import { scriptedPool } from "../../support/scripted-pool.ts";
import { ask, draft, multicall, node, signal } from "./second-trip-node.ts";

describe("the call tree of the second trip", () => {
  const flat = { trace_transaction: flatTrace };
  const tree = { debug_traceTransaction: callTrace };
  const want = { wantTrace: true };
  const methodsOf = (asks: (string[] | number)[][]) =>
    asks.map(([at, methods]) => [at, (methods as string[]).filter((name) => name.includes("trace"))]);

  it("comes in the other form from whoever had the transaction", async () => {
    const { told, asks } = await ask([node({ traces: flat })], want);
    expect(told.trace?.source).toBe("trace_transaction");
    expect(methodsOf(asks as never)).toEqual([[0, ["trace_transaction"]]]);
  });

  it("is not asked for where it is not wanted, was asked for already, is missing, or slow", async () => {
    const traced = async (
      parts: object,
      fetched: object = {},
      spoil: (health: Fetched["endpoint"]["health"]) => void = () => {},
    ) => {
      const { pool, asked } = scriptedPool(node({ traces: flat }));
      const endpoint = pool.endpoints[0] as Fetched["endpoint"];
      spoil(endpoint.health);
      const request = { fetched: { draft, endpoint, asked: [], ...fetched } as never, multicall, reads: [], calls: [] };
      await fetchDetails({ ...request, wantTrace: true, ...parts }, { pool, signal });
      return asked[0]?.calls.length;
    };
    expect(await traced({})).toBe(2);
    expect(await traced({ wantTrace: false })).toBe(1);
    expect(await traced({}, { asked: ["trace_transaction"] })).toBe(1);
    expect(await traced({}, {}, (health) => health.rest("missing", 1_000, "trace_transaction"))).toBe(1);
    expect(await traced({}, {}, (health) => health.rest("slow", 1_000, "traces"))).toBe(1);
  });

  it("is asked of one other endpoint at the same time, in each form that it may have", async () => {
    const { told, asks } = await ask([node({}), node({ traces: tree }), node({ traces: tree })], want);
    expect(told.trace?.source).toBe("debug_traceTransaction");
    expect(methodsOf(asks as never).toSorted()).toEqual([
      [0, ["trace_transaction"]],
      [1, ["debug_traceTransaction", "trace_transaction"]],
    ]);
  });

  it("is not asked of those that rest, are slow, or lack both forms", async () => {
    const { pool, asked } = scriptedPool(...Array.from({ length: 5 }, () => node({ traces: flat })));
    const [endpoint, rests, slow, lacks] = pool.endpoints as Fetched["endpoint"][];
    rests?.health.rest("busy", 1_000);
    slow?.health.rest("slow", 1_000, "traces");
    for (const method of ["debug_traceTransaction", "trace_transaction"]) lacks?.health.rest("missing", 1_000, method);
    pool.endpoints[4]?.health.rest("missing", 1_000, "debug_traceTransaction");
    const fetched = { draft, endpoint, asked: ["trace_transaction"] } as never;
    const told = await fetchDetails({ fetched, multicall, reads: [], calls: [], wantTrace: true }, { pool, signal });
    expect(told.trace?.source).toBe("trace_transaction");
    expect(asked.map(({ node: at, calls }) => [at, calls.length]).toSorted()).toEqual([
      [0, 1],
      [4, 1],
    ]);
  });

  it("of another sender is none", async () => {
    const { told } = await ask(
      [node({ traces: { trace_transaction: [{ ...flatTrace[0], action: { ...flatTrace[0]?.action, from: bob } }] } })],
      want,
    );
    expect(told.trace).toBeUndefined();
  });
});
