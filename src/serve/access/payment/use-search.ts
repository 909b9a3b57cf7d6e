import { pad, parseAbi, type RpcLog, toEventSelector, toHex } from "viem";
import type { Hex } from "../../../kernel/hex.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import { longestSeconds } from "./attempt.ts";
import { bisect, estimateBlockAt, findBlockAt, type Head, type TimedChain } from "./block-search.ts";

export interface Token extends TimedChain {
  asset: Hex;
}

export type ChainPayment = Pick<
  PaymentRow,
  "payer" | "nonce" | "payTo" | "amount" | "validBefore" | "openedAt" | "openedBlock" | "transaction"
>;

/** Both ends included. */
export interface Span {
  first: bigint;
  last: bigint;
}

/** EIP-3009. */
export const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");
export const canceledTopic = toEventSelector("AuthorizationCanceled(address,bytes32)");

export const tokenAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
]);

/** After this block. Rejects as viem, also where state is gone. */
export function isUsed(
  { client, asset }: Token,
  { payer, nonce }: Pick<ChainPayment, "payer" | "nonce">,
  blockNumber: bigint,
): Promise<boolean> {
  const args = [payer as Hex, nonce as Hex] as const;
  return client.readContract({ address: asset, abi: tokenAbi, functionName: "authorizationState", args, blockNumber });
}

/** By the chain's time; the margin covers a short reorganization. */
export function isOver({ validBefore }: Pick<ChainPayment, "validBefore">, { timestamp }: Head): boolean {
  return Number(timestamp) > validBefore + reorganizationSeconds;
}

/**
 * From shortly before the row was opened (reorganizations) to the first block where it was over. An endpoint's block number may be wrong:
 * then from a day before expiry, as none is valid for longer. Old rows have only a time.
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
 * Log of the use or cancellation; undefined: none in these blocks. For many blocks the token's old states show where to look, else all are
 * read.
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

/** Range by range. Rejects as viem. */
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
/** Our clock may be wrong. */
const marginSeconds = 300;
/** Common limit of endpoints. */
const rangeBlocks = 2_000n;
/** Two days of 200 ms: every search ends. */
const rangesMax = 432n;
