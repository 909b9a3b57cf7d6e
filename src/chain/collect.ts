import type { Address } from "../kernel/address.ts";
import { type Hash, readQuantity } from "../kernel/hex.ts";
import type { CaseFile, PriceLookup, RpcReceipt, Trace } from "../model/case-file.ts";
import type { GatherPlan } from "../model/gather-plan.ts";
import type { RiskLookups } from "../model/risk-lookups.ts";
import type { ReadState } from "../model/state-read.ts";
import type { Clock } from "./endpoint.ts";
import type { EndpointPool } from "./endpoint-pool.ts";
import type { Explorer, ExplorerAnswer } from "./explorer.ts";
import { type Finding, findTransaction, type TripContext } from "./first-trip.ts";
import { traceReasons } from "./lifetime.ts";
import { multicallSource, openLookups, settleLookups, type TokenMemory } from "./lookup-set.ts";
import type { PriceSource } from "./price-source.ts";
import type { RiskSource } from "./risk-source.ts";
import { askRest, readLatest, type SecondAnswer } from "./second-trip.ts";
import { lacks } from "./trace-method.ts";

export interface CollectContext extends TripContext {
  chainId: number;
  clock: Clock;
  multicall: Address;
  explorer: Explorer | null;
  price: PriceSource | null;
  risk: RiskSource | null;
  readState: ReadState;
  tokens: TokenMemory;
  planLookups(draft: CaseFile): GatherPlan;
}

/**
 * Gathers a case from the network: two round trips to the endpoints with the risk lookups beside the second, then, only where
 * needed, the explorer and the price's history beside each other. Rejects as findTransaction does; once the transaction is found, whatever else is missing is said
 * to be missing in the case.
 */
export async function collectCase(hash: Hash, context: CollectContext): Promise<CaseFile> {
  const finding = await findTransaction(hash, context);
  const { transaction, receipt } = finding;
  const draft = draftOf(hash, finding, context.chainId);
  const risk = lookUpRisk(draft, context);
  const lookups = openLookups(context.planLookups(draft), context.tokens);
  const request = {
    hash,
    finding,
    multicall: context.multicall,
    reads: lookups.reads,
    calls: context.price?.calls() ?? [],
    wantTrace: finding.trace === undefined && !isPlain(receipt),
  };
  const listing =
    request.wantTrace && nobodyTraces(context.pool) ? context.explorer?.listInternal(hash, context.signal) : undefined;
  const rest = await askRest(request, context);
  const block = rest.block ?? finding.block;
  const [trace, price, answers] = await Promise.all([
    settleTrace(rest, { finding, hash, listing }, context),
    settlePrice(rest, { ...finding, block }, context),
    risk,
  ]);
  const answer = rest.reads && {
    returns: rest.reads.returns,
    source: `${multicallSource}@${rest.reads.at === "block" ? Number(block.number) : "latest"}`,
  };
  return {
    version: 1,
    chain_id: context.chainId,
    tx_hash: hash,
    gathered_at: new Date(context.clock.now()).toISOString(),
    transaction,
    receipt,
    block,
    trace,
    ...settleLookups(lookups, answer, context.tokens),
    price,
    ...(answers === undefined ? {} : { risk: answers }),
  };
}

/** The lookups go by what the first round trip found, so that they run beside the second. */
function lookUpRisk(draft: CaseFile, context: CollectContext): Promise<RiskLookups> | undefined {
  const { risk, readState, signal } = context;
  return risk?.look(risk.plan(draft), { readState, signal });
}

/** The case as far as the first round trip tells it. */
function draftOf(hash: Hash, { transaction, receipt, block, trace: found }: Finding, chainId: number): CaseFile {
  const trace = found ?? { source: "none" as const, reason: traceReasons.failed };
  const price = { status: "unavailable" as const, source: "not asked yet", eth_usd: null };
  const draft = { version: 1 as const, chain_id: chainId, tx_hash: hash, gathered_at: "", transaction, receipt, block };
  return { ...draft, trace, tokens: {}, reads: [], price };
}

/** 21000 gas is what a transaction costs before any code runs, and no refund exceeds its cost (EIP-3529): nothing moved inside. */
function isPlain(receipt: RpcReceipt): boolean {
  return readQuantity(receipt.gasUsed) === 21_000n;
}

/** True when every endpoint is known to lack both trace methods, so that the explorer need not wait for them to say so. */
function nobodyTraces(pool: EndpointPool): boolean {
  return pool
    .order()
    .every((endpoint) => lacks(endpoint, "debug_traceTransaction") && lacks(endpoint, "trace_transaction"));
}

interface TraceQuestion {
  hash: Hash;
  finding: Finding;
  /** The explorer's answer, where it was asked early. */
  listing: Promise<ExplorerAnswer> | undefined;
}

async function settleTrace(rest: SecondAnswer, question: TraceQuestion, context: CollectContext): Promise<Trace> {
  const { finding, hash, listing } = question;
  const { explorer, pool, signal, clock } = context;
  const traced = finding.trace ?? rest.trace;
  if (traced !== undefined) return traced;
  if (isPlain(finding.receipt)) return { source: "none", reason: traceReasons.plain };
  if (explorer === null)
    return { source: "none", reason: nobodyTraces(pool) ? traceReasons.none : traceReasons.failed };
  const internal = await (listing ?? explorer.listInternal(hash, signal));
  if (typeof internal === "string") return { source: "none", reason: traceReasons[internal] };
  const time = (rest.block ?? finding.block).timestamp;
  const isOld = time !== undefined && clock.now() / 1000 - Number(time) > explorerLagSeconds;
  return internal.length > 0 || isOld
    ? { source: "blockscout", internal }
    : { source: "none", reason: traceReasons.failed };
}

/** An explorer answers an empty list also until it has looked inside the block. */
const explorerLagSeconds = 600;

function settlePrice(
  rest: SecondAnswer,
  { block }: Pick<Finding, "block">,
  context: CollectContext,
): Promise<PriceLookup> {
  const { price, multicall } = context;
  if (price === null)
    return Promise.resolve({ status: "absent", source: "no price feed is configured", eth_usd: null });
  const { endpoint } = rest;
  return price.settle({
    answers: rest.calls,
    blockTime: block.timestamp === undefined ? null : Number(block.timestamp),
    signal: context.signal,
    read: async (reads, signal) =>
      endpoint === null ? undefined : await readLatest(endpoint, { multicall, reads, signal }),
  });
}
