import { LRUCache } from "lru-cache";
import type { Address } from "../../kernel/address.ts";
import { readQuantity } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { CaseFile, PriceLookup, RpcReceipt, TokenLookup, Trace } from "../../model/case-file.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import { type Fetched, traceReasons } from "../fetch/fetch.ts";
import { contradictedByWitness } from "../fetch/witness.ts";
import type { InternalTransferAnswer } from "../network/blockscout/internal-transfers.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import type { Network } from "../network/network.ts";
import { lacks, traceMethods } from "../network/rpc/trace-method.ts";
import { byteSize } from "./byte-size.ts";
import { multicallSource, openReads, settleReads, type TokenMemory } from "./contract-reads.ts";
import { type Details, fetchDetails, readLatest } from "./fetch-details.ts";
import type { ChainlinkPrice } from "./price/price.ts";
import type { LookUpRisk } from "./risk/risk-lookups.ts";
import { tokenLifetime } from "./token-metadata.ts";

export interface LookupOptions {
  network: Pick<Network, "pool" | "head" | "blockscout">;
  /** Multicall3 on this chain. */
  multicall: Address;
  /** null: none is configured. */
  price: ChainlinkPrice | null;
  /** null: none. */
  lookUpRisk: LookUpRisk | null;
  clock: Clock;
}

/**
 * What is missing is marked in the case file. Rejects with ServiceError `upstream_unavailable` only where another endpoint told something
 * else.
 */
export type LookUp = (fetched: Fetched, plan: LookupPlan, signal: AbortSignal) => Promise<CaseFile>;

/** One round trip, risk lookups beside it; then, where needed, explorer and price history. Remembers answers of tokens. */
export function openLookup(options: LookupOptions): LookUp {
  const { network, multicall, price, lookUpRisk, clock } = options;
  const { pool, blockscout } = network;
  const memory = createTokenMemory(clock);
  return async (fetched, plan, signal) => {
    const { draft } = fetched;
    const risk = lookUpRisk?.(plan.risk, signal);
    const set = openReads(plan, memory);
    // A simulated transaction was not mined, so there is no trace of it to ask for.
    const wantTrace = draft.simulation === undefined && draft.trace.source === "none" && !isPlain(draft.receipt);
    const listing =
      wantTrace && offersNoTrace(network) ? blockscout?.listInternalTransfers(draft.tx_hash, signal) : undefined;
    const request = { fetched, multicall, reads: set.reads, calls: price?.calls() ?? [], wantTrace };
    const details = await fetchDetails(request, { pool, signal });
    const block = details.block ?? (details.isDisputed ? withoutTime(draft.block) : draft.block);
    const [trace, ethPrice, answers, verdict] = await Promise.all([
      settleTrace(details, { fetched, block, listing, signal }, options),
      settlePrice(details, { block, signal }, options),
      risk,
      fetched.verdict,
    ]);
    if (verdict === "differs") throw contradictedByWitness();
    network.head.note(block);
    const read = details.reads && {
      returns: details.reads.returns,
      source: `${multicallSource}@${details.reads.at === "block" ? Number(block.number) : "latest"}`,
    };
    return {
      ...draft,
      gathered_at: new Date(clock.now()).toISOString(),
      block,
      trace,
      ...settleReads(set, read, memory),
      price: ethPrice,
      ...(answers === undefined ? {} : { risk: answers }),
    };
  };
}

/** The block contradicts it. */
function withoutTime({ timestamp: _, ...block }: CaseFile["block"]): CaseFile["block"] {
  return block;
}

/** Limited by bytes. */
export function createTokenMemory(clock: Clock): TokenMemory {
  const size = { maxSize: serviceLimits.tokenCacheBytes, sizeCalculation: byteSize };
  const lookups = new LRUCache<Address, TokenLookup>({ ...size, ttl: 1, ttlResolution: 0, perf: clock });
  return {
    get: (token) => lookups.get(token),
    set(token, lookup) {
      const ttl = tokenLifetime(lookup.status);
      if (ttl > 0) lookups.set(token, lookup, { ttl });
    },
  };
}

/** It ran no code: refunds cannot reduce used gas to 21,000 (EIP-3529). */
function isPlain(receipt: RpcReceipt): boolean {
  return readQuantity(receipt.gasUsed) === 21_000n;
}

/** Then the explorer is asked at once. */
function offersNoTrace({ pool }: Pick<Network, "pool">): boolean {
  return pool.inOrder().every((endpoint) => traceMethods.every((method) => lacks(endpoint, method)));
}

interface TraceQuestion {
  fetched: Fetched;
  block: CaseFile["block"];
  /** If asked at the start. */
  listing: Promise<InternalTransferAnswer> | undefined;
  signal: AbortSignal;
}

async function settleTrace(
  details: Details,
  { fetched: { draft }, block, listing, signal }: TraceQuestion,
  { network, clock }: LookupOptions,
): Promise<Trace> {
  const { blockscout } = network;
  if (draft.trace.source !== "none" || draft.simulation !== undefined) return draft.trace;
  if (details.trace !== undefined) return details.trace;
  if (isPlain(draft.receipt)) return { source: "none", reason: traceReasons.plain };
  if (blockscout === null)
    return { source: "none", reason: offersNoTrace(network) ? traceReasons.none : traceReasons.failed };
  const listed = await (listing ?? blockscout.listInternalTransfers(draft.tx_hash, signal));
  if (typeof listed === "string") return { source: "none", reason: traceReasons[listed] };
  const isOld = block.timestamp !== undefined && clock.now() / 1000 - Number(block.timestamp) > explorerLagSeconds;
  return listed.length > 0 || isOld
    ? { source: "internal_transfers", provider: blockscout.name, internal_transfers: listed }
    : { source: "none", reason: traceReasons.failed };
}

/** Seconds: before it has indexed a block's inner calls, its list is empty too. */
const explorerLagSeconds = 600;

async function settlePrice(
  { endpoint, calls }: Details,
  { block, signal }: { block: CaseFile["block"]; signal: AbortSignal },
  { price, multicall }: LookupOptions,
): Promise<PriceLookup> {
  if (price === null) return { status: "absent", source: "no price feed is configured", eth_usd: null };
  return price.settle({
    answers: calls,
    blockTime: block.timestamp === undefined ? null : Number(block.timestamp),
    signal,
    read: async (reads, within) =>
      endpoint === null ? undefined : await readLatest(endpoint, { multicall, reads, signal: within }),
  });
}
