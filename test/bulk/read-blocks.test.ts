import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { completeCases, draftCases } from "../../src/bulk/blocks/block-cases.ts";
import { BlockRangeReader } from "../../src/bulk/blocks/range-reader.ts";
import { readWholeBlock, type WholeBlock } from "../../src/bulk/blocks/read-block.ts";
import { cutRanges } from "../../src/bulk/queue/ranges.ts";
import { hashKey, mayHold } from "../../src/bulk/replan/holdings.ts";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import type { Endpoint, EndpointFault, RpcAnswer, RpcCall } from "../../src/network/rpc/endpoint.ts";
import { createEndpointPool } from "../../src/network/rpc/endpoint-pool.ts";
import { encodeReads } from "../../src/network/rpc/multicall.ts";
import { alice, bob, tokenAddress } from "../support/rpc-server-chain.ts";
import { hashOf } from "../support/sample.ts";

const signal = new AbortController().signal;
const blockHash = (number: number) => hashOf(1_000 + number);

/** What a node has of a block: two transactions with three logs. */
function blockOf(number = 100) {
  const place = { blockHash: blockHash(number), blockNumber: `0x${number.toString(16)}` };
  const transaction = (i: number) => ({
    ...{ hash: hashOf(number * 10 + i), from: alice, to: bob, value: "0x0", input: "0x", nonce: "0x0" },
    ...{ type: "0x2", gas: "0x5208", gasPrice: "0x1", transactionIndex: `0x${i}`, chainId: "0x2105", ...place },
  });
  const log = (logIndex: string) => ({ address: tokenAddress, topics: [], data: "0x", logIndex, ...place });
  const receipt = (i: number, logs: object[]) => ({
    ...{ transactionHash: hashOf(number * 10 + i), transactionIndex: `0x${i}`, from: alice, to: bob, logs },
    ...{
      status: "0x1",
      gasUsed: "0x5",
      cumulativeGasUsed: i === 0 ? "0x5" : "0xa",
      effectiveGasPrice: "0x1",
      ...place,
    },
  });
  return {
    block: {
      ...{ number: place.blockNumber, hash: blockHash(number), parentHash: blockHash(number - 1) },
      ...{ timestamp: "0x6553f100", gasUsed: "0xa", transactions: [transaction(0), transaction(1)] },
    } as Record<string, unknown>,
    receipts: [receipt(0, [log("0x0"), log("0x1")]), receipt(1, [log("0x2")])] as Record<string, unknown>[],
    traces: [0, 1].map((i) => ({
      ...{ txHash: hashOf(number * 10 + i), result: { type: "CALL", from: alice, to: bob, value: "0x0", input: "0x" } },
    })) as Record<string, unknown>[],
  };
}
type Given = ReturnType<typeof blockOf>;

const ok = (result: unknown): RpcAnswer => ({ ok: true, result });

/** A pool whose endpoints answer so. Notes what they were asked. */
function poolOf(...answers: ((calls: readonly RpcCall[]) => RpcAnswer[] | EndpointFault)[]) {
  const asked: (readonly RpcCall[])[] = [];
  const pool = createEndpointPool(
    answers.map((_, i) => `http://node${i}.example`),
    { chainId: 8453, callTimeoutMs: 1_000, clock: { now: () => 1 } },
  );
  for (const [i, endpoint] of pool.endpoints.entries())
    (endpoint as { ask: Endpoint["ask"] }).ask = async (calls) => {
      asked.push(calls);
      return answers[i]?.(calls) ?? "unusable";
    };
  return { pool, asked };
}

const answersOf = (given: Given) => (calls: readonly RpcCall[]) =>
  [ok(given.block), ok(given.receipts), ok(given.traces)].slice(0, calls.length);

async function readOf(given: Given, traces = true): Promise<WholeBlock | string> {
  const { pool } = poolOf(answersOf(given));
  return readWholeBlock(100, { pool, traces, signal }).catch((error: Error) => error.message);
}

describe("a whole block", () => {
  it("is asked for in one batch, with or without call trees", async () => {
    const given = blockOf();
    const { pool, asked } = poolOf(answersOf(given));
    const read = await readWholeBlock(100, { pool, traces: true, signal });
    expect(read).toEqual({
      ...{ number: 100, hash: blockHash(100), parentHash: blockHash(99), block: given.block },
      ...{ transactions: given.block.transactions, receipts: given.receipts, endpoint: pool.endpoints[0] },
      traces: given.traces.map(({ result }) => result),
    });
    expect(asked).toEqual([
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
    expect(asked[1]).toHaveLength(2);
  });

  const change = (part: (given: Given) => void) => {
    const given = blockOf();
    part(given);
    return given;
  };
  const first = <T>(list: T[]) => list[0] as T;
  it.each<[string, (given: Given) => void, string]>([
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

  it.each<[string, (given: Given) => void]>([
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
    const { pool } = poolOf(() => "timeout", refused, answersOf(blockOf()));
    expect((await readWholeBlock(100, { pool, traces: true, signal })).endpoint.health.name).toBe("node2.example");
    const failing = poolOf(() => "timeout", refused).pool;
    await expect(readWholeBlock(100, { pool: failing, traces: true, signal })).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: "Block 100 cannot be read: node0.example: timeout; node1.example: eth_getBlockReceipts: no receipts.",
    });
    await expect(readWholeBlock(100, { pool: poolOf().pool, traces: true, signal })).rejects.toThrow(
      "no endpoint answered.",
    );
  });
});

const multicall = toAddress(`0x${"ca".repeat(20)}`);
const outputs = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }];
const returned = (results: readonly (Hex | null)[]): Hex =>
  encodeAbiParameters(outputs, [results.map((data) => [data !== null, data ?? "0x"])]);

describe("the state at a block", () => {
  const readOf = (n: number) => ({ to: tokenAddress, data: `0x${n.toString(16).padStart(8, "0")}` as Hex });

  /** Each case asks for these reads. */
  async function complete(
    reads: number[][],
    answer: (calls: readonly RpcCall[]) => RpcAnswer[] | EndpointFault,
    price: unknown = null,
  ) {
    const whole = (await readOf2()) as WholeBlock;
    const asked: (readonly RpcCall[])[] = [];
    (whole.endpoint as { ask: Endpoint["ask"] }).ask = async (calls) => {
      asked.push(calls);
      return answer(calls);
    };
    let next = 0;
    const engine = { planLookups: () => ({ tokens: [], reads: (reads[next++] ?? []).map(readOf) }) as never };
    const cases = await completeCases(draftCases(whole), whole, { engine, multicall, price: price as never }, signal);
    return { cases, asked };
  }
  const readOf2 = async () => {
    const { pool } = poolOf(answersOf(blockOf()));
    return readWholeBlock(100, { pool, traces: false, signal });
  };

  it("is read once for all transactions, at the block itself", async () => {
    const results = ["0x01", null, "0x03"] as const;
    const { cases, asked } = await complete(
      [
        [1, 2],
        [2, 3],
      ],
      () => [ok(returned(results))],
    );
    expect(asked).toEqual([
      [{ method: "eth_call", params: [{ to: multicall, data: encodeReads([1, 2, 3].map(readOf)) }, "0x64"] }],
    ]);
    const source = "multicall3@100";
    expect(cases.map(({ reads }) => reads.map(({ status, result }) => [status, result]))).toEqual([
      [
        ["found", "0x01"],
        ["absent", null],
      ],
      [
        ["absent", null],
        ["found", "0x03"],
      ],
    ]);
    expect(cases[0]?.reads[0]?.source).toBe(source);
    expect(cases[0]?.price).toEqual({ status: "absent", source: "no price feed is configured", eth_usd: null });
  });

  it("is not asked for where nothing is to be read", async () => {
    const { asked, cases } = await complete([[], []], () => "timeout");
    expect([asked, cases.length]).toEqual([[], 2]);
  });

  it("is read in pieces of four hundred", async () => {
    const many = Array.from({ length: 250 }, (_, i) => i);
    const more = Array.from({ length: 151 }, (_, i) => 1_000 + i);
    const answers = [ok(returned(Array(400).fill("0x07"))), ok(returned(["0x08"]))];
    const { asked, cases } = await complete([many, more], () => answers);
    expect(asked.map((calls) => calls.length)).toEqual([2]);
    expect([cases[1]?.reads.at(-2)?.result, cases[1]?.reads.at(-1)?.result]).toEqual(["0x07", "0x08"]);
  });

  it.each<[string, RpcAnswer[] | EndpointFault, string]>([
    ["nobody answers", "timeout", "timeout"],
    ["it is gone", [{ ok: false, code: -32000, message: "missing trie node" }], "missing trie node"],
    ["something else answers", [ok("0x1234")], "not an answer of Multicall3"],
    ["too little answers", [ok(returned([]))], "not an answer of Multicall3"],
  ])("is no state where %s", async (_name, answer, why) => {
    await expect(complete([[1]], () => answer)).rejects.toThrow(
      `The state at block 100 cannot be read: node0.example: ${why}.`,
    );
  });

  it("gives the feed what it says at the block, and nothing newer", async () => {
    const settled: object[] = [];
    const calls = [1, 2, 3].map((n) => ({ ...readOf(n), at: "latest" }));
    const price = {
      calls: () => calls,
      settle: async (given: { read: () => Promise<unknown> }) => {
        settled.push({ ...given, read: await given.read() });
        return { status: "found" };
      },
    };
    const answers = [ok("0x01"), ok("0x02"), ok("0x03")];
    const { asked, cases } = await complete([], () => answers, price);
    expect(asked[0]?.map(({ params }) => params[1])).toEqual(["0x64", "0x64", "0x64"]);
    expect(settled).toEqual([
      { answers: ["0x01", "reverted", "0x03"], blockTime: 1_700_000_000, signal, read: undefined },
    ]);
    expect(cases[1]?.price).toEqual({ status: "found" });
    const reverted: RpcAnswer = { ok: false, code: 3, message: "" };
    await complete([], () => [reverted, ok("0x02"), ok("0x")], price);
    expect(settled[1]).toMatchObject({ answers: ["reverted", "reverted", "reverted"] });
    const gone: RpcAnswer = { ok: false, code: -32000, message: "pruned" };
    await expect(complete([], () => [ok("0x01"), gone, ok("0x03")], price)).rejects.toThrow("pruned");
  });
});

describe("a range of blocks", () => {
  const numberOf = (calls: readonly RpcCall[]) => Number(calls[0]?.params[0]);
  const read = async (first: number, last: number, spoil: (given: Given, number: number) => void = () => {}) => {
    const { pool, asked } = poolOf((calls) => {
      const given = blockOf(numberOf(calls));
      spoil(given, numberOf(calls));
      return answersOf(given)(calls);
    });
    const reader = new BlockRangeReader({ pool, multicall, price: null }, {} as never);
    const range = { first, last, traces: false, state: false } as never;
    return { blocks: reader.read(range, signal), asked };
  };

  it("is read in order, four ahead", async () => {
    const { blocks, asked } = await read(100, 106);
    expect((await blocks.next()).value).toMatchObject({
      number: 100,
      cases: [{ tx_hash: hashOf(1_000) }, { tx_hash: hashOf(1_001) }],
    });
    expect(asked.map(numberOf)).toEqual([100, 101, 102, 103]);
    const rest: number[] = [];
    for await (const { number } of blocks) rest.push(number);
    expect(rest).toEqual([101, 102, 103, 104, 105, 106]);
    expect(asked).toHaveLength(7);
    const one = await read(5, 5);
    expect((await one.blocks.next()).value).toMatchObject({ number: 5 });
    expect((await one.blocks.next()).done).toBe(true);
  });

  it("is broken off where a block does not follow the one before it", async () => {
    const { blocks } = await read(100, 102, ({ block }, number) => {
      if (number === 101) block.parentHash = hashOf(1);
    });
    expect((await blocks.next()).value).toMatchObject({ number: 100 });
    await expect(blocks.next()).rejects.toThrow("Block 101 does not follow the block before it.");
  });
});

describe("ranges", () => {
  it.each<[number, number, [number, number][], [number, number][]]>([
    [0, 9, [], [[0, 9]]],
    [
      0,
      10,
      [],
      [
        [0, 9],
        [10, 10],
      ],
    ],
    [
      9,
      20,
      [],
      [
        [9, 9],
        [10, 19],
        [20, 20],
      ],
    ],
    [
      0,
      29,
      [[10, 19]],
      [
        [0, 9],
        [20, 29],
      ],
    ],
    [0, 9, [[0, 9]], []],
    [
      5,
      9,
      [
        [0, 4],
        [10, 20],
      ],
      [[5, 9]],
    ],
    [
      5,
      9,
      [
        [0, 5],
        [9, 20],
      ],
      [[6, 8]],
    ],
    [
      0,
      9,
      [
        [6, 7],
        [2, 3],
      ],
      [
        [0, 1],
        [4, 5],
        [8, 9],
      ],
    ],
    [
      0,
      9,
      [
        [2, 8],
        [3, 4],
      ],
      [
        [0, 1],
        [9, 9],
      ],
    ],
  ])("%d to %d without %j", (first, last, covered, expected) => {
    const rangeOf = ([from, to]: [number, number]) => ({ first: from, last: to });
    expect(cutRanges({ first, last }, covered.map(rangeOf), 10)).toEqual(expected.map(rangeOf));
  });
});

describe("what a part may hold", () => {
  it("is anything where nothing is told, and nothing where no bit is set", () => {
    expect(mayHold(new Uint8Array(), [1])).toBe(true);
    expect(mayHold(new Uint8Array(8), [hashKey("at 0x1")])).toBe(false);
    expect(mayHold(new Uint8Array(8).fill(255), [hashKey("at 0x1")])).toBe(true);
    expect(mayHold(new Uint8Array(8).fill(255), [])).toBe(false);
  });

  it("is found by keys whose hashes stay the same, because parts on disk hold them", () => {
    expect(["", "a", "at 0x1", "topic 0x"].map(hashKey)).toEqual([
      4_542_855_620_585_898, 8_023_944_449_296_882, 8_721_276_972_421_251, 2_499_294_260_100_944,
    ]);
    expect(new Set(["", "a", "b", "ab", "ba"].map(hashKey)).size).toBe(5);
    for (const key of ["", "a", "at 0x1"]) expect(Number.isSafeInteger(hashKey(key))).toBe(true);
  });
});
