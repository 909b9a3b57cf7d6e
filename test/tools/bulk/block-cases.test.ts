import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import type { Endpoint, EndpointFault, RpcAnswer, RpcCall } from "../../../src/gather/network/rpc/endpoint.ts";
import { encodeReads } from "../../../src/gather/network/rpc/multicall.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { completeCases, draftCases } from "../../../src/tools/bulk/blocks/block-cases.ts";
import { readWholeBlock, type WholeBlock } from "../../../src/tools/bulk/blocks/read-block.ts";
import { tokenAddress } from "../../support/rpc-server-chain.ts";
import { ok, scriptedPool } from "../../support/scripted-pool.ts";
import { answersOf, blockOf, multicall } from "./given-block.ts";

const signal = new AbortController().signal;

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
    const whole = (await readWhole()) as WholeBlock;
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
  const readWhole = async () => {
    const { pool } = scriptedPool(answersOf(blockOf()));
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
