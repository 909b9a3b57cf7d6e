import { describe, expect, it } from "vitest";
import { defer } from "../../support/deferred.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import {
  alice,
  bob,
  chainFixture,
  chainMethods,
  startTraceNode as startNode,
  tokenAddress,
} from "../../support/rpc-server-chain.ts";
import { handClock, openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

function explorerOf(pages: { items: object[]; next_page_params: object | null }[]) {
  let page = 0;
  return startRpcServer({
    methods: {},
    explorer: () => ({ status: 200, body: pages[page++] ?? { message: "too far" } }),
  });
}

function row(parts: object = {}): object {
  const party = { from: { hash: tokenAddress }, to: { hash: bob }, created_contract: null };
  return { index: 1, type: "call", call_type: "call", success: true, error: null, value: "9", ...party, ...parts };
}

describe("the explorer's list", () => {
  it("is read page by page where no endpoint traces", async () => {
    const node = await startNode();
    const explorer = await explorerOf([
      { items: [row(), row({ value: "0" })], next_page_params: { index: 7, items_count: 50, block_number: null } },
      {
        items: [row({ type: "create", call_type: null, value: "0", to: null, created_contract: { hash: alice } })],
        next_page_params: null,
      },
    ]);
    const found = await openGatherer([node.url], { blockscoutUrl: `${explorer.url}/` }).gather(hash);
    expect(found.trace).toEqual({
      source: "internal_transfers",
      provider: new URL(explorer.url).host,
      internal_transfers: [
        { type: "call", from: tokenAddress, to: bob, value: "9", success: true },
        { type: "create", from: tokenAddress, to: alice, value: "0", success: true },
      ],
    });
    const path = `/api/v2/transactions/${hash}/internal-transactions`;
    expect(explorer.visits).toEqual([path, `${path}?index=7&items_count=50`]);
    expect(node.batches).toHaveLength(2);
  });

  it.each([
    ["delegatecall", row({ call_type: "delegatecall" })],
    ["staticcall", row({ type: "staticcall", call_type: null })],
    ["the transaction itself", row({ index: 0, type: "create" })],
  ])("leaves out a row of %s", async (_name, left) => {
    const [node, explorer] = [await startNode(), await explorerOf([{ items: [left, row()], next_page_params: null }])];
    const found = await openGatherer([node.url], { blockscoutUrl: explorer.url }).gather(hash);
    expect(found.trace).toMatchObject({
      source: "internal_transfers",
      provider: new URL(explorer.url).host,
      internal_transfers: [{ type: "call" }],
    });
    expect("internal_transfers" in found.trace && found.trace.internal_transfers).toHaveLength(1);
  });

  it("is not taken when it goes on beyond the limit of pages", async () => {
    const node = await startNode();
    const pages = Array.from({ length: 12 }, (_, i) => ({ items: [row()], next_page_params: { page: i } }));
    const explorer = await explorerOf(pages);
    const found = await openGatherer([node.url], { blockscoutUrl: explorer.url }).gather(hash);
    expect(found.trace).toMatchObject({ source: "none", reason: expect.stringContaining("cannot be told apart") });
    expect(explorer.visits).toHaveLength(10);
  });

  it("is not taken when a failed call's callee goes on to send: that may have been undone", async () => {
    const items = [row({ success: false, to: { hash: alice } }), row({ from: { hash: alice } })];
    const [node, explorer] = [await startNode(), await explorerOf([{ items, next_page_params: null }])];
    const found = await openGatherer([node.url], { blockscoutUrl: explorer.url }).gather(hash);
    expect(found.trace.source).toBe("none");
  });

  it("is believed to be empty only when the explorer had time to look", async () => {
    const empty = { items: [], next_page_params: null };
    const [node, explorer] = [await startNode(), await explorerOf([empty, empty])];
    const clock = handClock();
    clock.time = 1_700_000_060_000;
    const gatherer = openGatherer([node.url], { blockscoutUrl: explorer.url, clock });
    expect((await gatherer.gather(hash)).trace).toEqual({ source: "none", reason: "the trace sources did not answer" });
    clock.time += 3_600_000;
    expect((await gatherer.gather(hash)).trace).toEqual({
      source: "internal_transfers",
      provider: new URL(explorer.url).host,
      internal_transfers: [],
    });
  });

  it("that does not know the transaction gives no trace", async () => {
    const [node, explorer] = [await startNode(), await startRpcServer({ methods: {} })];
    const found = await openGatherer([node.url], { blockscoutUrl: explorer.url }).gather(hash);
    expect(found.trace).toMatchObject({ source: "none", reason: expect.stringContaining("does not list") });
  });

  it("that wants a key gives no trace, and is named as the reason", async () => {
    const [node, explorer] = [
      await startNode(),
      await startRpcServer({ methods: {}, explorer: () => ({ status: 401, body: {} }) }),
    ];
    const { trace } = await openGatherer([node.url], { blockscoutUrl: explorer.url }).gather(hash);
    const reason = "no endpoint offers a trace and the explorer wants an API key";
    expect(trace).toEqual({ source: "none", reason });
  });

  it("that fails gives no trace, is left alone for a while, and the case is kept for half a minute", async () => {
    const clock = handClock();
    let body: unknown = { items: "none" };
    const [node, explorer] = [
      await startNode(),
      await startRpcServer({ methods: {}, explorer: () => ({ status: 200, body }) }),
    ];
    const gatherer = openGatherer([node.url], { blockscoutUrl: explorer.url, clock });
    for (let i = 0; i < 2; i++) {
      expect((await gatherer.gather(hash)).trace).toEqual({
        source: "none",
        reason: "the trace sources did not answer",
      });
    }
    expect(explorer.visits).toHaveLength(1);
    clock.time += 31_000;
    body = { items: [row()], next_page_params: null };
    expect((await gatherer.gather(hash)).trace.source).toBe("internal_transfers");
  });

  it("is asked beside the second trip once every endpoint is known to have no trace", async () => {
    const asked = defer<void>();
    const page = { status: 200, body: { items: [row()], next_page_params: null } };
    const explorer = await startRpcServer({
      methods: {},
      explorer: () => {
        if (explorer.visits.length === 2) asked.resolve();
        return page;
      },
    });
    const { eth_getBlockByNumber } = chainMethods(chainFixture());
    // The block of the second gathering is held back until the explorer is asked a second time.
    const node = await startNode({
      eth_getBlockByNumber: async (...params: never[]) => {
        if (explorer.visits.length > 0) await asked.promise;
        return eth_getBlockByNumber?.(...params);
      },
    });
    const gatherer = openGatherer([node.url], { blockscoutUrl: explorer.url });
    await gatherer.gather(hash);
    const found = await gatherer.gather(hashOf(2));
    expect(found.trace.source).toBe("internal_transfers");
    expect(found.block.timestamp).toBeDefined();
  });

  it("is not there: then the case says so, and may be kept", async () => {
    const node = await startNode();
    const gatherer = openGatherer([node.url]);
    const reason = "no endpoint offers a trace and no explorer is configured";
    expect((await gatherer.gather(hash)).trace).toEqual({ source: "none", reason });
    await gatherer.gather(hash);
    expect(node.batches).toHaveLength(2);
  });
});
