import { describe, expect, it } from "vitest";
import { fetchTransaction } from "../../../src/gather/fetch/fetch.ts";
import { alice, bob, callTrace, flatTrace, tokenAddress } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { byMethod, ok, refused, type Script, scriptedPool } from "../../support/scripted-pool.ts";

const hash = hashOf(1);
const blockHash = hashOf(500);
const place = { blockNumber: "0x064", blockHash };
const transaction = { hash, from: alice, to: bob, value: "0x0", input: "0x", blockTimestamp: "0x5", ...place };
const receipt = { transactionHash: hash, status: "0x1", logs: [], ...place };

const node = (own: object | null = transaction, its: object | null = receipt, more: object = {}): Script =>
  byMethod({ eth_getTransactionByHash: own, eth_getTransactionReceipt: its, ...more });

async function fetchFrom(...scripts: Script[]) {
  const { pool, asked } = scriptedPool(...scripts);
  const signal = new AbortController().signal;
  const told = await fetchTransaction(hash, { chainId: 8453, pool, signal }).catch((error: Error) => error);
  return { told: told as Awaited<ReturnType<typeof fetchTransaction>> & Error, asked, pool };
}

describe("the first trip", () => {
  it("gives the draft of a case", async () => {
    const { told, asked, pool } = await fetchFrom(node());
    expect(told.endpoint).toBe(pool.endpoints[0]);
    expect(told.asked).toEqual(["debug_traceTransaction"]);
    const { blockTimestamp: _, blockNumber: __, blockHash: ___, ...kept } = transaction;
    expect(told.draft).toEqual({
      ...{ version: 2, chain_id: 8453, tx_hash: hash, gathered_at: "", transaction: kept },
      ...{ receipt: { status: "0x1", logs: [] }, block: { number: "0x64", hash: blockHash, timestamp: "0x5" } },
      trace: { source: "none", reason: "the trace sources did not answer" },
      ...{ tokens: {}, reads: [], price: { status: "unavailable", source: "not asked yet", eth_usd: null } },
    });
    const options = { tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "700ms" };
    expect(asked).toEqual([
      {
        node: 0,
        calls: [
          { method: "eth_getTransactionByHash", params: [hash] },
          { method: "eth_getTransactionReceipt", params: [hash] },
          { method: "debug_traceTransaction", params: [hash, options] },
        ],
      },
    ]);
  });

  it.each<[string, object, object, object]>([
    [
      "of the receipt",
      { ...transaction, blockNumber: undefined, blockHash: undefined },
      receipt,
      { number: "0x64", hash: blockHash, timestamp: "0x5" },
    ],
    [
      "of the transaction",
      transaction,
      { ...receipt, blockNumber: undefined, blockHash: undefined },
      { number: "0x64", hash: blockHash, timestamp: "0x5" },
    ],
    [
      "without a hash",
      { ...transaction, blockHash: null },
      { ...receipt, blockHash: null },
      { number: "0x64", timestamp: "0x5" },
    ],
    ["without a time", { ...transaction, blockTimestamp: undefined }, receipt, { number: "0x64", hash: blockHash }],
    [
      "with the time of its first log",
      { ...transaction, blockTimestamp: undefined },
      {
        ...receipt,
        logs: [7, 7].map((time) => ({ address: tokenAddress, topics: [], data: "0x", blockTimestamp: `0x${time}` })),
      },
      { number: "0x64", hash: blockHash, timestamp: "0x7" },
    ],
  ])("takes the place %s", async (_name, own, its, block) => {
    expect((await fetchFrom(node(own, its))).told.draft.block).toEqual(block);
  });

  it.each<[string, Script[], string]>([
    ["unknown", [node(null, null)], "transaction_not_found"],
    ["unknown to both", [node(null, null), node(null, null)], "transaction_not_found"],
    ["unknown to one, and the other fails", [node(null, null), () => "timeout"], "transaction_not_found"],
    ["in no block", [node(transaction, null)], "transaction_pending"],
    [
      "in no block, by its fields",
      [node({ ...transaction, blockNumber: null }, { ...receipt, blockNumber: null })],
      "transaction_pending",
    ],
    ["in no block for one, unknown to the other", [node(null, null), node(transaction, null)], "transaction_pending"],
    ["of another hash", [node({ ...transaction, hash: hashOf(2) })], "upstream_unavailable"],
    ["with another receipt", [node(transaction, { ...receipt, transactionHash: hashOf(2) })], "upstream_unavailable"],
    ["with the receipt of another receiver", [node(transaction, { ...receipt, to: alice })], "upstream_unavailable"],
    ["with the receipt of a creation", [node(transaction, { ...receipt, to: null })], "upstream_unavailable"],
    ["with the receipt of another sender", [node(transaction, { ...receipt, from: bob })], "upstream_unavailable"],
    ["with a receipt of another block", [node({ ...transaction, blockNumber: "0x1" })], "upstream_unavailable"],
    [
      "with a receipt of another block of this number",
      [node({ ...transaction, blockHash: hashOf(9) })],
      "upstream_unavailable",
    ],
    ["with a receipt and no transaction", [node(null)], "upstream_unavailable"],
    ["refused", [(calls) => calls.map(() => refused("no"))], "upstream_unavailable"],
    [
      "half refused",
      [(calls) => calls.map(({ method }) => (method.endsWith("Receipt") ? refused("no") : ok(transaction)))],
      "upstream_unavailable",
    ],
    ["not answered", [() => "unusable", () => "refused"], "upstream_unavailable"],
    ["nowhere to ask", [], "upstream_unavailable"],
  ])("says what a transaction is that nobody has: %s", async (_name, scripts, code) => {
    const seconds = { transaction_pending: 1, upstream_unavailable: 5 }[code];
    expect((await fetchFrom(...scripts)).told).toMatchObject({ code, retryAfterSeconds: seconds });
  });

  it("goes on to whoever has it, also from a node that gives a receipt of another transaction", async () => {
    const mixed = await fetchFrom(node(transaction, { ...receipt, to: alice }), node());
    expect(mixed.told.endpoint.health.name).toBe("node1.example");
    const { told, asked } = await fetchFrom(() => "unusable", node(null, null), node(transaction, null), node());
    expect(told.endpoint.health.name).toBe("node3.example");
    expect(asked.map((one) => one.node)).toEqual([0, 1, 2, 3]);
  });

  it("does not wait for whoever rests once somebody said that he does not know it", async () => {
    const { pool, asked } = scriptedPool(node(null, null), node());
    pool.endpoints[1]?.health.rest("busy", 1_000);
    const signal = new AbortController().signal;
    await expect(fetchTransaction(hash, { chainId: 8453, pool, signal })).rejects.toMatchObject({
      code: "transaction_not_found",
    });
    expect(asked.map((one) => one.node)).toEqual([0]);
  });

  it("tells what is wrong with whom where nobody answers", async () => {
    const { pool } = scriptedPool(
      () => "unusable",
      () => "unusable",
    );
    pool.endpoints[1]?.health.fail({ restMs: 1, reason: "timeout" });
    const signal = new AbortController().signal;
    await expect(fetchTransaction(hash, { chainId: 8453, pool, signal })).rejects.toThrow(
      /^No chain source answered: node1\.example: timeout\.$/,
    );
  });
});

describe("the call tree of the first trip", () => {
  const called = { ...transaction, to: callTrace.to, input: callTrace.input };

  it("is taken where it comes, and asked for in the other form where the first is missing", async () => {
    const traced = await fetchFrom(node(called, receipt, { debug_traceTransaction: callTrace }));
    expect(traced.told.draft.trace).toMatchObject({ source: "debug_traceTransaction" });
    const { pool, asked } = scriptedPool(node(called, receipt, { trace_transaction: flatTrace }));
    const signal = new AbortController().signal;
    const fetch = () => fetchTransaction(hash, { chainId: 8453, pool, signal });
    expect((await fetch()).draft.trace.source).toBe("none");
    const second = await fetch();
    expect(second.draft.trace.source).toBe("trace_transaction");
    expect(second.asked).toEqual(["debug_traceTransaction", "trace_transaction"]);
    pool.endpoints[0]?.health.rest("missing", 1_000, "trace_transaction");
    expect((await fetch()).asked).toEqual(["debug_traceTransaction"]);
    pool.endpoints[0]?.health.rest("slow", 1_000, "traces");
    expect((await fetch()).asked).toEqual([]);
    expect(asked.at(-1)?.calls).toHaveLength(2);
  });

  it("is left out where asking for it took too long, and the endpoint is asked once more", async () => {
    const { pool, asked } = scriptedPool((calls) => (calls.length > 2 ? "timeout" : node()(calls)));
    const signal = new AbortController().signal;
    const found = await fetchTransaction(hash, { chainId: 8453, pool, signal });
    expect([found.asked, asked.map(({ calls }) => calls.length)]).toEqual([[], [3, 2]]);
  });
});
