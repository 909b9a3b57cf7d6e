import type { Address } from "../kernel/address.ts";
import { type Hash, type Hex, readHex } from "../kernel/hex.ts";
import type { Trace } from "../model/case-file.ts";
import { type Endpoint, EndpointError, type RpcAnswer, type RpcCall } from "./endpoint.ts";
import type { Finding, TripContext } from "./first-trip.ts";
import { type Block, readBlock } from "./ledger.ts";
import { decodeReads, encodeReads, type Read } from "./multicall.ts";
import { lacks, readTraceAnswer, traceCall } from "./trace-method.ts";

/** Return data of an eth_call, or how it ended without any. A call to an address without code counts as reverted. */
export type EthCallAnswer = Hex | "reverted" | "failed";

export interface EthCall extends Read {
  at: "block" | "latest";
}

export interface SecondRequest {
  hash: Hash;
  finding: Finding;
  multicall: Address;
  /** Answered through Multicall3 at the block, or with latest state where the node has no other. */
  reads: readonly Read[];
  /** Answered one by one. */
  calls: readonly EthCall[];
  /** Whether the call tree is still wanted. */
  wantTrace: boolean;
}

export interface SecondAnswer {
  /** Who answered; null when nobody did. */
  endpoint: Endpoint | null;
  block: Block | undefined;
  /** Return data per read, null where it reverted; undefined when Multicall3 could not be asked. `at`: which state it is of. */
  reads: { returns: (Hex | null)[]; at: "block" | "latest" } | undefined;
  calls: EthCallAnswer[];
  trace: Trace | undefined;
}

/**
 * Everything else that the chain is asked, in one batch: block, reads, single calls and the other form of the trace. An
 * endpoint that fails, or does not have the block yet, is followed by the next one; what nobody answered stays undefined.
 * Beside it, one other endpoint is asked for a trace that this one lacks: that takes no further time.
 */
export async function askRest(request: SecondRequest, context: TripContext): Promise<SecondAnswer> {
  const { finding, wantTrace } = request;
  const elsewhere = wantTrace ? askTraceElsewhere(request, context) : undefined;
  let best: SecondAnswer = {
    endpoint: null,
    block: undefined,
    reads: undefined,
    calls: request.calls.map(() => "failed"),
    trace: undefined,
  };
  const queue = [...new Set([finding.endpoint, ...context.pool.order()])];
  for (const endpoint of queue) {
    if (context.signal.aborted || best.block !== undefined) break;
    const answer = await askOnce(endpoint, request, context);
    // The trace may be what took too long: once more without it, after the others.
    if (answer === "slow") queue.push(endpoint);
    else if (answer !== "failed" && (best.endpoint === null || answer.block !== undefined)) best = answer;
  }
  return { ...best, trace: best.trace ?? (await elsewhere) };
}

async function askOnce(
  endpoint: Endpoint,
  request: SecondRequest,
  context: TripContext,
): Promise<SecondAnswer | "failed" | "slow"> {
  const { finding, hash, multicall, reads } = request;
  const { number } = finding.block;
  const traceCalls = chooseTrace(endpoint, request)
    ? [traceCall("trace_transaction", hash, context.callTimeoutMs)]
    : [];
  // Both states in one batch: a node without the old one must not cost a third trip.
  const data = reads.length === 0 ? undefined : encodeReads(reads);
  const batched = data === undefined ? [] : [number, "latest"].map((tag) => ethCall({ to: multicall, data }, tag));
  const single = request.calls.map((call) => ethCall(call, call.at === "block" ? number : "latest"));
  const blockCall = { method: "eth_getBlockByNumber", params: [number, false] };
  try {
    const answers = await endpoint.ask([blockCall, ...batched, ...single, ...traceCalls], context.signal);
    const [block, ...rest] = answers;
    const sender = finding.transaction.from;
    return {
      endpoint,
      block: block?.ok ? readBlock(block.result, finding.block) : undefined,
      reads: readBoth(rest.slice(0, batched.length), reads.length),
      calls: rest.slice(batched.length, batched.length + single.length).map(readEthCall),
      trace: readTraceAnswer(rest[batched.length + single.length], { endpoint, method: "trace_transaction", sender }),
    };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    if (error.fault !== "timeout" || traceCalls.length === 0) return "failed";
    endpoint.learn("slow trace");
    return "slow";
  }
}

/** trace_transaction, unless this endpoint was asked for it already or is known to lack it. */
function chooseTrace(endpoint: Endpoint, { finding, wantTrace }: SecondRequest): boolean {
  if (!wantTrace || lacks(endpoint, "trace_transaction") || endpoint.knows("slow trace")) return false;
  return endpoint !== finding.endpoint || !finding.asked.includes("trace_transaction");
}

/** Asks the first other endpoint that may have a trace method; undefined when there is none or it has not. */
async function askTraceElsewhere(request: SecondRequest, context: TripContext): Promise<Trace | undefined> {
  const methods = ["debug_traceTransaction", "trace_transaction"] as const;
  const other = context.pool
    .order()
    .find(
      (endpoint) =>
        endpoint !== request.finding.endpoint &&
        !endpoint.knows("cooling") &&
        !endpoint.knows("slow trace") &&
        !methods.every((method) => lacks(endpoint, method)),
    );
  if (other === undefined) return undefined;
  const asked = methods.filter((method) => !lacks(other, method));
  const calls = asked.map((method) => traceCall(method, request.hash, context.callTimeoutMs));
  try {
    const answers = await other.ask(calls, context.signal);
    const sender = request.finding.transaction.from;
    const traces = asked.map((method, i) => readTraceAnswer(answers[i], { endpoint: other, method, sender }));
    return traces.find((trace) => trace !== undefined);
  } catch (error) {
    if (error instanceof EndpointError) return undefined;
    throw error;
  }
}

/**
 * Reads through Multicall3 with the newest state: what a search in an oracle's history needs after the two trips. undefined
 * when the endpoint does not answer.
 */
export async function readLatest(
  endpoint: Endpoint,
  { multicall, reads, signal }: { multicall: Address; reads: readonly Read[]; signal: AbortSignal },
): Promise<(Hex | null)[] | undefined> {
  try {
    const [answer] = await endpoint.ask([ethCall({ to: multicall, data: encodeReads(reads) }, "latest")], signal);
    return answer?.ok ? decodeReads(answer.result, reads.length) : undefined;
  } catch (error) {
    if (error instanceof EndpointError) return undefined;
    throw error;
  }
}

function ethCall({ to, data }: Read, tag: string): RpcCall {
  return { method: "eth_call", params: [{ to, data }, tag] };
}

function readBoth(answers: readonly RpcAnswer[], count: number): SecondAnswer["reads"] {
  for (const [i, at] of (["block", "latest"] as const).entries()) {
    const answer = answers[i];
    const returns = answer?.ok ? decodeReads(answer.result, count) : undefined;
    if (returns !== undefined) return { returns, at };
  }
  return undefined;
}

/** Code 3 is a revert (EIP-1474 leaves it to clients; geth and its kin use it); others say it in words only. */
function readEthCall(answer: RpcAnswer): EthCallAnswer {
  if (!answer.ok) return answer.code === 3 || /execution reverted/i.test(answer.message) ? "reverted" : "failed";
  const data = readHex(answer.result);
  if (data === undefined) return "failed";
  return data === "0x" ? "reverted" : data;
}
