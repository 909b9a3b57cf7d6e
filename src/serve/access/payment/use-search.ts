import { pad, parseAbi, type RpcLog, toEventSelector, toHex } from "viem";
import type { Hex } from "../../../kernel/hex.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import { longestSeconds } from "./attempt.ts";
import { bisect, estimateBlockAt, findBlockAt, type Head, type TimedChain } from "./block-search.ts";

/** A token, and the endpoint that is asked about it. */
export interface Token extends TimedChain {
  asset: Hex;
}

/** What identifies a payment on chain. */
export type ChainPayment = Pick<
  PaymentRow,
  "payer" | "nonce" | "payTo" | "amount" | "validBefore" | "openedAt" | "openedBlock" | "transaction"
>;

/** Blocks in which a payment may have been used; both ends are included. */
export interface Span {
  first: bigint;
  last: bigint;
}

/** EIP-3009. */
export const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");
export const canceledTopic = toEventSelector("AuthorizationCanceled(address,bytes32)");

const tokenAbi = parseAbi(["function authorizationState(address authorizer, bytes32 nonce) view returns (bool)"]);

/** Whether the authorization is used or canceled after this block. Rejects as viem does, also where the state of that block is gone. */
export function isUsed(
  { client, asset }: Token,
  { payer, nonce }: Pick<ChainPayment, "payer" | "nonce">,
  blockNumber: bigint,
): Promise<boolean> {
  const args = [payer as Hex, nonce as Hex] as const;
  return client.readContract({ address: asset, abi: tokenAbi, functionName: "authorizationState", args, blockNumber });
}

/** Whether at this block nobody can be paid any more: the token uses the time of the chain. The margin covers a short reorganization. */
export function isOver({ validBefore }: Pick<ChainPayment, "validBefore">, { timestamp }: Head): boolean {
  return Number(timestamp) > validBefore + reorganizationSeconds;
}

/**
 * From shortly before the row was opened (a reorganization may have moved the transfer) to the first block at which it was over. The number
 * of the block at which it was opened comes from an endpoint and may be wrong: then it is from a day before the authorization expires,
 * because none is valid for longer. Rows of older versions have only a time.
 */
export async function spanOf(token: Token, payment: ChainPayment, head: Head): Promise<Span> {
  const { openedBlock, openedAt, validBefore } = payment;
  const last = isOver(payment, head)
    ? await findBlockAt(token, validBefore + reorganizationSeconds + 1, head)
    : head.number;
  const earliest = validBefore - longestSeconds - marginSeconds;
  if (openedBlock === null) {
    const opened = Math.min(openedAt, validBefore, Number(head.timestamp)) - marginSeconds;
    return { first: await findBlockAt(token, Math.max(opened, earliest), head), last };
  }
  const opened = BigInt(openedBlock);
  const first = opened > last ? 0n : token.calendar.blockAt(token.calendar.timeAt(opened) - reorganizationSeconds);
  if (first >= estimateBlockAt(token, earliest, head)) return { first, last };
  const possible = await findBlockAt(token, earliest, head);
  return { first: possible > first ? possible : first, last };
}

/**
 * The log that tells of the use or of the cancellation; undefined: these blocks show none. Where there are more blocks than an endpoint
 * shows at once, the state of the token tells in which one to look, if the endpoint has old states. Otherwise all are looked through.
 */
export async function findUse(token: Token, payment: ChainPayment, span: Span): Promise<RpcLog | undefined> {
  const { first, last } = span;
  const isShort = last - first < rangeBlocks;
  const shown = isShort ? await lookThrough(token, payment, span).catch(() => null) : null;
  if (shown !== null) return shown;
  const isBefore = async (block: bigint) => !(await isUsed(token, payment, block));
  const found = await bisect({ before: first - 1n, after: last }, isBefore)
    .then((block) => lookThrough(token, payment, { first: block, last: block }))
    .catch(() => undefined);
  return found ?? lookThrough(token, payment, span);
}

/** Asks for the logs of one range of blocks after the other. Rejects as viem does. */
async function lookThrough(
  { client, asset: address }: Token,
  { payer, nonce }: ChainPayment,
  { first, last }: Span,
): Promise<RpcLog | undefined> {
  const topics = [[usedTopic, canceledTopic], pad(payer as Hex), nonce as Hex];
  const end = first + rangesMax * rangeBlocks;
  for (let from = first; from <= last && from < end; from += rangeBlocks) {
    const to = from + rangeBlocks <= last ? from + rangeBlocks - 1n : last;
    const range = { address, topics, fromBlock: toHex(from), toBlock: toHex(to) };
    const [log] = await client.request({ method: "eth_getLogs", params: [range] });
    if (log !== undefined) return log;
  }
  return undefined;
}

const reorganizationSeconds = 30;
/** Our own clock may be wrong, and an authorization may be valid a little longer than we allow by it. */
const marginSeconds = 300;
/** The number of blocks that common endpoints accept in one call. */
const rangeBlocks = 2_000n;
/** How many ranges are looked through at most: two days of 200 ms. So every search ends, whatever an endpoint says. */
const rangesMax = 432n;
