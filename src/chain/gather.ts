import { LRUCache } from "lru-cache";
import type { Address } from "../kernel/address.ts";
import { ServiceError } from "../kernel/error.ts";
import type { Hash } from "../kernel/hex.ts";
import type { CaseFile, TokenLookup } from "../model/case-file.ts";
import type { GatherPlan } from "../model/gather-plan.ts";
import { type CollectContext, collectCase } from "./collect.ts";
import type { Clock } from "./endpoint.ts";
import { createEndpointPool } from "./endpoint-pool.ts";
import { createExplorer } from "./explorer.ts";
import { type ChainHead, createHeadMemory } from "./head.ts";
import { caseLifetime, caseWeight, failureLifetime, lifetimes, tokenLifetime } from "./lifetime.ts";
import type { TokenMemory } from "./lookup-set.ts";
import type { PriceSource } from "./price-source.ts";
import { openRecordings } from "./recordings.ts";
import type { RiskSource } from "./risk-source.ts";
import { createStateReader } from "./state-reader.ts";

export interface GathererOptions {
  /** An endpoint of another chain is refused. */
  chainId: number;
  /** Tried in order. */
  rpcUrls: readonly string[];
  /** null: not asked. */
  blockscoutUrl: string | null;
  /** A directory of `<hash>.json` case files, consulted before any endpoint; null: none. */
  recordingsDir: string | null;
  /** Milliseconds for one call to one endpoint. */
  callTimeoutMs: number;
  /** Milliseconds for one gathering, all endpoints together. */
  deadlineMs?: number;
  /** Multicall3 on this chain. */
  multicall: Address;
  /** What the second round trip is to look up, by the case as far as the first one tells it. Must not throw. */
  planLookups(draft: CaseFile): GatherPlan;
  /** null: cases say that no price is configured. */
  price: PriceSource | null;
  /** Whom the risk checks ask; null or absent: nobody, and cases hold no such answers. */
  risk?: RiskSource | null;
  /** Memory for gathered cases. */
  cacheBytes?: number;
  clock?: Clock;
}

/** The gather half: from a hash to a case file. */
export interface Gatherer {
  /**
   * The case of a transaction: remembered, recorded or fetched. Rejects with ServiceError `transaction_not_found`,
   * `transaction_pending` or `upstream_unavailable`, and with CaseFileError for a broken recording. Callers of one hash share
   * one gathering; `signal` ends the wait of this caller only.
   */
  gather(hash: Hash, signal?: AbortSignal): Promise<CaseFile>;
  /** The newest block any answer mentioned; null before the first. Asks nobody. */
  head(): ChainHead | null;
  /** Asks for the newest block, within the call timeouts; the newest known when nobody answers. Never rejects. */
  readHead(): Promise<ChainHead | null>;
  /** Ends what is under way with `upstream_unavailable`; nothing is asked any more. */
  close(): void;
}

/** Makes a gatherer; nothing is sent. Throws when the recordings directory cannot be listed. */
export function createGatherer(options: GathererOptions): Gatherer {
  const { chainId, callTimeoutMs, recordingsDir, blockscoutUrl, deadlineMs = 8_000, clock = Date } = options;
  const closing = new AbortController();
  const pool = createEndpointPool(options.rpcUrls, { chainId, callTimeoutMs, clock });
  const heads = createHeadMemory({ pool, callTimeoutMs, signal: closing.signal });
  const recordings = recordingsDir === null ? undefined : openRecordings(recordingsDir, chainId);
  const explorer = blockscoutUrl === null ? null : createExplorer(blockscoutUrl, { callTimeoutMs, clock });
  const risk = options.risk ?? null;
  const readState = createStateReader(pool);
  const context = { ...options, clock, pool, explorer, risk, readState, tokens: createTokenMemory(clock) };
  const memory = createMemory(clock, options.cacheBytes ?? 128 * 1024 * 1024);
  const flights = new Map<Hash, Promise<CaseFile>>();

  async function fetchCase(hash: Hash): Promise<CaseFile> {
    if (recordings?.has(hash)) {
      const recorded = await recordings.read(hash);
      memory.keep(hash, recorded, lifetimes.settled);
      return recorded;
    }
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)]);
    const gathered = await collectCase(hash, { ...context, signal } satisfies CollectContext);
    heads.note(gathered.block);
    memory.keep(hash, gathered, caseLifetime(gathered, clock.now()));
    return gathered;
  }

  function share(hash: Hash): Promise<CaseFile> {
    const started =
      flights.get(hash) ??
      fetchCase(hash)
        .catch((error: unknown) => {
          if (error instanceof ServiceError) memory.keep(hash, error, failureLifetime(error));
          throw error;
        })
        .finally(() => flights.delete(hash));
    flights.set(hash, started);
    return started;
  }

  return {
    head: heads.head,
    readHead: heads.readHead,
    close: () => closing.abort(),
    async gather(hash, signal) {
      const known = memory.get(hash);
      if (known instanceof ServiceError) throw known;
      return known ?? (await untilAborted(share(hash), signal));
    },
  };
}

interface CaseMemory {
  get(hash: Hash): CaseFile | ServiceError | undefined;
  keep(hash: Hash, outcome: CaseFile | ServiceError, lifetimeMs: number): void;
}

/** Failures live apart, so that a flood of unknown hashes cannot push out what was gathered. */
function createMemory(clock: Clock, cacheBytes: number): CaseMemory {
  const shared = { ttlResolution: 0, perf: clock, ttl: lifetimes.young };
  const cases = new LRUCache<Hash, CaseFile>({ ...shared, maxSize: cacheBytes, sizeCalculation: caseWeight });
  const failures = new LRUCache<Hash, ServiceError>({ ...shared, max: 10_000 });
  return {
    get: (hash) => cases.get(hash) ?? failures.get(hash),
    keep(hash, outcome, lifetimeMs) {
      if (lifetimeMs <= 0) return;
      if (outcome instanceof ServiceError) failures.set(hash, outcome, { ttl: lifetimeMs });
      else cases.set(hash, outcome, { ttl: lifetimeMs });
    },
  };
}

function createTokenMemory(clock: Clock): TokenMemory {
  const lookups = new LRUCache<Address, TokenLookup>({
    max: 20_000,
    ttl: lifetimes.tokenAbsent,
    ttlResolution: 0,
    perf: clock,
  });
  return {
    get: (token) => lookups.get(token),
    set(token, lookup) {
      const ttl = tokenLifetime(lookup.status);
      if (ttl > 0) lookups.set(token, lookup, { ttl });
    },
  };
}

/** Gives up waiting when the signal says so; what is waited for goes on for others. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 }));
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
