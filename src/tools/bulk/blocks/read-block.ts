import type { Endpoint, RpcAnswer } from "../../../gather/network/rpc/endpoint.ts";
import type { EndpointPool } from "../../../gather/network/rpc/endpoint-pool.ts";
import { quantityHex } from "../../../gather/network/rpc/rpc-objects.ts";
import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { ServiceError } from "../../../kernel/error.ts";
import { readHash, readQuantity } from "../../../kernel/hex.ts";
import { findDisagreement } from "../../../model/case-agreement.ts";

/** A block with its transactions in order. */
export interface WholeBlock {
  number: number;
  hash: string;
  parentHash: string;
  block: JsonObject;
  transactions: readonly JsonObject[];
  receipts: readonly JsonObject[];
  /** Root frames of callTracer; null: not asked for. */
  traces: readonly JsonObject[] | null;
  endpoint: Endpoint;
}

export interface BlockContext {
  pool: EndpointPool;
  traces: boolean;
  signal: AbortSignal;
}

/**
 * One batch: block, receipts, call trees. Where the answers do not fit together, the next endpoint is asked. Rejects with ServiceError
 * `upstream_unavailable`, which says what was wrong.
 */
export async function readWholeBlock(number: number, { pool, traces, signal }: BlockContext): Promise<WholeBlock> {
  const wrong: string[] = [];
  const found = await pool.tryEach(async (endpoint) => {
    const read = await askOnce(endpoint, number, { traces, signal });
    if (typeof read !== "string") return read;
    wrong.push(`${endpoint.health.name}: ${read}`);
    return undefined;
  }, signal);
  if (found !== undefined) return found;
  const why = wrong.length === 0 ? "no endpoint answered" : wrong.join("; ");
  throw new ServiceError("upstream_unavailable", `Block ${number} cannot be read: ${why}.`);
}

/** The block, or what is wrong with the answer. */
async function askOnce(
  endpoint: Endpoint,
  number: number,
  { traces, signal }: Pick<BlockContext, "traces" | "signal">,
): Promise<WholeBlock | string> {
  const tag = quantityHex(BigInt(number));
  const tracer = { tracer: "callTracer", tracerConfig: { withLog: true } };
  const calls = [
    { method: "eth_getBlockByNumber", params: [tag, true] },
    { method: "eth_getBlockReceipts", params: [tag] },
    ...(traces ? [{ method: "debug_traceBlockByNumber", params: [tag, tracer] }] : []),
  ];
  const answers = await endpoint.ask(calls, signal);
  if (typeof answers === "string") return answers;
  const failed = answers.findIndex((answer) => !answer.ok);
  if (failed >= 0) return `${calls[failed]?.method}: ${(answers[failed] as RpcAnswer & { ok: false }).message}`;
  const [block, receipts, traced] = answers.map((answer) => (answer.ok ? answer.result : undefined));
  // An answer of null means that the node has no call trees; it becomes undefined here, because null means that nobody asked.
  return checkBlock({ number, block, receipts, traces: traces ? (traced ?? undefined) : null, endpoint });
}

interface GivenBlock extends Pick<WholeBlock, "number" | "endpoint"> {
  block: unknown;
  receipts: unknown;
  /** null: not asked for. */
  traces: unknown;
}

/** A node that is behind, was reorganized or lost data gives parts of different blocks. */
function checkBlock({ number, endpoint, ...given }: GivenBlock): WholeBlock | string {
  const block = readObject(given.block);
  const hash = readHash(block?.hash);
  const parentHash = readHash(block?.parentHash);
  if (block === undefined || hash === undefined || parentHash === undefined) return "there is no such block";
  if (readQuantity(block.number) !== BigInt(number)) return "another block than the one asked for";
  const transactions = readObjects(block.transactions);
  const receipts = readObjects(given.receipts);
  if (transactions === undefined || receipts === undefined) return "transactions or receipts are missing";
  if (transactions.length !== receipts.length)
    return `${receipts.length} receipts for ${transactions.length} transactions`;
  const misfit = transactions.findIndex(
    (transaction, i) =>
      readHash(receipts[i]?.transactionHash) !== readHash(transaction.hash) ||
      readHash(receipts[i]?.blockHash) !== hash ||
      readHash(transaction.blockHash) !== hash ||
      findDisagreement(transaction, receipts[i] as JsonObject) !== undefined,
  );
  if (misfit >= 0) return `receipt ${misfit} is not of its transaction in this block`;
  const gap = findGap(receipts);
  if (gap !== undefined) return gap;
  const used = receipts.at(-1)?.cumulativeGasUsed;
  if (used !== undefined && readQuantity(used) !== readQuantity(block.gasUsed))
    return "receipts for another amount of gas";
  if (given.traces === null) return { number, hash, parentHash, block, transactions, receipts, traces: null, endpoint };
  const traces = readTraces(given.traces, transactions);
  return typeof traces === "string"
    ? traces
    : { number, hash, parentHash, block, transactions, receipts, traces, endpoint };
}

/** Logs of a block are numbered from 0 without a gap. */
function findGap(receipts: readonly JsonObject[]): string | undefined {
  let next = 0n;
  for (const { logs } of receipts)
    for (const log of readObjects(logs) ?? []) {
      if (readQuantity(log.logIndex) !== next) return `log ${next} is missing`;
      next++;
    }
  return undefined;
}

/** The call trees, or what is wrong. geth adds the transaction's hash to each; others do not. */
function readTraces(given: unknown, transactions: readonly JsonObject[]): JsonObject[] | string {
  const items = readObjects(given);
  if (items?.length !== transactions.length)
    return `${items?.length ?? 0} call trees for ${transactions.length} transactions`;
  const frames: JsonObject[] = [];
  for (const [i, { txHash, result }] of items.entries()) {
    const frame = readObject(result);
    if (frame === undefined || (txHash !== undefined && readHash(txHash) !== readHash(transactions[i]?.hash)))
      return `call tree ${i} is not of its transaction`;
    frames.push(frame);
  }
  return frames;
}

function readObjects(value: unknown): JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const objects = value.map(readObject);
  return objects.every((one) => one !== undefined) ? objects : undefined;
}
