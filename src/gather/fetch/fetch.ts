import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import { ServiceError } from "../../kernel/error.ts";
import { type Hash, readHash, readQuantity } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { describeTroubles } from "../network/health/endpoint-health.ts";
import type { Endpoint, RpcAnswer, RpcCall } from "../network/rpc/endpoint.ts";
import type { EndpointPool } from "../network/rpc/endpoint-pool.ts";
import { quantityHex, readReceipt, readTransaction } from "../network/rpc/rpc-objects.ts";
import { askWithTraces, lacks, type TraceMethod, tracesSlowly } from "../network/rpc/trace-method.ts";
import { examineRecord, type GivenRecord } from "./contradiction.ts";
import { noteConsistent, noteInconsistent } from "./inconsistent.ts";
import { readOwnTrace } from "./own-trace.ts";
import { askWitnesses, type WitnessVerdict } from "./witness.ts";

export interface Fetched {
  /** Without tokens, reads and price, often without a trace. */
  draft: CaseFile;
  /** Had the transaction. */
  endpoint: Endpoint;
  /** Of this endpoint already. */
  asked: readonly TraceMethod[];
  /** Of other endpoints; absent: not asked. Never rejects. */
  verdict?: Promise<WitnessVerdict>;
}

export interface FetchContext {
  chainId: number;
  pool: EndpointPool;
  /** Ends all requests. */
  signal: AbortSignal;
  /** No block has it yet; default: none. */
  numberMax?: (() => number) | undefined;
  /** A second endpoint is asked too. */
  hasWitness?: boolean | undefined;
}

/**
 * One endpoint after the other, a batch each, until one has it in a block. What contradicts itself or the hash is not used and noted as
 * `inconsistent`. Rejects with ServiceError `transaction_pending`; `transaction_not_found` where an endpoint said so;
 * `upstream_unavailable` where all failed: a failure never means "not found".
 */
export async function fetchTransaction(hash: Hash, context: FetchContext): Promise<Fetched> {
  const { pool, signal } = context;
  const said = new Set<"unknown" | "pending">();
  const fetched = await pool.tryEach(async (endpoint) => {
    if (said.size > 0 && endpoint.health.rests()) return undefined;
    const found = await askOnce(endpoint, hash, context);
    if (found !== "unknown" && found !== "pending") return found;
    said.add(found);
    return undefined;
  }, signal);
  if (fetched !== undefined) return fetched;
  if (said.has("pending")) throw new ServiceError("transaction_pending", undefined, { retryAfterSeconds: 1 });
  if (said.has("unknown")) throw new ServiceError("transaction_not_found");
  const troubles = describeTroubles(pool.endpoints);
  const message = troubles === "" ? undefined : `No chain source answered: ${troubles}.`;
  throw new ServiceError("upstream_unavailable", message, { retryAfterSeconds: 5 });
}

/** `failed`: asking again may help. */
export const traceReasons = {
  plain: "plain transfer: 21000 gas",
  none: "no endpoint offers a trace and no explorer is configured",
  unlisted: "no endpoint offers a trace and the explorer does not list this transaction",
  unclear: "no endpoint offers a trace and the explorer's list cannot be told apart",
  keyless: "no endpoint offers a trace and the explorer wants an API key",
  failed: "the trace sources did not answer",
} as const;

async function askOnce(
  endpoint: Endpoint,
  hash: Hash,
  context: FetchContext,
): Promise<Fetched | "unknown" | "pending" | "again" | undefined> {
  const { chainId, signal } = context;
  const asked = chooseMethods(endpoint);
  const told = await askWithTraces(recordCalls(hash), { endpoint, methods: asked, hash }, signal);
  if (typeof told !== "object") return told;
  const found = readFound(told.answers, { endpoint, hash, context });
  if (typeof found !== "object") return found;
  const { given, ...parts } = found;
  const draft: CaseFile = {
    version: 2,
    chain_id: chainId,
    tx_hash: hash,
    gathered_at: "",
    ...parts,
    trace: readOwnTrace(told, found, endpoint) ?? { source: "none", reason: traceReasons.failed },
    tokens: {},
    reads: [],
    price: { status: "unavailable", source: "not asked yet", eth_usd: null },
  };
  return { draft, endpoint, asked, ...(context.hasWitness && { verdict: askOthers(endpoint, given, hash, context) }) };
}

function recordCalls(hash: Hash): RpcCall[] {
  return ["eth_getTransactionByHash", "eth_getTransactionReceipt"].map((method) => ({ method, params: [hash] }));
}

function askOthers(
  endpoint: Endpoint,
  record: GivenRecord,
  hash: Hash,
  context: FetchContext,
): Promise<WitnessVerdict> {
  const { pool, signal } = context;
  return askWitnesses({
    ...{ endpoint, record, pool },
    async read(other) {
      const answers = await other.ask(recordCalls(hash), signal);
      const found = typeof answers === "object" ? readFound(answers, { endpoint: other, hash, context }) : undefined;
      return typeof found === "object" ? found.given : undefined;
    },
  });
}

/**
 * For the first batch. debug_traceTransaction is asked again even where it was missing: it costs no time here, and one name often has many
 * machines.
 */
function chooseMethods(endpoint: Endpoint): TraceMethod[] {
  if (tracesSlowly(endpoint)) return [];
  const useOther = lacks(endpoint, "debug_traceTransaction") && !lacks(endpoint, "trace_transaction");
  return useOther ? ["debug_traceTransaction", "trace_transaction"] : ["debug_traceTransaction"];
}

/** `given`: unchanged. */
type Found = Pick<CaseFile, "transaction" | "receipt" | "block"> & { given: GivenRecord };

interface Reading {
  endpoint: Endpoint;
  hash: Hash;
  context: FetchContext;
}

/** undefined: useless, or contradictory. */
function readFound(
  answers: readonly RpcAnswer[],
  { endpoint, hash, context }: Reading,
): Found | "unknown" | "pending" | undefined {
  const [transactionAnswer, receiptAnswer] = answers;
  if (transactionAnswer?.ok !== true || receiptAnswer?.ok !== true) return undefined;
  if (transactionAnswer.result === null) return receiptAnswer.result === null ? "unknown" : undefined;
  const transaction = readTransaction(transactionAnswer.result, hash);
  if (transaction === undefined) return refuse(endpoint);
  if (receiptAnswer.result === null) return "pending";
  const [own = {}, its = {}] = [readObject(transactionAnswer.result), readObject(receiptAnswer.result)];
  const receipt = readReceipt(receiptAnswer.result, hash);
  if (receipt === undefined || its.transactionHash === undefined) return refuse(endpoint);
  const given = { transaction: own, receipt: its, logs: receipt.logs };
  const { numberMax = () => Number.POSITIVE_INFINITY, chainId } = context;
  if (examineRecord(given, { hash, chainId, numberMax: numberMax() }).contradiction !== undefined)
    return refuse(endpoint);
  noteConsistent(endpoint);
  const block = readPlace(own, its);
  return block === undefined ? "pending" : { transaction, receipt, block, given };
}

function refuse(endpoint: Endpoint): undefined {
  noteInconsistent(endpoint);
  return undefined;
}

/** The time only where a node adds it. undefined: in no block. */
function readPlace(transaction: JsonObject, receipt: JsonObject): Found["block"] | undefined {
  const number = readQuantity(receipt.blockNumber) ?? readQuantity(transaction.blockNumber);
  if (number === undefined) return undefined;
  const hash = readHash(receipt.blockHash) ?? readHash(transaction.blockHash);
  const firstLog = Array.isArray(receipt.logs) ? readObject(receipt.logs[0]) : undefined;
  const time = readQuantity(transaction.blockTimestamp) ?? readQuantity(firstLog?.blockTimestamp);
  return {
    number: quantityHex(number),
    ...(hash && { hash }),
    ...(time !== undefined && { timestamp: quantityHex(time) }),
  };
}
