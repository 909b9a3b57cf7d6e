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

/**
 * The state of an EIP-3009 authorization on chain. `lost`: it can never pay us. `open`: it is not used yet. `unclear`: it was used while it
 * was valid, but the endpoint does not show how.
 */
export type AuthorizationState =
  /**
   * `sender`: the account that sent the transaction, in lower case. `block`: the number of its block. `time`: Unix seconds of the newest
   * block.
   */
  | { state: "settled"; transaction: Hex; sender: string; block: number; time: number }
  | { state: "lost"; reason: "payment_expired" | "authorization_canceled" | "payment_already_used" }
  | { state: "open" }
  | { state: "unclear" };

/** The state of a payment at one endpoint, by its newest block. Rejects as viem does, and where the endpoint is behind. */
export async function readAt(token: Token, payment: ChainPayment, head: Head): Promise<AuthorizationState> {
  const over = isOver(payment, head);
  if (Number(head.number) < (payment.openedBlock ?? 0) && !over) throw new Error("the endpoint is behind");
  if (await isUsed(token, payment, head.number)) return find(token, payment, head);
  // The endpoint says that the transfer did not happen, but still has its transaction: it is not believed.
  if (payment.transaction !== null && (await readUse(token, { payment, head, hash: payment.transaction })) !== null)
    return { state: "unclear" };
  return over ? { state: "lost", reason: "payment_expired" } : { state: "open" };
}

/**
 * Looks for the use of the authorization: first in the transaction that is known to have used it, then in the blocks in which it can have
 * been used.
 */
async function find(token: Token, payment: ChainPayment, head: Head): Promise<AuthorizationState> {
  const known =
    payment.transaction === null ? null : await readUse(token, { payment, head, hash: payment.transaction });
  if (known !== null) return known;
  const span = await spanOf(token, payment, head);
  const log = await findUse(token, payment, span);
  if (log?.topics[0] === canceledTopic) return canceled;
  // The hash is null only for a pending block, and no range contains one.
  if (log !== undefined)
    return (await readUse(token, { payment, head, hash: log.transactionHash as Hex })) ?? { state: "unclear" };
  return isOver(payment, head) ? judgeEnd(token, payment, span.last) : { state: "unclear" };
}

/**
 * Decides where no log up to block `end` shows a use. After that block, the authorization could not pay anybody. If it is unused at that
 * block, it was canceled later. Otherwise a log must exist, which the endpoint may learn later than its state, or never.
 */
async function judgeEnd(token: Token, payment: ChainPayment, end: bigint): Promise<AuthorizationState> {
  // An endpoint may have no state of old blocks.
  const used = await isUsed(token, payment, end).catch(() => true);
  return used ? { state: "unclear" } : canceled;
}

interface Use {
  payment: ChainPayment;
  head: Head;
  hash: string;
}

/**
 * What the transaction that used the authorization did: whether this use moved the agreed amount from the payer to us. One transaction may
 * use several authorizations, and each pays for one thing: the token emits the transfer directly after the event of its use (EIP-3009).
 * null: the endpoint shows no such use there.
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

/** It paid nobody, or another receiver. */
const canceled: AuthorizationState = { state: "lost", reason: "authorization_canceled" };
