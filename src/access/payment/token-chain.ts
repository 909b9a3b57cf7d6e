import {
  createPublicClient,
  erc20Abi,
  isAddressEqual,
  pad,
  parseAbi,
  parseEventLogs,
  type Transport,
  toEventSelector,
  toHex,
} from "viem";
import { base } from "viem/chains";
import { ServiceError } from "../../kernel/error.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { PaymentRow } from "../ledger/ledger.ts";

/**
 * The state of an EIP-3009 authorization on chain. `lost`: it can never pay us. `open`: it is not used yet. `unclear`: it was used,
 * but we cannot find the transfer.
 */
export type AuthorizationState =
  | { state: "settled"; transaction: Hex }
  | { state: "lost"; reason: "payment_expired" | "authorization_canceled" }
  | { state: "open" }
  | { state: "unclear" };

/** Reads the state of payments from the chain, through our own endpoints. The chain decides about every payment. */
export type TokenChain = ReturnType<typeof openTokenChain>;

/** What identifies a payment on chain. */
type ChainPayment = Pick<PaymentRow, "payer" | "nonce" | "payTo" | "amount" | "validBefore" | "openedAt">;

/** `asset`: the token that we are paid in (EIP-3009). */
export function openTokenChain({ transport, asset }: { transport: Transport; asset: Hex }) {
  const client = createPublicClient({ chain: base, transport });

  async function read(payment: ChainPayment): Promise<AuthorizationState> {
    const head = await client.getBlock({ blockTag: "latest" });
    const used = await client.readContract({
      address: asset,
      abi: tokenAbi,
      functionName: "authorizationState",
      args: [payment.payer as Hex, payment.nonce as Hex],
      blockNumber: head.number,
    });
    if (!used) {
      // The token contract looks at the time of the chain, so we do too. The margin covers a short reorganization.
      const over = Number(head.timestamp) > payment.validBefore + reorganizationSeconds;
      return over ? { state: "lost", reason: "payment_expired" } : { state: "open" };
    }
    return find(payment, head);
  }

  async function find(payment: ChainPayment, head: { number: bigint; timestamp: bigint }): Promise<AuthorizationState> {
    const topics = [[usedTopic, canceledTopic], pad(payment.payer as Hex), payment.nonce as Hex];
    for (const [from, to] of rangesSince(payment.openedAt, head)) {
      const range = { address: asset, topics, fromBlock: toHex(from), toBlock: toHex(to) };
      const [log] = await client.request({ method: "eth_getLogs", params: [range] });
      if (log === undefined) continue;
      // It is null only for a pending block, and no range contains one.
      const transaction = log.transactionHash as Hex;
      const paid = log.topics[0] === usedTopic && (await isPaid(transaction, payment));
      return paid ? { state: "settled", transaction } : { state: "lost", reason: "authorization_canceled" };
    }
    return { state: "unclear" };
  }

  /** Whether the transaction moved the agreed amount from the payer to us. */
  async function isPaid(hash: Hex, { payer, payTo, amount }: ChainPayment): Promise<boolean> {
    const { logs, status } = await client.getTransactionReceipt({ hash });
    const args = { from: payer as Hex, to: payTo as Hex };
    const moved = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs, args });
    return status === "success" && moved.some((log) => isAddressEqual(log.address, asset) && log.args.value === amount);
  }

  return {
    /** Rejects with ServiceError `payments_unavailable` when no endpoint answers. */
    readAuthorization: (payment: ChainPayment): Promise<AuthorizationState> => read(payment).catch(refuse),
    /** Wei. Rejects with ServiceError `payments_unavailable`. */
    gasBalance: (address: Hex): Promise<bigint> => client.getBalance({ address }).catch(refuse),
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
/** The number of blocks that common endpoints accept in one call. */
const rangeBlocks = 2_000n;

/** Block ranges from shortly before `openedAt` to the head, newest first. */
function rangesSince(openedAt: number, head: { number: bigint; timestamp: bigint }): [bigint, bigint][] {
  const age = Math.max(0, Number(head.timestamp) - openedAt);
  const start = head.number - BigInt(Math.ceil(age / blockSeconds)) - marginBlocks;
  const first = start > 0n ? start : 0n;
  const ranges: [bigint, bigint][] = [];
  for (let to = head.number; to >= first; to -= rangeBlocks) {
    const from = to - rangeBlocks + 1n;
    ranges.push([from > first ? from : first, to]);
  }
  return ranges;
}

function refuse(cause: unknown): never {
  throw new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
