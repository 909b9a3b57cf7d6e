import { openDeadline, unlessAborted } from "../../../kernel/abort.ts";
import type { Address } from "../../../kernel/address.ts";
import type { DrainerLookup } from "../../../model/risk-lookups.ts";
import type { HealthReport } from "../health/endpoint-health.ts";
import { createDrainerSource, type DrainerSourceOptions } from "./drainer-list.ts";

/**
 * Opens all drainer lists of a process, by URLs and paths (`at`). Nothing is loaded until the first use: then from disk, then from the
 * source. After that the lists are renewed in the background.
 */
export function openDrainerLists(at: readonly string[], options: DrainerSourceOptions) {
  const { clock } = options;
  const closing = new AbortController();
  const sources = at.map((one) => createDrainerSource(one, options));
  let restored: Promise<unknown> | undefined;
  let loading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let tried = 0;

  /** Loads missing lists, renews those that are due, and starts to repeat this in the background. Only one renewal runs at a time. */
  function refresh(): Promise<void> {
    tried = clock.now();
    restored ??= Promise.all(sources.map((source) => source.restore()));
    // The timer is short because it also retries failed lists. Other lists are skipped until they are due.
    timer ??= setInterval(() => void refresh(), Math.min(options.refreshMs, tickMs)).unref();
    loading ??= restored
      .then(() => Promise.all(sources.map((source) => source.refresh(closing.signal))))
      .then(() => {
        loading = undefined;
      });
    return loading;
  }

  const isMissing = ({ describe }: (typeof sources)[number]) => describe().snapshot_time === null;

  /** Asks again for lists that are missing or failed. A snapshot is good enough, so its list is waited for only a moment, now and then. */
  async function retry(signal: AbortSignal): Promise<void> {
    const waits = sources.some(isMissing);
    if (!waits && clock.now() - tried < retryMs) return;
    const deadline = openDeadline(waits ? options.timeoutMs : staleWaitMs, signal);
    await unlessAborted(refresh(), deadline.signal, () => {});
    deadline.end();
  }

  return {
    /** One record for each list. */
    health: sources.map((source) => source.health),
    /** How each list answered, and what it holds. */
    reports: (): HealthReport[] => sources.map(({ health, describe }) => ({ ...health.report(), list: describe() })),
    refresh,
    close() {
      clearInterval(timer);
      closing.abort();
    },
    /**
     * Looks addresses up in all lists. A list that is missing or failed is asked for again, so that it counts from the first call on after
     * it is back. Waits for a missing one at most until the signal fires, for another a moment; never rejects.
     */
    async look(
      addresses: readonly Address[],
      { signal, time }: { signal: AbortSignal; time(): string },
    ): Promise<DrainerLookup> {
      if (restored === undefined) void refresh();
      await restored;
      if (sources.some((source) => isMissing(source) || source.health.isFailing())) await retry(signal);
      return lookIn(sources, addresses, time());
    },
  };
}

function lookIn(
  sources: readonly ReturnType<typeof createDrainerSource>[],
  addresses: readonly Address[],
  time: string,
): DrainerLookup {
  const lists = sources.map((source) => source.describe());
  const hits = addresses.flatMap((address) =>
    sources.flatMap((source, i) => (source.has(address) ? [{ address, list: lists[i]?.name ?? "" }] : [])),
  );
  const isLoaded = lists.some((list) => list.snapshot_time !== null);
  const status = hits.length > 0 ? "found" : isLoaded ? "absent" : "unavailable";
  const source = lists.map((list) => list.name).join(", ") || "none";
  return { status, source, time, lists, asked: [...addresses], hits };
}

/** Milliseconds between two attempts for the lists that failed. */
const tickMs = 60_000;
/** The same for lists with a snapshot, where calls come in between; and how long such a call waits. */
const retryMs = 1_000;
const staleWaitMs = 500;
