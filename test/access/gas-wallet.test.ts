import { setImmediate as turn } from "node:timers/promises";
import { custom, type Hex, parseTransaction, RpcRequestError, type TransactionReceipt } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UnsentError } from "../../src/access/facilitator/facilitator.ts";
import { type GasCall, GasWallet } from "../../src/access/facilitator/gas-wallet.ts";

const key: Hex = `0x${"1".repeat(64)}`;
const usableUntil = 1_000;
const callOf = (digit: number): GasCall => ({ to: `0x${"2".repeat(40)}`, data: `0x0${digit}`, usableUntil });

function refusal(message: string): Error {
  return new RpcRequestError({ body: {}, error: { code: -32000, message }, url: "" });
}

/** A node whose answers a test sets, and what it was sent. */
function openNode() {
  const node = {
    gas: 100_000n,
    baseFee: 100n,
    balance: 10n ** 18n,
    pending: 7,
    latest: 7,
    timestamp: 0,
    /** What sending throws, for one broadcast after the other. */
    refusals: [] as (Error | undefined)[],
    /** Hashes that are in a block. */
    mined: new Set<string>(),
    mineAll: false,
    silent: false,
    /** A method that fails. */
    lacks: "",
    /** What was asked. */
    asked: [] as string[],
    /** Is called while a call is about to be sent. */
    counting: () => {},
    sent: [] as {
      nonce: number;
      to: string;
      data: string;
      gas: bigint;
      maxFee: bigint;
      priority: bigint;
      type: string;
    }[],
  };
  const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;
  const methods: Record<string, (params: string[]) => unknown> = {
    eth_estimateGas: () => hex(node.gas),
    eth_getBalance: () => hex(node.balance),
    eth_maxPriorityFeePerGas: () => hex(10),
    eth_chainId: () => hex(8453),
    eth_getBlockByNumber: () => ({ baseFeePerGas: hex(node.baseFee), timestamp: hex(node.timestamp), number: "0x1" }),
    eth_getTransactionCount: ([_address, tag]) => {
      node.counting();
      return hex(tag === "pending" ? node.pending : node.latest);
    },
    eth_getTransactionReceipt: ([hash]) =>
      node.mineAll || node.mined.has(hash as string) ? { transactionHash: hash, status: "0x1", logs: [] } : null,
    eth_sendRawTransaction: ([raw]) => {
      const { nonce = 0, to, data, gas = 0n, type, ...fees } = parseTransaction(raw as Hex);
      const { maxFeePerGas: maxFee = 0n, maxPriorityFeePerGas: priority = 0n } = fees;
      node.sent.push({ nonce, to: to ?? "", data: data ?? "0x", gas, maxFee, priority, type: String(type) });
      const thrown = node.refusals.shift();
      if (thrown !== undefined) throw thrown;
      return `0x${"9".repeat(64)}`;
    },
  };
  const transport = custom(
    {
      async request({ method, params }) {
        node.asked.push(method);
        if (node.silent || method === node.lacks) throw new Error("no endpoint answers");
        const answer = methods[method];
        if (answer === undefined) throw new Error(`not asked for in this test: ${method}`);
        return answer(params as string[]);
      },
    },
    { retryCount: 0 },
  );
  return { node, transport };
}

function open(times: { pollingMs?: number; resendMs?: number } = {}) {
  const { node, transport } = openNode();
  const wallet = new GasWallet({ key, transport, pollingMs: 1, resendMs: 2, ...times });
  return { node, wallet };
}

/** What a wallet that is let alone never sends again within a test. */
const patient = { pollingMs: 3_600_000, resendMs: 3_600_000 };

describe("a call that is sent", () => {
  it("has a fifth more gas than was estimated, the fees of the chain, and the next nonce that nobody holds", async () => {
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

  it("has a hash, too, where the same call is about to be sent", async () => {
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

  it("takes the next nonce where somebody else has this one", async () => {
    const { node, wallet } = open(patient);
    node.refusals = [refusal("nonce too low"), refusal("replacement transaction underpriced")];
    await wallet.send(callOf(1));
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7, 8, 9]);
  });

  it("is given up after eight nonces, and may be sent again later", async () => {
    const { node, wallet } = open(patient);
    node.refusals = Array.from({ length: 8 }, () => refusal("nonce too low"));
    await expect(wallet.send(callOf(1))).rejects.toThrow(UnsentError);
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
    expect(wallet.stuckSince()).toBeNull();
    await wallet.send(callOf(1));
    expect(node.sent.at(-1)?.nonce).toBe(7);
  });

  it("counts as sent where the node's answer does not tell", async () => {
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

  it("ends with the error of the chain where it would revert", async () => {
    const { node, wallet } = open(patient);
    node.silent = true;
    const error = await wallet.send(callOf(1)).catch((thrown: Error) => thrown);
    expect(error).not.toBeInstanceOf(UnsentError);
    expect(node.sent).toEqual([]);
  });
});

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

  it("is asked for so many times before it is sent again", async () => {
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

  it("is not sent anew where its receipt shows a moment later than its nonce", async () => {
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

  it("gets a new nonce where somebody else used its own", async () => {
    const { node, wallet } = open();
    const receipt = wallet.receiptOf(await wallet.send(callOf(1)), 10_000);
    Object.assign(node, { pending: 9, latest: 9 });
    await vi.waitFor(() => expect(node.sent.at(-1)?.nonce).toBe(9), { interval: 1 });
    node.mineAll = true;
    expect(node.sent.at(-1)?.data).toBe("0x01");
    expect((await receipt).status).toBe("success");
  });

  it("fills a nonce before it that nobody fills, in the second round, with twice the raise", async () => {
    const { node, wallet } = open();
    Object.assign(node, { pending: 8, latest: 7 });
    await wallet.send(callOf(1));
    await vi.waitFor(() => expect(node.sent.some(({ nonce }) => nonce === 7)).toBe(true), { interval: 1 });
    node.mineAll = true;
    const filled = node.sent.find(({ nonce }) => nonce === 7);
    // 130 was raised once for the call itself, and twice more for this.
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
    // Its nonce is used, by the nothing: the call is in no block and never will be.
    Object.assign(node, { pending: 8, latest: 8 });
    await expect(waiting).rejects.toThrow("it is in no block");
    await vi.waitFor(() => expect(wallet.stuckSince()).toBeNull(), { interval: 1 });
  });

  it("lets nobody wait longer than asked, and tells of others what the chain says", async () => {
    const { node, wallet } = open(patient);
    const hash = await wallet.send(callOf(1));
    await expect(wallet.receiptOf(hash, 1)).rejects.toThrow("it is in no block yet");
    node.mineAll = true;
    const other: Hex = `0x${"8".repeat(64)}`;
    expect(((await wallet.receiptOf(other, 1)) as TransactionReceipt).transactionHash).toBe(other);
  });
});

describe("a wallet", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("has gas as long as it has any", async () => {
    const { node, wallet } = open();
    node.balance = 1n;
    expect(await wallet.hasGas()).toBe(true);
    node.balance = 0n;
    expect(await wallet.hasGas()).toBe(false);
    node.silent = true;
    await expect(wallet.hasGas()).rejects.toThrow();
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
    node.refusals = Array.from({ length: 8 }, () => refusal("nonce too low"));
    await expect(wallet.send(callOf(1))).rejects.toThrow(UnsentError);
    vi.setSystemTime(90_000_000);
    expect(wallet.stuckSince()).toBeNull();
    node.pending = 15;
    await wallet.send(callOf(2));
    expect(node.sent.at(-1)?.nonce).toBe(15);
  });
});
