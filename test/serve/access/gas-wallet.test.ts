import type { Hex } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UnsentError } from "../../../src/serve/access/facilitator/facilitator.ts";
import { callOf, openWallet as open, patient, refusal } from "../../support/gas-node.ts";

describe("a call that is sent", () => {
  it("has a fifth more gas than estimated, the fees of the chain, and the next free nonce", async () => {
    const { node, wallet } = open(patient);
    const first = await wallet.send(callOf(1));
    const second = await wallet.send(callOf(2));
    expect(first).not.toBe(second);
    const fees = { gas: 120_000n, maxFee: 130n, priority: 10n, type: "eip1559", to: callOf(1).to };
    expect(node.sent).toEqual([
      { ...fees, nonce: 7, data: "0x01" },
      { ...fees, nonce: 8, data: "0x02" },
    ]);
  });

  it("is the same as before when it is on its way already", async () => {
    const { node, wallet } = open(patient);
    const first = await wallet.send(callOf(1));
    expect(await wallet.send(callOf(1))).toBe(first);
    expect(node.sent).toHaveLength(1);
  });

  it("has a hash even if the same call is about to be sent", async () => {
    const { node, wallet } = open(patient);
    const again: Promise<Hex>[] = [];
    node.counting = () => {
      node.counting = () => {};
      again.push(wallet.send(callOf(1)));
    };
    const hashes = [await wallet.send(callOf(1)), ...(await Promise.all(again))];
    expect(hashes).toEqual([expect.stringMatching(/^0x/), expect.stringMatching(/^0x/)]);
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7, 8]);
  });

  it("takes the next nonce if somebody else used this one", async () => {
    const { node, wallet } = open(patient);
    node.refusals = [refusal("nonce too low"), refusal("replacement transaction underpriced")];
    await wallet.send(callOf(1));
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7, 8, 9]);
  });

  it("tries eight nonces and then counts as sent, because one of them may already have its transaction", async () => {
    const { node, wallet } = open(patient);
    node.refusals = Array.from({ length: 8 }, () => refusal("nonce too low"));
    const hash = await wallet.send(callOf(1));
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
    expect(await wallet.send(callOf(1))).toBe(hash);
    expect(node.sent).toHaveLength(8);
  });

  it("takes no other nonce if its own transaction already has this one", async () => {
    const { node, wallet } = open(patient);
    Object.assign(node, { refusals: [refusal("nonce too low")], knowsAll: true });
    await wallet.send(callOf(1));
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7]);
  });

  it("is followed by the hash of its taken nonce even if there is no gas for another transaction", async () => {
    const { node, wallet } = open();
    node.refusals = [refusal("nonce too low"), refusal("insufficient funds for gas")];
    const hash = await wallet.send(callOf(1));
    node.mined.add(hash);
    expect((await wallet.receiptOf(hash, 10_000)).transactionHash).toBe(hash);
  });

  it("is not sent if it needs more than 500,000 gas: checking a payer's signature has a limit", async () => {
    const { node, wallet } = open(patient);
    node.gas = 500_001n;
    const reason = "invalid_exact_evm_transaction_simulation_failed";
    await expect(wallet.send(callOf(1))).rejects.toMatchObject({ name: "UnsentError", reason });
    expect(node.sent).toEqual([]);
    node.gas = 500_000n;
    await wallet.send(callOf(1));
    expect(node.sent.map(({ gas }) => gas)).toEqual([500_000n]);
  });

  it("is not while gas costs more than the wallet pays", async () => {
    // A fifth more than the base fee, and 10 wei of priority.
    const { node, wallet } = open({ ...patient, priceMax: 130n });
    expect([await wallet.canSend(), await wallet.isGasTooDear()]).toEqual([true, false]);
    node.baseFee = 101n;
    expect([await wallet.canSend(), await wallet.isGasTooDear()]).toEqual([false, true]);
    await expect(wallet.send(callOf(1))).rejects.toMatchObject({ name: "UnsentError", reason: null });
    expect(node.sent).toEqual([]);
    node.silent = true;
    await expect(wallet.isGasTooDear()).rejects.toThrow();
  });

  it("counts as sent if the node's answer does not say", async () => {
    const { node, wallet } = open(patient);
    node.refusals = [refusal("already known"), new Error("connection lost")];
    await wallet.send(callOf(1));
    await wallet.send(callOf(2));
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7, 8]);
  });

  it.each([
    [
      "the wallet cannot pay for its gas",
      (node: { balance: bigint }) => Object.assign(node, { balance: 120_000n * 130n - 1n }),
    ],
    ["the node says so", (node: object) => Object.assign(node, { refusals: [refusal("insufficient funds for gas")] })],
  ])("is not when %s", async (_name, spoil) => {
    const { node, wallet } = open(patient);
    spoil(node);
    await expect(wallet.send(callOf(1))).rejects.toMatchObject({ name: "UnsentError", reason: null });
    expect(node.sent.length).toBeLessThanOrEqual(1);
  });

  it.each(["eth_getBalance", "eth_getBlockByNumber", "eth_getTransactionCount"])(
    "is not without %s",
    async (method) => {
      const { node, wallet } = open(patient);
      node.lacks = method;
      await expect(wallet.send(callOf(1))).rejects.toMatchObject({ name: "UnsentError", reason: null });
      expect(node.sent).toEqual([]);
    },
  );

  it("is when the wallet has just enough", async () => {
    const { node, wallet } = open(patient);
    node.balance = 120_000n * 130n;
    await wallet.send(callOf(1));
    expect(node.sent).toHaveLength(1);
  });

  it("ends with the error of the chain if it would revert", async () => {
    const { node, wallet } = open(patient);
    node.silent = true;
    const error = await wallet.send(callOf(1)).catch((thrown: Error) => thrown);
    expect(error).not.toBeInstanceOf(UnsentError);
    expect(node.sent).toEqual([]);
  });
});

describe("a wallet", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("can send while it can pay for the most that one call may need", async () => {
    const { node, wallet } = open(patient);
    const most = 600_000n * 130n;
    node.balance = most;
    expect(await wallet.canSend()).toBe(true);
    node.balance = most - 1n;
    expect(await wallet.canSend()).toBe(false);
    node.silent = true;
    expect(await wallet.canSend()).toBe(false);
  });

  it("counts only what pending calls leave", async () => {
    const { node, wallet } = open(patient);
    await wallet.send(callOf(1));
    await wallet.send(callOf(2));
    node.balance = 2n * 120_000n * 130n + 600_000n * 130n;
    expect(await wallet.canSend()).toBe(true);
    node.balance -= 1n;
    expect(await wallet.canSend()).toBe(false);
    node.balance = 3n * 120_000n * 130n - 1n;
    await expect(wallet.send(callOf(3))).rejects.toMatchObject({ name: "UnsentError", reason: null });
    expect(node.sent).toHaveLength(2);
  });

  it("is stuck since its oldest call was sent, once that waits for longer than two rounds", async () => {
    const { wallet } = open({ pollingMs: 3_600_000, resendMs: 10_000 });
    expect(wallet.stuckSince()).toBeNull();
    await wallet.send(callOf(1));
    vi.setSystemTime(1_015_000);
    await wallet.send(callOf(2));
    vi.setSystemTime(1_020_000);
    expect(wallet.stuckSince()).toBeNull();
    vi.setSystemTime(1_020_001);
    expect(wallet.stuckSince()).toBe(1_000_000);
    vi.setSystemTime(1_060_000);
    expect(wallet.stuckSince()).toBe(1_000_000);
  });

  it("holds nothing of a call that it gave up", async () => {
    const { node, wallet } = open(patient);
    node.refusals = [refusal("insufficient funds for gas")];
    await expect(wallet.send(callOf(1))).rejects.toThrow(UnsentError);
    vi.setSystemTime(90_000_000);
    expect(wallet.stuckSince()).toBeNull();
    node.pending = 15;
    await wallet.send(callOf(2));
    expect(node.sent.at(-1)?.nonce).toBe(15);
  });
});
