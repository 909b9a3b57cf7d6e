import { onTestFinished } from "vitest";
import { createExplainer } from "../../src/gather/explain/explain.ts";
import { fetchTransaction } from "../../src/gather/fetch/fetch.ts";
import { type LookupOptions, openLookup } from "../../src/gather/lookup/lookup.ts";
import { type NetworkOptions, openNetwork } from "../../src/gather/network/network.ts";
import { openRecordings } from "../../src/gather/recordings/recordings.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { LookupPlan } from "../../src/model/lookup-plan.ts";
import { alice, multicallAddress, tokenAddress } from "./rpc-server-chain.ts";
import { evidenceOf, hashOf, pictureFactsOf } from "./sample.ts";

/** A clock that a test sets by hand, in milliseconds since the epoch. It starts one day after the fixture's blocks. */
export function handClock(): { time: number; now(): number } {
  const clock = { time: (1_700_000_000 + 86_400) * 1000, now: () => clock.time };
  return clock;
}

interface GathererOptions extends Partial<Omit<NetworkOptions, "rpcUrls">> {
  price?: LookupOptions["price"];
  recordingsDir?: string | null;
  deadlineMs?: number;
  hasWitness?: boolean;
  numberMax?: () => number;
  planLookups?(draft: CaseFile): Pick<LookupPlan, "tokens" | "reads">;
}

const place = { hash: hashOf(0), from: alice, nonce: null, block: 1, index: null };

/**
 * The real explainer over local servers. It is closed when the test ends. Its answers are the case files that `gather` makes. It looks up
 * one token and has no price.
 */
export function openGatherer(rpcUrls: string[], options: GathererOptions = {}) {
  const { clock = handClock(), price = null, recordingsDir = null, deadlineMs, hasWitness, numberMax } = options;
  const { planLookups = () => ({ tokens: [tokenAddress], reads: [] }) } = options;
  const network = openNetwork({ chainId: 8453, rpcUrls, blockscoutUrl: null, callTimeoutMs: 2_000, clock, ...options });
  const explainer = createExplainer({
    stages: {
      fetch: (hash, signal) =>
        fetchTransaction(hash, { chainId: 8453, pool: network.pool, signal, hasWitness, numberMax }),
      plan: (draft) => ({ ...planLookups(draft), risk: { verify: [], histories: [], listed: [], place } }),
      lookUp: openLookup({ network, multicall: multicallAddress, price, lookUpRisk: null, clock }),
      decide: (caseFile) => ({
        explanation: caseFile as never,
        evidence: () => evidenceOf(),
        pictureFacts: pictureFactsOf,
      }),
    },
    recordings: recordingsDir === null ? null : openRecordings(recordingsDir, 8453),
    cacheBytes: 128 * 1024 * 1024,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    clock,
  });
  const close = () => {
    explainer.close();
    network.close();
  };
  onTestFinished(close);
  return {
    gather: async (hash: Hash, signal?: AbortSignal): Promise<CaseFile> =>
      (await explainer.explain(hash, signal)).explanation as never,
    head: network.head.newest,
    readHead: network.head.read,
    health: network.health,
    close,
  };
}
