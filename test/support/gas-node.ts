import { custom, type Hex, parseTransaction, RpcRequestError } from "viem";
import { type GasCall, GasWallet } from "../../src/serve/access/facilitator/gas-wallet.ts";

const key: Hex = `0x${"1".repeat(64)}`;
export const usableUntil = 1_000;
export const callOf = (digit: number): GasCall => ({ to: `0x${"2".repeat(40)}`, data: `0x0${digit}`, usableUntil });

export function refusal(message: string): Error {
  return new RpcRequestError({ body: {}, error: { code: -32000, message }, url: "" });
}

/** A node whose answers a test sets, and what it was sent. */
function openGasNode() {
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
    /** Whether the node knows a transaction although it refused it. */
    knowsAll: false,
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
    eth_getTransactionByHash: ([hash]) => (node.knowsAll ? { hash, nonce: "0x7", type: "0x2" } : null),
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

/** A wallet over such a node. */
export function openWallet(options: { pollingMs?: number; resendMs?: number; priceMax?: bigint } = {}) {
  const { node, transport } = openGasNode();
  const wallet = new GasWallet({ key, transport, priceMax: 10n ** 9n, pollingMs: 1, resendMs: 2, ...options });
  return { node, wallet };
}

/** With these intervals a wallet neither looks again nor sends again by itself during a test. */
export const patient = { pollingMs: 3_600_000, resendMs: 3_600_000 };
