import type { Address } from "../kernel/address.ts";
import type { HistoryLookup, RiskLookups, RiskPlan } from "../model/risk-lookups.ts";
import type { ReadState } from "../model/state-read.ts";
import { type DrainerLists, openDrainerLists } from "./drainer-lists.ts";
import { createJsonSource, type JsonSource } from "./json-source.ts";
import { createPublishedSource } from "./published-source.ts";
import { createSenderHistory, type LookUpHistory } from "./sender-history.ts";
import { lookUpVerification } from "./verification.ts";

export interface RiskSourcesOptions {
  chainId: number;
  /** null: not asked. */
  sourcifyUrl: string | null;
  /** null: not asked. */
  blockscoutUrl: string | null;
  /** URLs and paths. */
  drainerLists: readonly string[];
  /** null: lists are not kept between starts. */
  drainerDir: string | null;
  drainerRefreshMs: number;
  /** Milliseconds for the download of one list; nobody waits for it longer than for a lookup. */
  downloadMs?: number;
  /** Milliseconds for each lookup of one transaction. */
  deadlineMs: number;
  /** Pages of each list of an account's history. */
  historyPages: number;
  clock?: { now(): number };
}

/** Everything outside of the chain that the risk checks ask. */
export interface RiskSources {
  /** Asks all of it beside each other, each within its deadline. Never rejects: what did not answer is said to be unavailable. */
  look(plan: RiskPlan, io: { readState: ReadState; signal: AbortSignal }): Promise<RiskLookups>;
  /** Loads the drainer lists, or renews those that are due. The first look does it too. */
  refresh(): Promise<void>;
  close(): void;
}

/** Nothing is sent yet. */
export function openRiskSources(options: RiskSourcesOptions): RiskSources {
  const { clock = Date, deadlineMs, chainId } = options;
  const time = () => new Date(clock.now()).toISOString();
  const sourcify = open(options.sourcifyUrl, clock);
  const blockscout = open(options.blockscoutUrl, clock);
  const askPublished = createPublishedSource({ sourcify, blockscout, chainId, clock });
  // History has a line of its own, so that its pages do not stand before the short questions.
  const explorer = open(options.blockscoutUrl, clock);
  const lookUpHistory =
    explorer === null ? undefined : createSenderHistory(explorer, { pages: options.historyPages, clock });
  const drainers: DrainerLists = openDrainerLists(options.drainerLists, {
    dir: options.drainerDir,
    refreshMs: options.drainerRefreshMs,
    timeoutMs: options.downloadMs ?? 30_000,
    clock,
  });

  return {
    refresh: drainers.refresh,
    close: drainers.close,
    async look(plan, { readState, signal: outer }) {
      const limit = () => AbortSignal.any([outer, AbortSignal.timeout(deadlineMs)]);
      const [verification, history, listed] = await Promise.all([
        lookUpVerification(plan.verify, askPublished, { block: plan.place.block, readState, signal: limit(), time }),
        lookUpHistories(plan, lookUpHistory, { signal: limit(), time }),
        drainers.look(plan.listed, { signal: limit(), time }),
      ]);
      return { verification, history, drainers: listed };
    },
  };
}

function open(url: string | null, clock: { now(): number }): JsonSource | null {
  return url === null ? null : createJsonSource(url, { clock });
}

async function lookUpHistories(
  { histories, place }: RiskPlan,
  lookUp: LookUpHistory | undefined,
  context: { signal: AbortSignal; time(): string },
): Promise<Record<Address, HistoryLookup>> {
  if (lookUp === undefined) return {};
  const told = await Promise.all(
    histories.map(async (account) => [account, await lookUp({ account, place, ...context })] as const),
  );
  return Object.fromEntries(told);
}
