import { setImmediate as turn } from "node:timers/promises";
import type { Hex, TransactionReceipt } from "viem";
import { describe, expect, it, vi } from "vitest";
import { callOf, openWallet as open, patient, usableUntil } from "../../support/gas-node.ts";

describe("a call that is on its way", () => {
  it("has its receipt from whichever of its transactions got into a block", async () => {
    const { node, wallet } = open();
    const hash = await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThan(2), { interval: 1 });
    node.mineAll = true;
    expect((await wallet.receiptOf(hash, 10_000)).transactionHash).toBe(hash);
    const rest = node.sent.length;
    await turn();
    expect(node.sent).toHaveLength(rest);
  });

  it("is sent again as it was, then with three tenths more at a time, up to ten times", async () => {
    const { node, wallet } = open();
    await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThanOrEqual(14), { interval: 1 });
    node.mineAll = true;
    const raised = [130n, 130n];
    for (let i = 0; i < 10; i++) raised.push(((raised.at(-1) as bigint) * 13n) / 10n + 1n);
    raised.push(raised.at(-1) as bigint, raised.at(-1) as bigint);
    expect(node.sent.slice(0, 14).map(({ maxFee }) => maxFee)).toEqual(raised);
    expect(node.sent.slice(0, 3).map(({ priority }) => priority)).toEqual([10n, 10n, 14n]);
    expect(new Set(node.sent.map(({ nonce }) => nonce))).toEqual(new Set([7]));
  });

  it("is sent again with the same fee if a higher one would be too much", async () => {
    const { node, wallet } = open({ priceMax: 169n });
    await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThanOrEqual(5), { interval: 1 });
    node.mineAll = true;
    expect(node.sent.slice(0, 5).map(({ maxFee }) => maxFee)).toEqual([130n, 130n, 130n, 130n, 130n]);
    const { node: richer, wallet: other } = open({ priceMax: 170n });
    await other.send(callOf(1));
    await vi.waitFor(() => expect(richer.sent.length).toBeGreaterThanOrEqual(5), { interval: 1 });
    richer.mineAll = true;
    expect(richer.sent.slice(0, 5).map(({ maxFee }) => maxFee)).toEqual([130n, 130n, 170n, 170n, 170n]);
  });

  it("is looked up several times before it is sent again", async () => {
    const { node, wallet } = open({ pollingMs: 1, resendMs: 3 });
    await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThan(1), { interval: 1 });
    node.mineAll = true;
    const sends = node.asked.flatMap((method, i) => (method === "eth_sendRawTransaction" ? [i] : []));
    const between = node.asked.slice(sends[0], sends[1]).filter((method) => method === "eth_getTransactionReceipt");
    expect(between).toHaveLength(3);
  });

  it("is followed on after an outage", async () => {
    const { node, wallet } = open();
    const receipt = wallet.receiptOf(await wallet.send(callOf(1)), 10_000);
    node.silent = true;
    const before = node.asked.length;
    await vi.waitFor(() => expect(node.asked.length).toBeGreaterThan(before + 12), { interval: 1 });
    Object.assign(node, { silent: false, mineAll: true });
    expect((await receipt).status).toBe("success");
  });

  it("is not sent again if its receipt appears a moment later than its nonce", async () => {
    const { node, wallet } = open();
    const receipt = wallet.receiptOf(await wallet.send(callOf(1)), 10_000);
    node.counting = () => Object.assign(node, { pending: 8, latest: 8, mineAll: true });
    expect((await receipt).status).toBe("success");
    expect(node.sent).toHaveLength(1);
  });

  it("is waited for by the ones behind it", async () => {
    const { node, wallet } = open();
    await wallet.send(callOf(1));
    await wallet.send(callOf(2));
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThan(8), { interval: 1 });
    node.mineAll = true;
    expect(node.sent.filter(({ data }) => data === "0x")).toEqual([]);
  });

  it("gets a new nonce if somebody else used its own", async () => {
    const { node, wallet } = open();
    const receipt = wallet.receiptOf(await wallet.send(callOf(1)), 10_000);
    Object.assign(node, { pending: 9, latest: 9 });
    await vi.waitFor(() => expect(node.sent.at(-1)?.nonce).toBe(9), { interval: 1 });
    node.mineAll = true;
    expect(node.sent.at(-1)?.data).toBe("0x01");
    expect((await receipt).status).toBe("success");
  });

  it("has a margin of gas, and no more than a settlement may take", async () => {
    const { node, wallet } = open(patient);
    for (const [digit, gas] of [
      [1, 416_666n],
      [2, 416_667n],
      [3, 500_000n],
    ] as const) {
      node.gas = gas;
      await wallet.send(callOf(digit));
    }
    expect(node.sent.map(({ gas }) => gas)).toEqual([499_999n, 500_000n, 500_000n]);
  });

  it("does not believe an endpoint that counts more transactions on their way than a wallet has", async () => {
    const { node, wallet } = open(patient);
    node.pending = 7 + 128;
    await wallet.send(callOf(1));
    node.pending = 7 + 129;
    await wallet.send(callOf(2));
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([135, 7]);
  });

  it("fills no nonces up to one that was far beyond: it gets a new one", async () => {
    const { node, wallet } = open();
    // For a moment the endpoint counts what is not there.
    Object.assign(node, { pending: 1_000_000, latest: 1_000_000 });
    node.counting = () => {
      if (node.sent.length > 0) Object.assign(node, { pending: 7, latest: 7 });
    };
    await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThan(4), { interval: 1 });
    node.mineAll = true;
    expect(node.sent.map(({ nonce }) => nonce).slice(0, 5)).toEqual([1_000_000, 7, 7, 7, 7]);
    expect(node.sent.filter(({ data }) => data === "0x")).toEqual([]);
  });

  it("is given up when its authorization expires, if its nonce was far ahead", async () => {
    const { node, wallet } = open();
    Object.assign(node, { pending: 1_000_000, latest: 1_000_000, timestamp: usableUntil + 1 });
    node.counting = () => {
      if (node.sent.length > 0) Object.assign(node, { pending: 7, latest: 7 });
    };
    const hash = await wallet.send(callOf(1));
    await expect(wallet.receiptOf(hash, 10_000)).rejects.toThrow("it is in no block");
    expect(node.sent).toHaveLength(1);
  });

  it("fills a missing nonce before its own in the second round, with twice the raise", async () => {
    const { node, wallet } = open();
    Object.assign(node, { pending: 8, latest: 7 });
    await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.some(({ nonce }) => nonce === 7)).toBe(true), { interval: 1 });
    node.mineAll = true;
    const filled = node.sent.find(({ nonce }) => nonce === 7);
    // 130 was raised once for the call itself and two more times for the empty transaction.
    expect(filled).toEqual({
      nonce: 7,
      to: wallet.address,
      data: "0x",
      gas: 21_000n,
      maxFee: 289n,
      priority: 25n,
      type: "eip1559",
    });
    expect(node.sent.indexOf(filled as never)).toBe(3);
  });

  it("is replaced by nothing once it is worth nothing", async () => {
    const { node, wallet } = open();
    await wallet.send(callOf(1));
    node.timestamp = usableUntil;
    const before = node.sent.length;
    await vi.waitFor(() => expect(node.sent.length).toBeGreaterThan(before + 1), { interval: 1 });
    expect(node.sent.every(({ data }) => data === "0x01")).toBe(true);
    node.timestamp = usableUntil + 1;
    await vi.waitFor(() => expect(node.sent.at(-1)).toMatchObject({ nonce: 7, data: "0x", to: wallet.address }), {
      interval: 1,
    });
    const hash = await wallet.send(callOf(1));
    const waiting = wallet.receiptOf(hash, 10_000);
    // The empty transaction used the nonce, so the call is in no block and never will be.
    Object.assign(node, { pending: 8, latest: 8 });
    await expect(waiting).rejects.toThrow("it is in no block");
    await vi.waitFor(() => expect(wallet.stuckSince()).toBeNull(), { interval: 1 });
  });

  it("waits no longer than asked, and tells what the chain says about other transactions", async () => {
    const { node, wallet } = open(patient);
    const hash = await wallet.send(callOf(1));
    await expect(wallet.receiptOf(hash, 1)).rejects.toThrow("it is in no block yet");
    node.mineAll = true;
    const other: Hex = `0x${"8".repeat(64)}`;
    expect(((await wallet.receiptOf(other, 1)) as TransactionReceipt).transactionHash).toBe(other);
  });

  it("may end when no caller waits for it", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const { node, wallet } = open();
    await wallet.send(callOf(1));
    Object.assign(node, { timestamp: usableUntil + 1, pending: 8, latest: 8 });
    await vi.waitFor(() => expect(node.asked.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(2), {
      interval: 1,
    });
    for (let i = 0; i < 3; i++) await turn();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});
