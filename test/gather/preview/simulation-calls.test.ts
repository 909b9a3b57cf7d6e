import { describe, expect, it } from "vitest";
import { simulateCall, traceCall } from "../../../src/gather/preview/runs/simulation-calls.ts";
import { fillIn } from "../../../src/gather/preview/unsigned-transaction.ts";
import { alice, bob } from "../../support/case-of.ts";
import { chainState, hash, sending, word } from "./unsigned-case.ts";

describe("the calls of a simulation", () => {
  const block = { ...chainState, time: 1n, baseFee: 8n, miner: "0x0c" } as const;
  const transaction = fillIn(sending, block);
  const basis = { transaction, chainState: block, nextTime: 3n };
  const real = {
    ...{ from: alice, to: bob, value: "0x1a", input: "0x12", gas: "0x989680", nonce: "0x5" },
    ...{ maxFeePerGas: "0xf4249", maxPriorityFeePerGas: "0xf4240" },
  };
  const next = {
    ...{
      number: "0x64",
      time: "0x3",
      feeRecipient: "0x0c",
      prevRandao: hash,
      baseFeePerGas: "0x8",
      gasLimit: "0x3938700",
    },
  };
  const bare = { from: alice, to: bob, value: "0x1a", input: "0x12", gas: "0x2faf080" };
  const none = { feeRecipient: `0x${"0".repeat(40)}`, prevRandao: word(0n), baseFeePerGas: "0x0" };
  const rich = { [alice]: { balance: `0x${(10n ** 24n + 10n ** 18n).toString(16)}` } };

  it("are with price and block as real ones have them, or without", () => {
    expect(traceCall(basis, "real", 700)).toEqual({
      method: "debug_traceCall",
      params: [
        real,
        "0x63",
        { tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "700ms", blockOverrides: next },
      ],
    });
    expect(traceCall(basis, "bare", 1).params).toEqual([
      bare,
      "0x63",
      {
        ...{ tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "1ms" },
        ...{ blockOverrides: none, stateOverrides: rich },
      },
    ]);
    expect(simulateCall(basis, "real")).toEqual({
      method: "eth_simulateV1",
      params: [
        { blockStateCalls: [{ calls: [real], blockOverrides: next }], traceTransfers: true, validation: true },
        "0x63",
      ],
    });
    expect(simulateCall(basis, "bare").params).toEqual([
      {
        blockStateCalls: [{ calls: [bare], blockOverrides: none, stateOverrides: rich }],
        ...{ traceTransfers: true, validation: false },
      },
      "0x63",
    ]);
  });

  it("never ask for more gas than a block has, and have no receiver if a contract is created", () => {
    const small = { ...block, gasLimit: 7n };
    const made = fillIn({ ...sending, to: null }, small);
    expect(simulateCall({ ...basis, transaction: made, chainState: small }, "bare").params[0]).toMatchObject({
      blockStateCalls: [{ calls: [{ from: alice, value: "0x1a", input: "0x12", gas: "0x7" }] }],
    });
    expect(JSON.stringify(simulateCall({ ...basis, transaction: made, chainState: small }, "real"))).not.toContain(
      '"to"',
    );
  });

  it("set the code of accounts that would delegate, and their balance", () => {
    const one = { chainId: null, delegate: bob, nonce: null, signature: null };
    const delegating = fillIn({ ...sending, authorizations: [one] }, block);
    const code = `0xef0100${bob.slice(2)}`;
    const state = (manner: "real" | "bare") => {
      const [options] = simulateCall({ ...basis, transaction: delegating }, manner).params as [
        { blockStateCalls: [{ stateOverrides: object }] },
      ];
      return options.blockStateCalls[0].stateOverrides;
    };
    expect(state("real")).toEqual({ [alice]: { code } });
    expect(state("bare")).toEqual({ [alice]: { code, ...rich[alice] } });
  });
});
