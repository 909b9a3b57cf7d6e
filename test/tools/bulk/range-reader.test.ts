import { describe, expect, it } from "vitest";
import type { RpcCall } from "../../../src/gather/network/rpc/endpoint.ts";
import { readBlockRange } from "../../../src/tools/bulk/blocks/range-reader.ts";
import { hashOf } from "../../support/sample.ts";
import { scriptedPool } from "../../support/scripted-pool.ts";
import { answersOf, blockOf, type GivenBlock, multicall } from "./given-block.ts";

const signal = new AbortController().signal;

describe("a range of blocks", () => {
  const numberOf = (calls: readonly RpcCall[]) => Number(calls[0]?.params[0]);
  const read = async (first: number, last: number, spoil: (given: GivenBlock, number: number) => void = () => {}) => {
    const { pool, asked } = scriptedPool((calls) => {
      const given = blockOf(numberOf(calls));
      spoil(given, numberOf(calls));
      return answersOf(given)(calls);
    });
    const range = { first, last, traces: false, state: false } as never;
    const blocks = readBlockRange({ pool, multicall, price: null }, {} as never, range, signal);
    return { blocks, asked };
  };

  it("is read in order, four ahead", async () => {
    const { blocks, asked } = await read(100, 106);
    expect((await blocks.next()).value).toMatchObject({
      number: 100,
      cases: [{ tx_hash: hashOf(1_000) }, { tx_hash: hashOf(1_001) }],
    });
    expect(asked.map(({ calls }) => numberOf(calls))).toEqual([100, 101, 102, 103]);
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
