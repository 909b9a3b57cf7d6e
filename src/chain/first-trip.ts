import { ServiceError } from "../kernel/error.ts";
import { type Hash, type Hex, readHash, readQuantity } from "../kernel/hex.ts";
import type { RpcReceipt, RpcTransaction, Trace } from "../model/case-file.ts";
import { type Endpoint, EndpointError, type RpcAnswer } from "./endpoint.ts";
import type { EndpointPool } from "./endpoint-pool.ts";
import { quantityHex, readObject, readReceipt, readTransaction } from "./ledger.ts";
import { lacks, readTraceAnswer, type TraceMethod, traceCall } from "./trace-method.ts";

/** What the first round trip found, and where. */
export interface Finding {
  endpoint: Endpoint;
  transaction: RpcTransaction;
  receipt: RpcReceipt;
  block: { number: Hex; hash?: Hex; timestamp?: Hex };
  trace: Trace | undefined;
  /** Trace methods this endpoint was asked for. */
  asked: readonly TraceMethod[];
}

export interface TripContext {
  pool: EndpointPool;
  callTimeoutMs: number;
  /** Ends everything: the total deadline, or the end of the process. */
  signal: AbortSignal;
}

/**
 * Asks endpoint after endpoint for transaction, receipt and trace, each in one batch, until one has the transaction in a block.
 * Otherwise rejects: `transaction_pending` when one has it without a block; `transaction_not_found` when at least one well
 * endpoint of the right chain said that it does not know it, and none said more; else `upstream_unavailable`. A failure alone
 * is therefore never "not found".
 */
export async function findTransaction(hash: Hash, context: TripContext): Promise<Finding> {
  const said = new Set<Outcome>();
  const queue = context.pool.order();
  for (const endpoint of queue) {
    const answered = said.has("unknown") || said.has("pending");
    if (context.signal.aborted || (answered && endpoint.knows("cooling"))) continue;
    const outcome = await askOnce(endpoint, hash, context);
    if (typeof outcome === "object") return outcome;
    said.add(outcome);
    // The trace may be what took too long: once more without it, after the others.
    if (outcome === "slow") queue.push(endpoint);
  }
  if (said.has("pending")) throw new ServiceError("transaction_pending", undefined, { retryAfterSeconds: 2 });
  if (said.has("unknown")) throw new ServiceError("transaction_not_found");
  throw new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 });
}

/** `slow`: timed out while it was asked for a trace too. */
type Outcome = "unknown" | "pending" | "failed" | "slow";

async function askOnce(endpoint: Endpoint, hash: Hash, context: TripContext): Promise<Finding | Outcome> {
  const asked = chooseMethods(endpoint);
  const calls = [
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] },
    ...asked.map((method) => traceCall(method, hash, context.callTimeoutMs)),
  ];
  try {
    const [transaction, receipt, ...traces] = await endpoint.ask(calls, context.signal);
    const found = readFacts(transaction, receipt, hash);
    if (typeof found === "string") return found;
    return {
      endpoint,
      ...found,
      asked,
      trace: readTraces(traces, { endpoint, asked, sender: found.transaction.from }),
    };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    if (error.fault !== "timeout" || asked.length === 0) return "failed";
    endpoint.learn("slow trace");
    return "slow";
  }
}

/**
 * debug_traceTransaction is always asked, because in this batch it costs no time and endpoints are often many machines behind
 * one name; the other form joins it as soon as the first is known to be missing.
 */
function chooseMethods(endpoint: Endpoint): TraceMethod[] {
  if (endpoint.knows("slow trace")) return [];
  const useOther = lacks(endpoint, "debug_traceTransaction") && !lacks(endpoint, "trace_transaction");
  return useOther ? ["debug_traceTransaction", "trace_transaction"] : ["debug_traceTransaction"];
}

type Facts = Pick<Finding, "transaction" | "receipt" | "block">;

function readFacts(
  transactionAnswer: RpcAnswer | undefined,
  receiptAnswer: RpcAnswer | undefined,
  hash: Hash,
): Facts | "unknown" | "pending" | "failed" {
  if (transactionAnswer?.ok !== true || receiptAnswer?.ok !== true) return "failed";
  if (transactionAnswer.result === null) return receiptAnswer.result === null ? "unknown" : "failed";
  const transaction = readTransaction(transactionAnswer.result, hash);
  if (transaction === undefined) return "failed";
  if (receiptAnswer.result === null) return "pending";
  const receipt = readReceipt(receiptAnswer.result, hash);
  if (receipt === undefined) return "failed";
  const block = readPlace(readObject(transactionAnswer.result), readObject(receiptAnswer.result));
  return block === undefined ? "pending" : { transaction, receipt, block };
}

type Fields = Record<string, unknown> | undefined;

/** Block number, hash and, where the node adds it to the transaction or its logs, time. undefined: not in a block. */
function readPlace(transaction: Fields, receipt: Fields): Finding["block"] | undefined {
  const number = readQuantity(receipt?.blockNumber) ?? readQuantity(transaction?.blockNumber);
  if (number === undefined) return undefined;
  const hash = readHash(receipt?.blockHash) ?? readHash(transaction?.blockHash);
  const firstLog = Array.isArray(receipt?.logs) ? readObject(receipt.logs[0]) : undefined;
  const timestamp = readQuantity(transaction?.blockTimestamp) ?? readQuantity(firstLog?.blockTimestamp);
  return {
    number: quantityHex(number),
    ...(hash === undefined ? {} : { hash }),
    ...(timestamp === undefined ? {} : { timestamp: quantityHex(timestamp) }),
  };
}

function readTraces(
  answers: readonly RpcAnswer[],
  { endpoint, asked, sender }: { endpoint: Endpoint; asked: readonly TraceMethod[]; sender: string },
): Trace | undefined {
  const traces = asked.map((method, i) => readTraceAnswer(answers[i], { endpoint, method, sender }));
  return traces.find((trace) => trace !== undefined);
}
