import { describe, expect, it } from "vitest";
import type { ChainState } from "../../../src/gather/preview/chain-state.ts";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { delegationsOf, fillIn, serialize, signingHash } from "../../../src/gather/preview/unsigned-transaction.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { alice, bob } from "../../support/case-of.ts";
import { chainState, hash, request } from "./unsigned-case.ts";

describe("what was left open", () => {
  const filled = (asked: Partial<PreviewRequest>, at: Partial<ChainState> = {}, gasCap?: bigint) => {
    const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = fillIn(
      { ...request, ...asked },
      { ...chainState, ...at },
      gasCap,
    );
    return { nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  };
  const usual = { nonce: 5n, gas: 10_000_000n, maxFeePerGas: 10_000_000n, maxPriorityFeePerGas: 1_000_000n };

  it.each<[Partial<PreviewRequest>, Partial<ChainState>, Partial<typeof usual>, bigint?]>([
    [{}, {}, {}],
    [{ nonce: 0n, gas: 7n }, {}, { nonce: 0n, gas: 7n }],
    [{}, { gasLimit: 9_999_999n }, { gas: 9_999_999n }],
    [{}, {}, { gas: 9_999_998n }, 9_999_998n],
    [{ gas: 20_000_000n }, {}, { gas: 20_000_000n }, 9_999_998n],
    [{}, { balance: 10_000_000n * 21_000n }, { gas: 21_000n }],
    [{}, { balance: 10_000_000n * 21_000n - 1n }, {}],
    [{}, { balance: 0n }, {}],
    [{ value: 10n ** 18n - 10_000_000n * 30_000n }, {}, { gas: 30_000n }],
    [{ value: 10n ** 18n + 1n }, {}, {}],
    [{}, { baseFee: 0n }, { maxFeePerGas: 1_000_000n }],
  ])("is filled in as wallets do: %#", (asked, at, expected, gasCap) => {
    expect(filled(asked, at, gasCap)).toEqual({ ...usual, ...expected });
  });

  it("of an authorization is the sender's, whose transaction counts first", () => {
    const one = { chainId: null, delegate: bob, nonce: null, signature: null };
    const signed = { chainId: 0n, delegate: bob, nonce: 0n, signature: { yParity: 1n, r: hash, s: hash } };
    const { authorizations } = fillIn({ ...request, authorizations: [one, { ...one, nonce: 0n }, signed] }, chainState);
    expect(authorizations).toEqual([
      { chainId: "0x2105", address: bob, nonce: "0x6", authority: alice },
      { chainId: "0x2105", address: bob, nonce: "0x0", authority: alice },
      { chainId: "0x0", address: bob, nonce: "0x0", yParity: "0x1", r: hash, s: hash },
    ]);
  });

  it("sets code by the last word for this chain, and takes it off by the zero address", () => {
    const one = { chainId: null, delegate: bob, nonce: null, signature: null };
    const set = (...list: Partial<typeof one | { chainId: bigint; delegate: typeof bob }>[]) =>
      Object.fromEntries(
        delegationsOf(fillIn({ ...request, authorizations: list.map((each) => ({ ...one, ...each })) }, chainState)),
      );
    const zero = toAddress(`0x${"0".repeat(40)}`);
    expect(set({})).toEqual({ [alice]: `0xef0100${bob.slice(2)}` });
    expect(set({ chainId: 0n })).toEqual({ [alice]: `0xef0100${bob.slice(2)}` });
    expect(set({ chainId: 1n })).toEqual({});
    expect(set({}, { delegate: zero })).toEqual({ [alice]: "0x" });
  });

  it("is part of what is signed", () => {
    const transaction = fillIn(request, chainState);
    expect(serialize(transaction)).toMatch(/^0x02/);
    expect(signingHash(transaction)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(signingHash(fillIn({ ...request, nonce: 6n }, chainState))).not.toBe(signingHash(transaction));
  });
});
