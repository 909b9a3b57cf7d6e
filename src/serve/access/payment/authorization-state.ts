import { erc20Abi, isAddressEqual, pad, parseEventLogs } from "viem";
import type { Hex } from "../../../kernel/hex.ts";
import { ignoreMissing } from "../facilitator/node-error.ts";
import type { Head } from "./block-search.ts";
import {
  type ChainPayment,
  canceledTopic,
  findUse,
  isOver,
  isUsed,
  spanOf,
  type Token,
  usedTopic,
} from "./use-search.ts";

/** EIP-3009. `lost`: can never pay us. `open`: unused. `unclear`: used in time, but not shown how. */
export type AuthorizationState =
  /** `sender`: lower case; `time`: newest block, Unix seconds. */
  | { state: "settled"; transaction: Hex; sender: string; block: number; time: number }
  | { state: "lost"; reason: "payment_expired" | "authorization_canceled" | "payment_already_used" }
  | { state: "open" }
  | { state: "unclear" };

/** At one endpoint's newest block. Rejects as viem, and where it is behind. */
export async function readAt(token: Token, payment: ChainPayment, head: Head): Promise<AuthorizationState> {
  const over = isOver(payment, head);
  if (Number(head.number) < (payment.openedBlock ?? 0) && !over) throw new Error("the endpoint is behind");
  if (await isUsed(token, payment, head.number)) return find(token, payment, head);
  // It denies the transfer but has the transaction: not believed.
  if (payment.transaction !== null && (await readUse(token, { payment, head, hash: payment.transaction })) !== null)
    return { state: "unclear" };
  return over ? { state: "lost", reason: "payment_expired" } : { state: "open" };
}

/** The known transaction first, then the possible blocks. */
async function find(token: Token, payment: ChainPayment, head: Head): Promise<AuthorizationState> {
  const known =
    payment.transaction === null ? null : await readUse(token, { payment, head, hash: payment.transaction });
  if (known !== null) return known;
  const span = await spanOf(token, payment, head);
  const log = await findUse(token, payment, span);
  if (log?.topics[0] === canceledTopic) return canceled;
  // null only for a pending block.
  if (log !== undefined)
    return (await readUse(token, { payment, head, hash: log.transactionHash as Hex })) ?? { state: "unclear" };
  return isOver(payment, head) ? judgeEnd(token, payment, span.last) : { state: "unclear" };
}

/**
 * No log up to block `end`, after which it could pay nobody. If it is unused there, it was canceled later. Else a log must exist, which the
 * endpoint may learn late or never.
 */
async function judgeEnd(token: Token, payment: ChainPayment, end: bigint): Promise<AuthorizationState> {
  // Old state may be gone.
  const used = await isUsed(token, payment, end).catch(() => true);
  return used ? { state: "unclear" } : canceled;
}

interface Use {
  payment: ChainPayment;
  head: Head;
  hash: string;
}

/**
 * Whether this use moved the agreed amount to us. One transaction may use several authorizations, and each pays for one thing: the transfer
 * log directly follows the event of its use (EIP-3009). null: no such use.
 */
async function readUse({ client, asset }: Token, { payment, head, hash }: Use): Promise<AuthorizationState | null> {
  const receipt = await client.getTransactionReceipt({ hash: hash as Hex }).catch(ignoreMissing);
  if (receipt === undefined) return null;
  const { logs, from, blockNumber, transactionHash: transaction } = receipt;
  const told = logs.filter(({ address }) => isAddressEqual(address, asset));
  const topics = [usedTopic, pad(payment.payer as Hex), payment.nonce].join().toLowerCase();
  const use = told.findIndex((log) => log.topics.join().toLowerCase() === topics);
  if (use < 0) return null;
  const args = { from: payment.payer as Hex, to: payment.payTo as Hex };
  const [moved] = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs: told.slice(use + 1, use + 2), args });
  if (moved?.args.value !== payment.amount) return canceled;
  const place = { block: Number(blockNumber), time: Number(head.timestamp) };
  return { state: "settled", transaction, sender: from.toLowerCase(), ...place };
}

/** It paid nobody, or somebody else. */
const canceled: AuthorizationState = { state: "lost", reason: "authorization_canceled" };
