import type { Engine } from "../engine/engine.ts";
import type { ThreadedEngine } from "../engine/engine-thread.ts";
import { createExplainer, type Explainer } from "../explain/explain.ts";
import { fetchTransaction } from "../fetch/fetch.ts";
import { chain } from "../kernel/chain-profile.ts";
import { assert } from "../kernel/error.ts";
import { openLookup } from "../lookup/lookup.ts";
import { createChainlinkPrice } from "../lookup/price/price.ts";
import { openRiskLookups } from "../lookup/risk/risk-lookups.ts";
import type { HealthReport } from "../network/health/endpoint-health.ts";
import { openNetwork } from "../network/network.ts";
import type { ChainHead } from "../network/rpc/head.ts";
import { openRecordings } from "../recordings/recordings.ts";
import type { Config } from "../settings/config.ts";

/** An explainer over the configured endpoints. */
export interface OpenedExplainer extends Explainer {
  /** Begins to load the drainer lists. */
  start(): void;
  /** The newest block, asked of the endpoints; the newest known when none answers. Never rejects. */
  readHead(): Promise<ChainHead | null>;
  /** How each endpoint answers. Asks nobody. */
  health(): readonly HealthReport[];
}

/** Puts endpoints, stages and recordings together. Nothing is sent yet. `threaded`: decides what is large; closed with the explainer. */
export function openExplainer(config: Config, engine: Engine, threaded?: ThreadedEngine): OpenedExplainer {
  const [multicall] = engine.labels.system("multicall3");
  const [feed] = engine.labels.system("eth_usd_feed");
  assert(multicall !== undefined, "labels name no multicall3");
  const { lookups, recordingsDir } = config;
  const { rpcUrls, rpcTimeoutMs: callTimeoutMs, blockscoutUrl } = config;
  const network = openNetwork({ chainId: chain.id, rpcUrls, callTimeoutMs, blockscoutUrl, ...lookups });
  const lookUp = openLookup({
    network,
    multicall,
    price: feed === undefined ? null : createChainlinkPrice(feed),
    lookUpRisk: lookups && openRiskLookups({ network, ...lookups, clock: Date }),
    clock: Date,
  });
  const explainer = createExplainer({
    stages: {
      fetch: (hash, signal) => fetchTransaction(hash, { chainId: chain.id, pool: network.pool, signal }),
      plan: (draft) => (threaded?.plan ?? engine.planLookups)(draft, lookups?.max),
      lookUp,
      decide: threaded?.decide ?? engine.decide,
    },
    recordings: recordingsDir === null ? null : openRecordings(recordingsDir, chain.id),
    cacheBytes: config.cacheBytes,
    deadlineMs: config.deadlineMs,
  });
  return {
    ...explainer,
    start: () => void (lookups !== null && network.drainers.refresh()),
    readHead: network.head.read,
    health: network.health,
    close() {
      explainer.close();
      threaded?.close();
      network.close();
    },
  };
}
