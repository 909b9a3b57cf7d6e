import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import type { Fetched } from "../../src/fetch/fetch.ts";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import { type DetailsRequest, fetchDetails, readLatest } from "../../src/lookup/fetch-details.ts";
import { openLookup } from "../../src/lookup/lookup.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { RpcCall } from "../../src/network/rpc/endpoint.ts";
import { encodeReads } from "../../src/network/rpc/multicall.ts";
import { alice, bob, callTrace, flatTrace, tokenAddress } from "../support/rpc-server-chain.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";
import { ok, refused, type Script, scriptedPool } from "../support/scripted-pool.ts";

const hash = hashOf(1);
const multicall = toAddress(`0x${"ca".repeat(20)}`);
const signal = new AbortController().signal;
const outputs = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }];
const returned = (...results: (Hex | null)[]): Hex =>
  encodeAbiParameters(outputs, [results.map((data) => [data !== null, data ?? "0x"])]);

const block = { number: "0x64", hash: hashOf(500), timestamp: "0x6553f100" };
const draft: CaseFile = {
  ...caseFileOf(hash),
  ...{ block: { number: "0x64", hash: hashOf(500) as Hex }, trace: { source: "none", reason: "not yet" } },
  transaction: { ...caseFileOf(hash).transaction, from: alice, to: bob },
} as CaseFile;

interface Says {
  block?: unknown;
  /** By the block that a call asks about. */
  calls?: Record<string, unknown>;
  traces?: Record<string, unknown>;
}

/** A node that answers so; an Error is refused in its words, and a trace without an answer is a method that it lacks. */
function node({ block: own = block, calls = {}, traces = {} }: Says): Script {
  const answer = (value: unknown) => (value instanceof Error ? refused(value.message) : ok(value));
  return (asked) =>
    asked.map(({ method, params }: RpcCall) => {
      if (method === "eth_getBlockByNumber") return answer(own);
      if (method === "eth_call") return answer(calls[String(params[1])]);
      return method in traces ? answer(traces[method]) : refused("the method does not exist", -32_601);
    });
}

async function ask(scripts: Script[], parts: Partial<DetailsRequest> = {}, fetched: Partial<Fetched> = {}, first = 0) {
  const { pool, asked } = scriptedPool(...scripts);
  const endpoint = pool.endpoints[first] as Fetched["endpoint"];
  const request = { fetched: { draft, endpoint, asked: ["debug_traceTransaction"], ...fetched } as Fetched, multicall };
  const told = await fetchDetails({ ...request, reads: [], calls: [], wantTrace: false, ...parts }, { pool, signal });
  const asks = asked.map(({ node: at, calls }) => [at, calls.map(({ method }) => method)]);
  return { told, asks, asked, pool };
}

describe("the second trip", () => {
  const reads = [
    { to: tokenAddress, data: "0x01" as Hex },
    { to: bob, data: "0x02" as Hex },
  ] as DetailsRequest["reads"];

  it("is one batch of block, reads in both states, and single calls", async () => {
    const calls = [
      { to: tokenAddress, data: "0x0a" as Hex, at: "block" as const },
      { to: bob, data: "0x0b" as Hex, at: "latest" as const },
    ] as DetailsRequest["calls"];
    const { told, asked, pool } = await ask(
      [node({ calls: { "0x64": returned("0x07", null), latest: returned("0x08", null) } })],
      {
        ...{ reads, calls },
      },
    );
    const aggregate = { to: multicall, data: encodeReads(reads) };
    expect(asked).toEqual([
      {
        node: 0,
        calls: [
          { method: "eth_getBlockByNumber", params: ["0x64", false] },
          { method: "eth_call", params: [aggregate, "0x64"] },
          { method: "eth_call", params: [aggregate, "latest"] },
          { method: "eth_call", params: [{ to: tokenAddress, data: "0x0a" }, "0x64"] },
          { method: "eth_call", params: [{ to: bob, data: "0x0b" }, "latest"] },
        ],
      },
    ]);
    expect(told).toEqual({
      ...{ endpoint: pool.endpoints[0], block, trace: undefined },
      reads: { returns: ["0x07", null], at: "block" },
      calls: [returned("0x07", null), returned("0x08", null)],
    });
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      "the newest state",
      { "0x64": new Error("pruned"), latest: returned("0x08", null) },
      { returns: ["0x08", null], at: "latest" },
    ],
    [
      "the newest state, where the other is of no use",
      { "0x64": "0x", latest: returned("0x08", null) },
      { returns: ["0x08", null], at: "latest" },
    ],
    ["nothing", { "0x64": new Error("pruned"), latest: returned("0x08") }, undefined],
  ])("reads %s", async (_name, calls, expected) => {
    expect((await ask([node({ calls })], { reads })).told.reads).toEqual(expected);
  });

  it.each<[unknown, string]>([
    ["0x01", "0x01"],
    ["0x", "reverted"],
    [new Error("execution reverted"), "reverted"],
    [new Error("pruned"), "failed"],
    [5, "failed"],
    [null, "failed"],
  ])("has %s of a single call: %s", async (answer, expected) => {
    const calls = [{ to: bob, data: "0x0a", at: "block" }] as never;
    expect((await ask([node({ calls: { "0x64": answer } })], { calls })).told.calls).toEqual([expected]);
  });

  it("goes on to the next endpoint where the block is not there, and takes the first answers where nobody has it", async () => {
    const calls = [{ to: bob, data: "0x0a", at: "latest" }] as never;
    const [empty, other] = [
      node({ block: null, calls: { latest: "0x01" } }),
      node({ block: null, calls: { latest: "0x02" } }),
    ];
    const { told, asks, pool } = await ask([empty, node({ calls: { latest: "0x03" } })], { calls });
    expect([told.endpoint, told.calls, told.block]).toEqual([pool.endpoints[1], ["0x03"], block]);
    expect(asks.map(([at]) => at)).toEqual([0, 1]);
    const none = await ask([() => "timeout", empty, other], { calls });
    expect([none.told.endpoint, none.told.calls, none.told.block]).toEqual([
      none.pool.endpoints[1],
      ["0x01"],
      undefined,
    ]);
    const silent = await ask([() => "timeout", () => "unusable"], { calls });
    expect(silent.told).toEqual({
      endpoint: null,
      block: undefined,
      reads: undefined,
      calls: ["failed"],
      trace: undefined,
    });
    // A block of another hash is another block.
    expect((await ask([node({ block: { ...block, hash: hashOf(9) } })])).told.block).toBeUndefined();
  });

  it("asks first whoever had the transaction", async () => {
    expect((await ask([node({}), node({})], {}, {}, 1)).asks.map(([at]) => at)).toEqual([1]);
  });
});

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

it("what a search in a feed's history reads is of the newest state", async () => {
  const { pool, asked } = scriptedPool(node({ calls: { latest: returned("0x01", null) } }));
  const reads = [
    { to: tokenAddress, data: "0x01" as Hex },
    { to: bob as never, data: "0x02" as Hex },
  ] as DetailsRequest["reads"];
  const endpoint = pool.endpoints[0] as Fetched["endpoint"];
  expect(await readLatest(endpoint, { multicall, reads, signal })).toEqual(["0x01", null]);
  expect(asked[0]?.calls).toEqual([
    { method: "eth_call", params: [{ to: multicall, data: encodeReads(reads) }, "latest"] },
  ]);
  for (const script of [
    () => "timeout" as const,
    node({ calls: { latest: new Error("no") } }),
    node({ calls: { latest: "0x" } }),
  ]) {
    const other = scriptedPool(script).pool.endpoints[0] as Fetched["endpoint"];
    expect(await readLatest(other, { multicall, reads, signal })).toBeUndefined();
  }
});

describe("the case that is completed", () => {
  interface World {
    script?: Script;
    draft?: Partial<CaseFile>;
    listing?: unknown;
    price?: object | null;
    risk?: object;
    now?: number;
    /** Methods that the endpoint is known to lack. */
    lacks?: string[];
  }
  const time = Number(block.timestamp);

  async function complete({
    script = node({}),
    draft: parts = {},
    listing,
    price = null,
    risk,
    now = time + 600,
    lacks = [],
  }: World) {
    const { pool } = scriptedPool(script);
    for (const method of lacks) pool.endpoints[0]?.health.rest("missing", 1_000, method);
    const noted: unknown[] = [];
    const listed: unknown[] = [];
    const blockscout =
      listing === undefined
        ? null
        : {
            name: "explorer",
            listInternalTransfers: async (of: unknown) => {
              listed.push(of);
              return listing;
            },
          };
    const lookUp = openLookup({
      network: { pool, blockscout, head: { note: (one: unknown) => noted.push(one) } } as never,
      ...{ multicall, price: price as never, clock: { now: () => now * 1_000 } },
      lookUpRisk: (risk === undefined ? null : async () => risk) as never,
    });
    const fetched = { draft: { ...draft, ...parts }, endpoint: pool.endpoints[0], asked: [] } as never;
    const plan = { tokens: [], reads: [{ to: tokenAddress, data: "0x01" }], risk: {} } as never;
    return { file: await lookUp(fetched, plan, signal), noted, listed };
  }

  const transfer = { type: "call", from: alice, to: bob, value: "1", success: true };
  const internal = (...list: object[]) => ({
    source: "internal_transfers",
    provider: "explorer",
    internal_transfers: list,
  });
  const none = (reason: string) => ({ source: "none", reason });
  const failed = none("the trace sources did not answer");
  const kept = { source: "debug_traceTransaction", root: { type: "CALL", from: alice } };
  it.each<[string, World, object]>([
    ["kept where it is there", { draft: { trace: kept as never }, listing: [transfer] }, kept],
    [
      "kept where it is there, though nobody else has one",
      {
        draft: { trace: kept as never },
        listing: [transfer],
        lacks: ["debug_traceTransaction", "trace_transaction"],
      },
      kept,
    ],
    [
      "that of the second trip",
      { script: node({ traces: { trace_transaction: flatTrace } }), listing: [transfer] },
      { source: "trace_transaction", root: expect.anything() },
    ],
    [
      "none of a plain transfer",
      { draft: { receipt: { logs: [], gasUsed: "0x5208" } }, listing: [transfer] },
      none("plain transfer: 21000 gas"),
    ],
    ["none of what was simulated", { draft: { simulation: {} as never }, listing: [transfer] }, none("not yet")],
    [
      "none without an explorer, where the methods are missing",
      { lacks: ["debug_traceTransaction"] },
      none("no endpoint offers a trace and no explorer is configured"),
    ],
    ["none without an explorer, where one method may be there", {}, failed],
    ["none without an explorer, where nobody answers", { script: () => "timeout" }, failed],
    ["the list of the explorer", { listing: [transfer] }, internal(transfer)],
    [
      "the list of the explorer, asked early where both methods are missing",
      { listing: [transfer], lacks: ["debug_traceTransaction", "trace_transaction"] },
      internal(transfer),
    ],
    ["not an empty list of a young block", { listing: [] }, failed],
    ["an empty list of an old block", { listing: [], now: time + 601 }, internal()],
    [
      "not an empty list of a block without a time",
      { script: () => "timeout", listing: [], now: time + 9_999 },
      failed,
    ],
    [
      "none where the explorer does not know it",
      { listing: "unlisted" },
      none("no endpoint offers a trace and the explorer does not list this transaction"),
    ],
    [
      "none where the list is not clear",
      { listing: "unclear" },
      none("no endpoint offers a trace and the explorer's list cannot be told apart"),
    ],
    ["none where the explorer fails", { listing: "failed" }, failed],
  ])("has a trace: %s", async (_name, world, trace) => {
    const { file, listed } = await complete(world);
    expect(file.trace).toEqual(trace);
    // What is there, plain or simulated needs no list.
    const isAsked = world.listing !== undefined && !("draft" in world || "root" in trace);
    expect(listed).toEqual(isAsked ? [hash] : []);
  });

  it("has the block, the reads and the risk lookups that were answered, and when", async () => {
    const { file, noted } = await complete({
      script: node({ calls: { "0x64": returned("0x07") } }),
      risk: { asked: true },
      now: 86_400,
    });
    expect(file).toMatchObject({ block, gathered_at: "1970-01-02T00:00:00.000Z", risk: { asked: true } });
    expect(file.reads).toEqual([
      { status: "found", source: "multicall3@100", to: tokenAddress, data: "0x01", result: "0x07" },
    ]);
    expect(file.price).toEqual({ status: "absent", source: "no price feed is configured", eth_usd: null });
    expect(noted).toEqual([block]);
    const newest = await complete({ script: node({ block: null, calls: { latest: returned("0x07") } }) });
    expect(newest.file).toMatchObject({ block: draft.block, reads: [{ source: "multicall3@latest" }] });
    expect(newest.file).not.toHaveProperty("risk");
    expect((await complete({ script: () => "timeout" })).file.reads).toMatchObject([{ status: "unavailable" }]);
  });

  it("has the price that the feed's answers give, at the time of the block", async () => {
    const settled: Record<string, unknown>[] = [];
    const price = {
      calls: () => [{ to: bob, data: "0x0a", at: "block" }],
      settle: async ({ read, ...given }: { read: (reads: unknown[], within: AbortSignal) => Promise<unknown> }) => {
        settled.push({ ...given, read: await read([{ to: bob, data: "0x0b" }], signal) });
        return "price";
      },
    };
    const script = node({ calls: { "0x64": "0x01", latest: returned("0x02") } });
    expect((await complete({ script, price })).file.price).toBe("price");
    await complete({ script: () => "timeout", price });
    expect(settled).toEqual([
      { answers: ["0x01"], blockTime: time, signal, read: ["0x02"] },
      { answers: ["failed"], blockTime: null, signal, read: undefined },
    ]);
  });
});
