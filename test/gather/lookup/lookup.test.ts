import { describe, expect, it } from "vitest";
import { openLookup } from "../../../src/gather/lookup/lookup.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { alice, bob, flatTrace, tokenAddress } from "../../support/rpc-server-chain.ts";
import { type Script, scriptedPool } from "../../support/scripted-pool.ts";
import { block, draft, hash, multicall, node, returned, signal } from "./second-trip-node.ts";

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
