import { openDeadline } from "../../../kernel/abort.ts";
import type { Address } from "../../../kernel/address.ts";
import type { ProxyForm } from "../../../model/label.ts";
import type { RiskPlan } from "../../../model/lookup-plan.ts";
import type { HistoryLookup, RiskLookups } from "../../../model/risk-lookups.ts";
import type { Clock } from "../../network/health/endpoint-health.ts";
import type { Network } from "../../network/network.ts";
import type { ReadGrantee } from "./own-act.ts";
import { createProxyReader } from "./proxy.ts";
import { createSenderHistory, type LookUpHistory } from "./sender-history.ts";
import { createPublishedSource, lookUpVerification } from "./verification.ts";

export interface RiskLookupOptions {
  network: Network;
  /** For all lookups of one transaction. */
  deadlineMs: number;
  /** Pages of each list. */
  historyPages: number;
  proxies: readonly ProxyForm[];
  /** Calls that give rights over tokens. */
  readGrantee: ReadGrantee;
  clock: Clock;
}

/** Never rejects: `unavailable` without an answer. */
export type LookUpRisk = (plan: RiskPlan, signal: AbortSignal) => Promise<RiskLookups>;

/** All at once, within the deadline. Opening sends nothing. */
export function openRiskLookups(options: RiskLookupOptions): LookUpRisk {
  const { network, deadlineMs, historyPages, readGrantee, clock } = options;
  const proxies = createProxyReader(options.proxies);
  const { sourcify, blockscout, drainers, readState } = network;
  const time = () => new Date(clock.now()).toISOString();
  const servers = [sourcify, blockscout].filter((server) => server !== null);
  const askPublished = createPublishedSource(servers, clock);
  const lookUpHistory =
    blockscout === null ? undefined : createSenderHistory(blockscout, { pages: historyPages, readGrantee, clock });
  return async (plan, outer) => {
    const deadline = openDeadline(deadlineMs, outer);
    const context = { signal: deadline.signal, time };
    const { block } = plan.place;
    try {
      const [verification, history, listed] = await Promise.all([
        lookUpVerification(plan.verify, askPublished, { block, readState, proxies, ...context }),
        lookUpHistories(plan, lookUpHistory, context),
        drainers.look(plan.listed, context),
      ]);
      return { verification, history, drainers: listed };
    } finally {
      deadline.end();
    }
  };
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
