import type { WholeEngine } from "../../engine/engine.ts";
import type { ThreadedEngine } from "../../engine/engine-thread.ts";
import { createExplainer, type Explainer, type Stages } from "../../gather/explain/explain.ts";
import { createViewer, type Viewer } from "../../gather/explain/viewer.ts";
import { fetchTransaction } from "../../gather/fetch/fetch.ts";
import { openLookup } from "../../gather/lookup/lookup.ts";
import { createChainlinkPrice } from "../../gather/lookup/price/price.ts";
import { openRiskLookups } from "../../gather/lookup/risk/risk-lookups.ts";
import { openViewLookup } from "../../gather/lookup/view/view-lookup.ts";
import type { HealthChange, HealthReport } from "../../gather/network/health/endpoint-health.ts";
import { type Network, openNetwork } from "../../gather/network/network.ts";
import type { ChainHead } from "../../gather/network/rpc/head.ts";
import { createMessagePreviewer, type MessagePreviewer } from "../../gather/preview/message-preview.ts";
import { createPreviewer, type Previewer, type PreviewStages } from "../../gather/preview/preview.ts";
import { openRecordings } from "../../gather/recordings/recordings.ts";
import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { assert } from "../../kernel/error.ts";
import type { Logger } from "../../kernel/logger.ts";
import { createProbe } from "../../kernel/probe.ts";
import type { Config } from "../settings/config.ts";

export interface OpenedExplainer extends Explainer {
  readonly viewer: Viewer;
  /** Loads drainer lists, probes endpoints. */
  start(): void;
  /** The newest known where none answers. Never rejects. */
  readHead(): Promise<ChainHead | null>;
  /** For viem's clients. */
  transport: Network["transport"];
  /** Each alone. */
  witnesses: Network["witnesses"];
  /** Asks no endpoint. */
  health(): readonly HealthReport[];
  previewer: Previewer;
  messages: MessagePreviewer;
}

export interface ExplainerParts {
  /** For large cases; closed with the explainer. */
  threaded?: ThreadedEngine;
  /** Of failing and answering endpoints. */
  log?: Logger;
}

/** Sends nothing. */
export function openExplainer(
  config: Config,
  engine: WholeEngine,
  { threaded, log }: ExplainerParts = {},
): OpenedExplainer {
  const [multicall] = engine.labels.system("multicall3");
  const [l1FeeOracle = null] = engine.labels.system("gas_price_oracle");
  assert(multicall !== undefined, "labels name no multicall3");
  const { lookups, recordingsDir } = config;
  const { rpcUrls, rpcTimeoutMs: callTimeoutMs, endpointSockets: socketsMax, blockscoutUrl, blockscoutKey } = config;
  const endpoints = { rpcUrls, callTimeoutMs, socketsMax, blockscoutUrl, blockscoutKey, pricesUrl: config.pricesUrl };
  const network = openNetwork({ chainId: chain.id, ...endpoints, ...lookups });
  if (log !== undefined) network.watch((change) => logChange(log, change));
  // While no endpoint is known to answer, each request for a recorded transaction triggers a new check.
  const probe = createProbe(network.head.read, null, { freshMs: probeMs, waitMs: 0 });
  const isOnline = () => {
    if (network.pool.isOnline()) return true;
    void probe();
    return false;
  };
  const parts = { config, engine, network, threaded, multicall, l1FeeOracle };
  const stages = openStages(parts);
  const { deadlineMs, cacheBytes } = config;
  const { previewer, messages } = openPreviews(parts, stages);
  const explainer = createExplainer({
    stages: {
      ...stages,
      fetch: openFetch(parts),
      ...(threaded && { admit: threaded.admit, measure: threaded.measure }),
    },
    recordings: recordingsDir === null ? null : openRecordings(recordingsDir, chain.id),
    isOnline,
    ...{ cacheBytes, deadlineMs },
    work: config.work,
  });
  const lookUpView = openViewLookup({ network, multicall, feedOf: engine.labels.feed, deadlineMs: callTimeoutMs });
  const { decide } = threaded ?? engine;
  return {
    ...explainer,
    viewer: createViewer({ explainer, decide, lookUp: lookUpView, cacheBytes: Math.ceil(config.cacheBytes / 8) }),
    start() {
      void network.probe();
      void probe();
      if (lookups !== null) void network.drainers.refresh();
    },
    readHead: network.head.read,
    transport: network.transport,
    witnesses: network.witnesses,
    health: network.health,
    previewer,
    messages,
    close() {
      explainer.close();
      previewer.close();
      threaded?.close();
      network.close();
    },
  };
}

interface Parts {
  config: Config;
  engine: WholeEngine;
  network: Network;
  threaded: ThreadedEngine | undefined;
  multicall: Address;
  l1FeeOracle: Address | null;
}

function openPreviews({ config, engine, network, l1FeeOracle }: Parts, stages: PreviewStages) {
  const { lookups, deadlineMs } = config;
  const work = { ...previewWork, clientMax: config.work.clientMax };
  const previewer = createPreviewer({
    pool: network.pool,
    stages,
    work,
    l1FeeOracle,
    calendar: engine.labels.calendar,
    deadlineMs,
  });
  const messages = createMessagePreviewer({
    pool: network.pool,
    plan: (question) => engine.planMessage(question, lookups?.max),
    lookUp: stages.lookUp,
    decide: engine.decideMessage,
    deadlineMs,
    work,
  });
  return { previewer, messages };
}

function openStages({ config: { lookups }, engine, network, threaded, multicall }: Parts): PreviewStages {
  const [feed] = engine.labels.system("eth_usd_feed");
  const facts = { proxies: engine.labels.proxies, readGrantee: engine.granteeOf };
  return {
    plan: (draft, signal, asker) =>
      threaded?.planLookups(draft, lookups?.max, signal, asker) ?? engine.planLookups(draft, lookups?.max),
    lookUp: openLookup({
      network,
      multicall,
      price: feed === undefined ? null : createChainlinkPrice(feed),
      lookUpRisk: lookups && openRiskLookups({ network, ...lookups, ...facts, clock: Date }),
      clock: Date,
    }),
    decide: (threaded ?? engine).decide,
  };
}

/**
 * Paid answers are heard from two endpoints where there are two. A block number is impossible by the calendar of the labels, with a year
 * left for faster blocks: an endpoint that lies about the newest block could shut all others out.
 */
function openFetch({ config, engine, network: { pool } }: Parts): Stages["fetch"] {
  const { blocks } = engine.labels.calendar;
  const numberMax = blocks === null ? undefined : () => Number(blocks.blockAt(Date.now() / 1_000 + yearSeconds));
  const hasWitness = config.payments !== null;
  return (hash, signal) => fetchTransaction(hash, { chainId: chain.id, pool, signal, numberMax, hasWitness });
}

const yearSeconds = 365 * 86_400;

const previewWork = { runningMax: 32, waitingMax: 128 };

/** Ms, while no endpoint answers. */
const probeMs = 5_000;

/** Trouble is a warning; its end, and what a server lacks, information. */
function logChange(log: Logger, { reason, after, ...endpoint }: HealthChange): void {
  const tell = reason === null || reason === "missing" ? log.info : log.warn;
  tell({ event: "endpoint", ...endpoint, outcome: reason ?? "answers", ms: reason === null ? after : undefined });
}
