import { describe, expect, it } from "vitest";
import type { Fetched } from "../../../src/gather/fetch/fetch.ts";
import { type DetailsRequest, readLatest } from "../../../src/gather/lookup/fetch-details.ts";
import { encodeReads } from "../../../src/gather/network/rpc/multicall.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { bob, tokenAddress } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { scriptedPool } from "../../support/scripted-pool.ts";
import { ask, block, multicall, node, returned, signal } from "./second-trip-node.ts";

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
      ...{ endpoint: pool.endpoints[0], block, isDisputed: false, trace: undefined },
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
      isDisputed: false,
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
