import type { Address } from "../../kernel/address.ts";
import { readObject } from "../../kernel/canonical.ts";
import { type Hash, type Hex, readHash, readHex } from "../../kernel/hex.ts";
import type { Trace } from "../../model/case-file.ts";
import type { Fetched } from "../fetch/fetch.ts";
import { noteInconsistent } from "../fetch/inconsistent.ts";
import { readOwnTrace } from "../fetch/own-trace.ts";
import { type Endpoint, isRevert, type RpcAnswer } from "../network/rpc/endpoint.ts";
import type { EndpointPool } from "../network/rpc/endpoint-pool.ts";
import { decodeReads, encodeReads, ethCall, type Read } from "../network/rpc/multicall.ts";
import { type Block, readBlock } from "../network/rpc/rpc-objects.ts";
import { askWithTraces, lacks, type TraceMethod, traceMethods, tracesSlowly } from "../network/rpc/trace-method.ts";

/** An address without code counts as reverted. */
export type EthCallAnswer = Hex | "reverted" | "failed";

export interface EthCall extends Read {
  at: "block" | "latest";
}

export interface DetailsRequest {
  fetched: Fetched;
  multicall: Address;
  /** By Multicall3 at the block, and at the newest one for nodes without the old state. */
  reads: readonly Read[];
  /** Asked one by one. */
  calls: readonly EthCall[];
  wantTrace: boolean;
}

export interface Details {
  /** null: none answered. */
  endpoint: Endpoint | null;
  block: Block | undefined;
  /** An endpoint gave another block at this number, none gave this one. */
  isDisputed: boolean;
  /** null: reverted; undefined: no answer of Multicall3. `at`: the state. */
  reads: { returns: (Hex | null)[]; at: "block" | "latest" } | undefined;
  calls: EthCallAnswer[];
  trace: Trace | undefined;
}

export interface DetailsContext {
  pool: EndpointPool;
  signal: AbortSignal;
}

/**
 * Second round trip. A batch: block, reads, single calls, the other trace method. The next endpoint is asked where one fails or lacks the
 * block. A missing trace is asked of one other endpoint meanwhile.
 */
export async function fetchDetails(request: DetailsRequest, { pool, signal }: DetailsContext): Promise<Details> {
  const elsewhere = request.wantTrace ? askTraceElsewhere(request, { pool, signal }) : undefined;
  const none: EthCallAnswer[] = request.calls.map(() => "failed");
  const nothing = { block: undefined, isDisputed: false, reads: undefined, trace: undefined };
  let best: Details = { ...nothing, endpoint: null, calls: none };
  let isDisputed = false;
  const whole = await pool.tryEach(
    async (endpoint) => {
      const details = await askOnce(endpoint, request, signal);
      if (details === undefined || details === "again" || details.block !== undefined) return details;
      isDisputed ||= details.isDisputed;
      if (best.endpoint === null) best = details;
      return undefined;
    },
    signal,
    request.fetched.endpoint,
  );
  const details = whole ?? { ...best, isDisputed };
  return { ...details, trace: details.trace ?? (await elsewhere) };
}

async function askOnce(
  endpoint: Endpoint,
  request: DetailsRequest,
  signal: AbortSignal,
): Promise<Details | "again" | undefined> {
  const { multicall, reads } = request;
  const { block: place, tx_hash: hash } = request.fetched.draft;
  // The batch asks for both states, so that a node without the old one does not cost another round trip.
  const data = reads.length === 0 ? undefined : encodeReads(reads);
  const batched =
    data === undefined ? [] : [place.number, "latest"].map((tag) => ethCall({ to: multicall, data }, tag));
  const single = request.calls.map((call) => ethCall(call, call.at === "block" ? place.number : "latest"));
  const blockCall = { method: "eth_getBlockByNumber", params: [place.number, false] };
  const traces = { endpoint, methods: chooseMethods(endpoint, request), hash };
  const told = await askWithTraces([blockCall, ...batched, ...single], traces, signal);
  if (typeof told !== "object") return told;
  const [given, ...rest] = told.answers;
  const block = given?.ok ? readPlace(given.result, place, hash) : undefined;
  // Another endpoint may be of another mind. The one that gave the transaction contradicts itself.
  if (block === "other" && endpoint === request.fetched.endpoint) noteInconsistent(endpoint);
  return {
    endpoint,
    block: block === "other" ? undefined : block,
    isDisputed: block === "other",
    reads: readBoth(rest.slice(0, batched.length), reads.length),
    calls: rest.slice(batched.length).map(readEthCall),
    trace: readOwnTrace(told, request.fetched.draft, endpoint),
  };
}

/** `other`: another block or time, or this transaction is not listed. */
function readPlace(given: unknown, place: Block, hash: Hash): Block | "other" | undefined {
  const source = readObject(given);
  if (source === undefined) return undefined;
  const { transactions } = source;
  const listed = Array.isArray(transactions) ? transactions : [];
  if (listed.length > 0 && !listed.some((one) => readHash(readObject(one)?.hash ?? one) === hash)) return "other";
  return readBlock(source, place) ?? "other";
}

/** trace_transaction, unless asked, missing or slow here. */
function chooseMethods(endpoint: Endpoint, { fetched, wantTrace }: DetailsRequest): TraceMethod[] {
  if (!wantTrace || lacks(endpoint, "trace_transaction") || tracesSlowly(endpoint)) return [];
  return endpoint !== fetched.endpoint || !fetched.asked.includes("trace_transaction") ? ["trace_transaction"] : [];
}

/** The first other endpoint that may have one. */
async function askTraceElsewhere(
  { fetched }: DetailsRequest,
  { pool, signal }: DetailsContext,
): Promise<Trace | undefined> {
  const methodsOf = (endpoint: Endpoint) => traceMethods.filter((method) => !lacks(endpoint, method));
  const isFree = (endpoint: Endpoint) => !endpoint.health.rests() && !tracesSlowly(endpoint);
  const others = pool.inOrder().filter((endpoint) => endpoint !== fetched.endpoint && isFree(endpoint));
  const other = others.find((endpoint) => methodsOf(endpoint).length > 0);
  if (other === undefined) return undefined;
  const traces = { endpoint: other, methods: methodsOf(other), hash: fetched.draft.tx_hash };
  const told = await askWithTraces([], traces, signal);
  return typeof told === "object" ? readOwnTrace(told, fetched.draft, other) : undefined;
}

/** Newest state, one more round trip, for a price feed's history. undefined: no answer. */
export async function readLatest(
  endpoint: Endpoint,
  { multicall, reads, signal }: { multicall: Address; reads: readonly Read[]; signal: AbortSignal },
): Promise<(Hex | null)[] | undefined> {
  const answers = await endpoint.ask([ethCall({ to: multicall, data: encodeReads(reads) }, "latest")], signal);
  const [answer] = typeof answers === "string" ? [] : answers;
  return answer?.ok ? decodeReads(answer.result, reads.length) : undefined;
}

function readBoth(answers: readonly RpcAnswer[], count: number): Details["reads"] {
  for (const [i, at] of (["block", "latest"] as const).entries()) {
    const answer = answers[i];
    const returns = answer?.ok ? decodeReads(answer.result, count) : undefined;
    if (returns !== undefined) return { returns, at };
  }
  return undefined;
}

function readEthCall(answer: RpcAnswer): EthCallAnswer {
  if (!answer.ok) return isRevert(answer) ? "reverted" : "failed";
  const data = readHex(answer.result);
  if (data === undefined) return "failed";
  return data === "0x" ? "reverted" : data;
}
