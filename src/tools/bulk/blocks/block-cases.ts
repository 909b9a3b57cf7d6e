import type { Engine } from "../../../engine/build-engine.ts";
import { openReads, type ReadSet, settleReads, type TokenMemory } from "../../../gather/lookup/contract-reads.ts";
import type { EthCallAnswer } from "../../../gather/lookup/fetch-details.ts";
import type { ChainlinkPrice } from "../../../gather/lookup/price/price.ts";
import { isRevert, type RpcAnswer, type RpcCall } from "../../../gather/network/rpc/endpoint.ts";
import { decodeReads, encodeReads, ethCall, type Read } from "../../../gather/network/rpc/multicall.ts";
import { quantityHex } from "../../../gather/network/rpc/rpc-objects.ts";
import { caseFromReceipt } from "../../../gather/receipt/case-from-receipt.ts";
import type { Address } from "../../../kernel/address.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import type { CaseFile, PriceLookup } from "../../../model/case-file.ts";
import type { WholeBlock } from "./read-block.ts";

/** State of contracts at a block. */
export interface StateQuestions {
  engine: Pick<Engine, "planLookups">;
  multicall: Address;
  /** null: no price feed. */
  price: ChainlinkPrice | null;
}

/** Uses the block alone. Throws CaseInputError. */
export function draftCases({ block, transactions, receipts, traces }: WholeBlock): CaseFile[] {
  return transactions.map((transaction, i) =>
    caseFromReceipt({
      transaction,
      receipt: receipts[i] as object,
      block,
      ...(traces !== null && { trace: traces[i] as object }),
    }),
  );
}

/**
 * Adds token metadata, proofs of membership and the ether price at this block, in one batch. An endpoint without the block's state counts
 * as no answer, so a block always gives the same cases. Rejects with ServiceError `upstream_unavailable`.
 */
export async function completeCases(
  drafts: readonly CaseFile[],
  whole: WholeBlock,
  { engine, multicall, price }: StateQuestions,
  signal: AbortSignal,
): Promise<CaseFile[]> {
  const sets = drafts.map((draft) => openReads(engine.planLookups(draft), forgetful));
  const reads = new Map<string, Read>(sets.flatMap((set) => set.reads).map((read) => [keyOf(read), read]));
  const answers = await askState([...reads.values()], price?.calls() ?? [], { whole, multicall, signal });
  const source = `multicall3@${whole.number}`;
  const settled = price === null ? noFeed : await settlePrice(price, answers.calls, whole, signal);
  return drafts.map((draft, i) => {
    const set = sets[i] as ReadSet;
    const returns = set.reads.map((read) => answers.returns.get(keyOf(read)) ?? null);
    return { ...draft, ...settleReads(set, { returns, source }, forgetful), price: settled };
  });
}

/** No metadata from other blocks, so that a block always gives the same answers. */
const forgetful: TokenMemory = { get: () => undefined, set: () => {} };

const noFeed: PriceLookup = { status: "absent", source: "no price feed is configured", eth_usd: null };

interface StateContext {
  whole: WholeBlock;
  multicall: Address;
  signal: AbortSignal;
}

/** Reads in one call of Multicall3. */
const readsEach = 400;

async function askState(
  reads: readonly Read[],
  calls: ReturnType<ChainlinkPrice["calls"]>,
  { whole, multicall, signal }: StateContext,
): Promise<{ returns: Map<string, Hex | null>; calls: EthCallAnswer[] }> {
  const tag = quantityHex(BigInt(whole.number));
  const pieces: (readonly Read[])[] = [];
  for (let at = 0; at < reads.length; at += readsEach) pieces.push(reads.slice(at, at + readsEach));
  const batch: RpcCall[] = [
    ...pieces.map((piece) => ethCall({ to: multicall, data: encodeReads(piece) }, tag)),
    // At the block, because the newest state differs from run to run.
    ...calls.map((call) => ethCall(call, tag)),
  ];
  if (batch.length === 0) return { returns: new Map(), calls: [] };
  const answers = await whole.endpoint.ask(batch, signal);
  if (typeof answers === "string") throw away(whole, answers);
  const returns = new Map<string, Hex | null>();
  for (const [i, piece] of pieces.entries()) {
    const answer = answers[i] as RpcAnswer;
    const decoded = answer.ok ? decodeReads(answer.result, piece.length) : undefined;
    if (decoded === undefined) throw away(whole, answer.ok ? "not an answer of Multicall3" : answer.message);
    for (const [at, read] of piece.entries()) returns.set(keyOf(read), decoded[at] ?? null);
  }
  return { returns, calls: answers.slice(pieces.length).map((answer) => readCall(answer, whole)) };
}

function readCall(answer: RpcAnswer, whole: WholeBlock): EthCallAnswer {
  if (!answer.ok && !isRevert(answer)) throw away(whole, answer.message);
  const data = answer.ok ? readHex(answer.result) : undefined;
  return data === undefined || data === "0x" ? "reverted" : data;
}

function settlePrice(
  price: ChainlinkPrice,
  answers: EthCallAnswer[],
  { block }: WholeBlock,
  signal: AbortSignal,
): Promise<PriceLookup> {
  const [atBlock = "reverted", , decimals = "reverted"] = answers;
  const blockTime = Number(block.timestamp);
  // The feed's newest price does not belong to this block. It is given as reverted, so that the feed's history is not searched.
  return price.settle({ answers: [atBlock, "reverted", decimals], blockTime, signal, read: async () => undefined });
}

function away({ number, endpoint }: WholeBlock, why: string): ServiceError {
  const message = `The state at block ${number} cannot be read: ${endpoint.health.name}: ${why}.`;
  return new ServiceError("upstream_unavailable", message);
}

function keyOf({ to, data }: Read): string {
  return `${to} ${data}`;
}
