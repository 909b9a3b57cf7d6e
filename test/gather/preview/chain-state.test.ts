import { describe, expect, it } from "vitest";
import { readChainState } from "../../../src/gather/preview/chain-state.ts";
import { alice, bob } from "../../support/case-of.ts";
import { hash } from "./unsigned-case.ts";

describe("the chainState", () => {
  const block = {
    ...{ number: "0x63", timestamp: "0x1", baseFeePerGas: "0x5", gasLimit: "0x6", hash },
    ...{ mixHash: `0x${"8".repeat(64)}`, miner: bob },
  };
  const read = (parts: Record<string, unknown> = {}, rest: unknown[] = ["0x2", "0x3", "0x"]) => {
    const answers = [{ ...block, ...parts }, ...rest].map((result) => ({ ok: result !== undefined, result }));
    return readChainState({ ask: async () => answers } as never, alice, new AbortController().signal);
  };
  const whole = {
    ...{ number: 99n, hash, time: 1n, baseFee: 5n, gasLimit: 6n, nonce: 2n, balance: 3n, miner: bob },
    ...{ prevRandao: `0x${"8".repeat(64)}`, isContract: false },
  };

  it.each<[Record<string, unknown>, unknown[] | undefined, object]>([
    [{}, undefined, {}],
    [{ baseFeePerGas: undefined }, undefined, { baseFee: 0n }],
    [{ miner: "0x1" }, undefined, { miner: `0x${"0".repeat(40)}` }],
    [{ mixHash: undefined }, undefined, { prevRandao: hash }],
    [{ mixHash: `0x${"0".repeat(64)}` }, undefined, { prevRandao: hash }],
    [{}, ["0x2", "0x3", "0x6000"], { isContract: true }],
    [{}, ["0x2", "0x3", `0xef0100${bob.slice(2)}`], { isContract: false }],
  ])("is read: %#", async (parts, rest, expected) => {
    expect(await read(parts, rest)).toEqual({ ...whole, ...expected });
  });

  it.each<[Record<string, unknown>, unknown[] | undefined]>([
    [{ number: undefined }, undefined],
    [{ timestamp: undefined }, undefined],
    [{ baseFeePerGas: "x" }, undefined],
    [{ gasLimit: undefined }, undefined],
    [{ hash: undefined }, undefined],
    [{}, [undefined, "0x3", "0x"]],
    [{}, ["0x2", undefined, "0x"]],
    [{}, ["0x2", "0x3", undefined]],
  ])("is none without all of it: %#", async (parts, rest) => {
    expect(await read(parts, rest)).toBeUndefined();
  });

  it("is asked for at the newest block, in one batch", async () => {
    const asked: unknown[] = [];
    const ask = async (calls: unknown[]) => {
      asked.push(...calls);
      return "timeout";
    };
    await readChainState({ ask } as never, alice, new AbortController().signal);
    expect(asked).toEqual([
      { method: "eth_getBlockByNumber", params: ["latest", false] },
      ...["eth_getTransactionCount", "eth_getBalance", "eth_getCode"].map((method) => ({
        method,
        params: [alice, "latest"],
      })),
    ]);
  });

  it("does not exist for an endpoint that does not answer", async () => {
    const endpoint = { ask: async () => "timeout" } as never;
    expect(await readChainState(endpoint, alice, new AbortController().signal)).toBeUndefined();
  });
});
