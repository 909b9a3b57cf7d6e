import {
  erc20Abi,
  isAddressEqual,
  type PublicClient,
  pad,
  parseAbi,
  parseEventLogs,
  toEventSelector,
  toHex,
} from "viem";
import type { Hex } from "../../kernel/hex.ts";
import { ignoreMissing } from "../facilitator/node-error.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import { longestSeconds } from "./attempt.ts";

/**
 * The state of an EIP-3009 authorization on chain. `lost`: it can never pay us. `open`: it is not used yet. `unclear`: it was used while it
 * was valid, but the endpoint does not show how.
 */
export type AuthorizationState =
  /**
   * `sender`: the account that sent the transaction, in lower case. `depth`: how many blocks are on top of it. `time`: Unix seconds of the
   * newest block.
   */
  | { state: "settled"; transaction: Hex; sender: string; depth: number; time: number }
  | { state: "lost"; reason: "payment_expired" | "authorization_canceled" | "payment_already_used" }
  | { state: "open" }
  | { state: "unclear" };

/** What identifies a payment on chain. */
export type ChainPayment = Pick<
  PaymentRow,
  "payer" | "nonce" | "payTo" | "amount" | "validBefore" | "openedAt" | "openedBlock" | "transaction"
>;

export interface Head {
  number: bigint;
  timestamp: bigint;
}

/** A token, and the endpoint that is asked about it. */
export interface Token {
  client: PublicClient;
  asset: Hex;
}

export function readHead({ client }: Token): Promise<Head> {
  return client.getBlock({ blockTag: "latest" });
}

export function isUsed(
  { client, asset }: Token,
  { payer, nonce }: Pick<ChainPayment, "payer" | "nonce">,
  blockNumber: bigint,
) {
  const args = [payer as Hex, nonce as Hex] as const;
  return client.readContract({ address: asset, abi: tokenAbi, functionName: "authorizationState", args, blockNumber });
}

/** The state of a payment at one endpoint, by its newest block. Rejects as viem does, and where the endpoint is behind. */
export async function readAt(token: Token, payment: ChainPayment, head: Head): Promise<AuthorizationState> {
  // The token contract uses the time of the chain, so this does too. The margin covers a short reorganization.
  const isOver = Number(head.timestamp) > payment.validBefore + reorganizationSeconds;
  if (Number(head.number) < (payment.openedBlock ?? 0) && !isOver) throw new Error("the endpoint is behind");
  if (await isUsed(token, payment, head.number)) return find(token, payment, head);
  // The endpoint says that the transfer did not happen, but still has its transaction: it is not believed.
  if (payment.transaction !== null && (await readUse(token, { payment, head, hash: payment.transaction })) !== null)
    return { state: "unclear" };
  return isOver ? { state: "lost", reason: "payment_expired" } : { state: "open" };
}

/**
 * Looks for the use of the authorization: first in the transaction that is known to have used it, then in blocks from the one at which the
 * row was opened until the authorization expired.
 */
async function find(token: Token, payment: ChainPayment, head: Head): Promise<AuthorizationState> {
  const { client, asset: address } = token;
  const known =
    payment.transaction === null ? null : await readUse(token, { payment, head, hash: payment.transaction });
  if (known !== null) return known;
  const topics = [[usedTopic, canceledTopic], pad(payment.payer as Hex), payment.nonce as Hex];
  const first = firstBlock(payment, head);
  const last = first + rangesMax * rangeBlocks - 1n < head.number ? first + rangesMax * rangeBlocks - 1n : head.number;
  for (let from = first; from <= last; from += rangeBlocks) {
    const to = from + rangeBlocks - 1n < head.number ? from + rangeBlocks - 1n : head.number;
    const range = { address, topics, fromBlock: toHex(from), toBlock: toHex(to) };
    const [log] = await client.request({ method: "eth_getLogs", params: [range] });
    if (log?.topics[0] === canceledTopic) return canceled;
    // The hash is null only for a pending block, and no range contains one.
    if (log !== undefined)
      return (await readUse(token, { payment, head, hash: log.transactionHash as Hex })) ?? { state: "unclear" };
    const end = to === head.number ? head : await client.getBlock({ blockNumber: to });
    if (Number(end.timestamp) > payment.validBefore + reorganizationSeconds) return judgeEnd(token, payment, to);
  }
  return { state: "unclear" };
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
  const { number, timestamp } = head;
  const depth = Number(number - blockNumber);
  return { state: "settled", transaction, sender: from.toLowerCase(), depth, time: Number(timestamp) };
}

/** It paid nobody, or another receiver. */
const canceled: AuthorizationState = { state: "lost", reason: "authorization_canceled" };

const tokenAbi = parseAbi(["function authorizationState(address authorizer, bytes32 nonce) view returns (bool)"]);

/** EIP-3009. */
const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");
const canceledTopic = toEventSelector("AuthorizationCanceled(address,bytes32)");

const reorganizationSeconds = 30;
const reorganizationBlocks = 15n;

/** Base makes a block every two seconds. */
const blockSeconds = 2;
/** It may make them faster one day. */
const fastBlockSeconds = 1;
const marginBlocks = 150n;
/** The number of blocks that common endpoints accept in one call. */
const rangeBlocks = 2_000n;
/** How many ranges are searched at most: more than a day has, even with faster blocks. So every search ends, whatever an endpoint says. */
const rangesMax = 64n;

/**
 * The block from which to search: shortly before the one at which the row was opened, because a reorganization may have moved the transfer.
 * Rows of older versions have only a time. The block number comes from an endpoint and may be wrong: the search never begins more than a
 * day before the authorization expires, because none is valid for longer, and it begins there where the number is in the future.
 */
function firstBlock({ openedBlock, openedAt, validBefore }: ChainPayment, head: Head): bigint {
  const blocksSince = (time: number, seconds: number) =>
    BigInt(Math.ceil(Math.max(0, Number(head.timestamp) - time) / seconds));
  const earliest = head.number - blocksSince(validBefore - longestSeconds, fastBlockSeconds) - marginBlocks;
  const opened = openedBlock === null ? null : BigInt(openedBlock);
  let start = earliest;
  if (opened === null) start = head.number - blocksSince(openedAt, blockSeconds) - marginBlocks;
  else if (opened <= head.number && opened - reorganizationBlocks > earliest) start = opened - reorganizationBlocks;
  return start > 0n ? start : 0n;
}
