import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { describe, expect, it } from "vitest";
import { decodeReads, encodeReads } from "../../../src/gather/network/rpc/multicall.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";

const [first, second] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as [Address, Address];
const abi = multicall3Abi;

/** What Multicall3 answers; null: a read reverted. */
const answerOf = (...returns: (Hex | null)[]) =>
  encodeFunctionResult({
    ...{ abi, functionName: "aggregate3" },
    result: returns.map((data) => ({ success: data !== null, returnData: data ?? "0xdead" })),
  });

describe("reads in one call", () => {
  it("are sent in order, and each may fail alone", () => {
    const reads = [
      { to: first, data: "0x01" as Hex },
      { to: second, data: "0x" as Hex },
    ];
    expect(decodeFunctionData({ abi, data: encodeReads(reads) })).toEqual({
      functionName: "aggregate3",
      args: [
        [
          { target: first, allowFailure: true, callData: "0x01" },
          { target: second, allowFailure: true, callData: "0x" },
        ],
      ],
    });
    expect(decodeFunctionData({ abi, data: encodeReads([]) }).args).toEqual([[]]);
  });

  it.each<[string, unknown, number, (Hex | null)[] | undefined]>([
    ["as many as were sent", answerOf("0x01", "0x"), 2, ["0x01", "0x"]],
    ["with one that reverted", answerOf("0x01", null), 2, ["0x01", null]],
    ["none of none", answerOf(), 0, []],
    ["more than were sent", answerOf("0x01", "0x02"), 1, undefined],
    ["fewer than were sent", answerOf("0x01"), 2, undefined],
    ["none of some", answerOf(), 1, undefined],
    ["of a contract that is not there", "0x", 0, undefined],
    ["of another contract", `0x${"00".repeat(31)}01`, 1, undefined],
    ["that is cut off", answerOf("0x01").slice(0, -64), 1, undefined],
    ["that is no hex", "text", 1, undefined],
    ["that is nothing", null, 1, undefined],
  ])("have an answer %s", (_name, answer, count, returns) => {
    expect(decodeReads(answer, count)).toEqual(returns);
  });
});
