import { createPublicClient, pad, parseAbi, type Transport, toEventSelector, toHex } from "viem";
import { base } from "viem/chains";
import { ServiceError } from "../kernel/error.ts";
import type { Hex } from "../kernel/hex.ts";
import { transferTopic } from "../kernel/token-topics.ts";
import type { PaymentRow } from "./ledger/rows.ts";

/**
 * What became of an authorization. `lost`: it can never pay us. `open`: it was not used and still may be. `unclear`: it was used
 * and we do not find where.
 */
export type Trace =
  | { state: "settled"; transaction: Hex }
  | { state: "lost"; reason: "payment_expired" | "authorization_canceled" }
  | { state: "open" }
  | { state: "unclear" };

/** What the ledger asks the chain, through our own endpoints: the chain has the last word about every payment. */
export interface TokenChain {
  /** Rejects with ServiceError `payments_unavailable` when no endpoint answers. */
  trace(payment: Pick<PaymentRow, "payer" | "nonce" | "payTo" | "amount" | "validBefore" | "openedAt">): Promise<Trace>;
  /** Wei. Rejects with ServiceError `payments_unavailable`. */
  gasBalance(address: Hex): Promise<bigint>;
}

/** `asset`: the token that we are paid in (EIP-3009). */
export function openTokenChain({ transport, asset }: { transport: Transport; asset: Hex }): TokenChain {
  const client = createPublicClient({ chain: base, transport });

  async function trace(payment: Parameters<TokenChain["trace"]>[0]): Promise<Trace> {
    const head = await client.getBlock({ blockTag: "latest" });
    const used = await client.readContract({
      address: asset,
      abi: tokenAbi,
      functionName: "authorizationState",
      args: [payment.payer as Hex, payment.nonce as Hex],
      blockNumber: head.number,
    });
    if (!used) {
      // By the clock of the chain, which is the one that the token looks at; a short reorganization cannot bring it back.
      const over = Number(head.timestamp) > payment.validBefore + reorganizationSeconds;
      return over ? { state: "lost", reason: "payment_expired" } : { state: "open" };
    }
    return find(payment, head);
  }

  async function find(
    payment: Parameters<TokenChain["trace"]>[0],
    head: { number: bigint; timestamp: bigint },
  ): Promise<Trace> {
    const topics = [[usedTopic, canceledTopic], pad(payment.payer as Hex), payment.nonce as Hex];
    for (const [from, to] of rangesSince(payment.openedAt, head)) {
      const range = { address: asset, topics, fromBlock: toHex(from), toBlock: toHex(to) };
      const [log] = await client.request({ method: "eth_getLogs", params: [range] });
      if (log === undefined) continue;
      // Null only in a block that is not there yet, which no range names.
      const transaction = log.transactionHash as Hex;
      const paid = log.topics[0] === usedTopic && (await isPaid(transaction, payment));
      return paid ? { state: "settled", transaction } : { state: "lost", reason: "authorization_canceled" };
    }
    return { state: "unclear" };
  }

  /** Whether the transaction moved what was agreed to whom it was agreed. */
  async function isPaid(hash: Hex, { payer, payTo, amount }: Parameters<TokenChain["trace"]>[0]): Promise<boolean> {
    const { logs, status } = await client.getTransactionReceipt({ hash });
    return (
      status === "success" &&
      logs.some(({ address, topics, data }) => {
        const [topic, from, to] = topics;
        if (address.toLowerCase() !== asset.toLowerCase() || topic !== transferTopic) return false;
        return isWord(from, payer) && isWord(to, payTo) && BigInt(data) === amount;
      })
    );
  }

  return {
    trace: (payment) => trace(payment).catch(refuse),
    gasBalance: (address) => client.getBalance({ address }).catch(refuse),
  };
}

const tokenAbi = parseAbi(["function authorizationState(address authorizer, bytes32 nonce) view returns (bool)"]);

/** EIP-3009. */
const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");
const canceledTopic = toEventSelector("AuthorizationCanceled(address,bytes32)");

const reorganizationSeconds = 30;

/** Base makes a block every two seconds. */
const blockSeconds = 2;
const marginBlocks = 150n;
/** What every usual endpoint answers in one call. */
const rangeBlocks = 2_000n;

/** Block ranges from shortly before `openedAt` to the head, newest first. */
function rangesSince(openedAt: number, head: { number: bigint; timestamp: bigint }): [bigint, bigint][] {
  const age = Math.max(0, Number(head.timestamp) - openedAt);
  const first = head.number - BigInt(Math.ceil(age / blockSeconds)) - marginBlocks;
  const ranges: [bigint, bigint][] = [];
  for (let to = head.number; to >= 0n && to >= first; to -= rangeBlocks) {
    const from = to - rangeBlocks + 1n;
    ranges.push([from > first ? from : first > 0n ? first : 0n, to]);
  }
  return ranges.map(([from, to]) => [from < 0n ? 0n : from, to]);
}

/** An indexed address is the last 20 of 32 bytes. */
function isWord(topic: string | undefined, address: string): boolean {
  return topic?.slice(26).toLowerCase() === address.slice(2).toLowerCase();
}

function refuse(cause: unknown): never {
  throw new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
