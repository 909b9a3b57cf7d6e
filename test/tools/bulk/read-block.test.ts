import { describe, expect, it } from "vitest";
import type { RpcAnswer } from "../../../src/gather/network/rpc/endpoint.ts";
import { readWholeBlock, type WholeBlock } from "../../../src/tools/bulk/blocks/read-block.ts";
import { bob } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { ok, scriptedPool } from "../../support/scripted-pool.ts";
import { answersOf, blockHash, blockOf, type GivenBlock } from "./given-block.ts";

const signal = new AbortController().signal;

async function readOf(given: GivenBlock, traces = true): Promise<WholeBlock | string> {
  const { pool } = scriptedPool(answersOf(given));
  return readWholeBlock(100, { pool, traces, signal }).catch((error: Error) => error.message);
}

describe("a whole block", () => {
  it("is asked for in one batch, with or without call trees", async () => {
    const given = blockOf();
    const { pool, asked } = scriptedPool(answersOf(given));
    const read = await readWholeBlock(100, { pool, traces: true, signal });
    expect(read).toEqual({
      ...{ number: 100, hash: blockHash(100), parentHash: blockHash(99), block: given.block },
      ...{ transactions: given.block.transactions, receipts: given.receipts, endpoint: pool.endpoints[0] },
      traces: given.traces.map(({ result }) => result),
    });
    expect(asked.map(({ calls }) => calls)).toEqual([
      [
        { method: "eth_getBlockByNumber", params: ["0x64", true] },
        { method: "eth_getBlockReceipts", params: ["0x64"] },
        {
          method: "debug_traceBlockByNumber",
          params: ["0x64", { tracer: "callTracer", tracerConfig: { withLog: true } }],
        },
      ],
    ]);
    expect((await readWholeBlock(100, { pool, traces: false, signal })).traces).toBeNull();
    expect(asked[1]?.calls).toHaveLength(2);
  });

  const change = (part: (given: GivenBlock) => void) => {
    const given = blockOf();
    part(given);
    return given;
  };
  const first = <T>(list: T[]) => list[0] as T;
  it.each<[string, (given: GivenBlock) => void, string]>([
    ["no block", (given) => Object.assign(given, { block: null }), "there is no such block"],
    ["no hash", ({ block }) => delete block.hash, "there is no such block"],
    ["no parent", ({ block }) => delete block.parentHash, "there is no such block"],
    ["another number", ({ block }) => Object.assign(block, { number: "0x65" }), "another block than the one asked for"],
    ["no transactions", ({ block }) => delete block.transactions, "transactions or receipts are missing"],
    [
      "hashes alone",
      ({ block }) => Object.assign(block, { transactions: [hashOf(1)] }),
      "transactions or receipts are missing",
    ],
    ["no receipts", (given) => Object.assign(given, { receipts: null }), "transactions or receipts are missing"],
    ["a receipt less", ({ receipts }) => receipts.pop(), "1 receipts for 2 transactions"],
    [
      "receipts in another order",
      ({ receipts }) => receipts.reverse(),
      "receipt 0 is not of its transaction in this block",
    ],
    [
      "a receipt of another transaction",
      ({ receipts }) => Object.assign(receipts[1] as object, { transactionHash: hashOf(9) }),
      "receipt 1 is not of its transaction in this block",
    ],
    [
      "a receipt of another block",
      ({ receipts }) => Object.assign(receipts[1] as object, { blockHash: hashOf(9) }),
      "receipt 1 is not of its transaction in this block",
    ],
    [
      "a transaction of another block",
      ({ block }) => Object.assign(first(block.transactions as object[]), { blockHash: hashOf(9) }),
      "receipt 0 is not of its transaction in this block",
    ],
    [
      "a receipt of another sender",
      ({ receipts }) => Object.assign(receipts[1] as object, { from: bob }),
      "receipt 1 is not of its transaction in this block",
    ],
    [
      "a receipt of another receiver",
      ({ receipts }) => Object.assign(first(receipts), { to: null }),
      "receipt 0 is not of its transaction in this block",
    ],
    ["a log less", ({ receipts }) => (first(receipts).logs as object[]).shift(), "log 0 is missing"],
    ["a log in the middle less", ({ receipts }) => (first(receipts).logs as object[]).pop(), "log 1 is missing"],
    [
      "another amount of gas",
      ({ block }) => Object.assign(block, { gasUsed: "0xb" }),
      "receipts for another amount of gas",
    ],
    ["a call tree less", ({ traces }) => traces.pop(), "1 call trees for 2 transactions"],
    ["no call trees", (given) => Object.assign(given, { traces: null }), "0 call trees for 2 transactions"],
    ["call trees in another order", ({ traces }) => traces.reverse(), "call tree 0 is not of its transaction"],
    [
      "an empty call tree",
      ({ traces }) => Object.assign(traces[1] as object, { result: null }),
      "call tree 1 is not of its transaction",
    ],
  ])("is not believed with %s", async (_name, part, why) => {
    expect(await readOf(change(part))).toBe(`Block 100 cannot be read: node0.example: ${why}.`);
  });

  it.each<[string, (given: GivenBlock) => void]>([
    [
      "an empty block",
      (given) => Object.assign(given, { block: { ...given.block, transactions: [] }, receipts: [], traces: [] }),
    ],
    ["no sum of gas", ({ receipts }) => delete receipts[1]?.cumulativeGasUsed],
    ["call trees without hashes", ({ traces }) => traces.map((trace) => delete trace.txHash)],
    ["no logs", ({ receipts }) => receipts.map((receipt) => Object.assign(receipt, { logs: [] }))],
  ])("is believed with %s", async (_name, part) => {
    expect(await readOf(change(part))).toMatchObject({ number: 100 });
  });

  it("comes from the next endpoint; what was wrong is told of each", async () => {
    const refused = (): RpcAnswer[] => [ok(blockOf().block), { ok: false, code: 1, message: "no receipts" }, ok([])];
    const { pool } = scriptedPool(() => "timeout", refused, answersOf(blockOf()));
    expect((await readWholeBlock(100, { pool, traces: true, signal })).endpoint.health.name).toBe("node2.example");
    const failing = scriptedPool(() => "timeout", refused).pool;
    await expect(readWholeBlock(100, { pool: failing, traces: true, signal })).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: "Block 100 cannot be read: node0.example: timeout; node1.example: eth_getBlockReceipts: no receipts.",
    });
    await expect(readWholeBlock(100, { pool: scriptedPool().pool, traces: true, signal })).rejects.toThrow(
      "no endpoint answered.",
    );
  });
});
