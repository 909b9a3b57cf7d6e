import { unlessAborted } from "../../kernel/abort.ts";
import type { Address } from "../../kernel/address.ts";
import type { DrainerLookup } from "../../model/risk-lookups.ts";
import type { HealthReport } from "../health/endpoint-health.ts";
import { createDrainerSource, type DrainerSourceOptions } from "./drainer-list.ts";

/**
 * Opens all drainer lists of a process, by URLs and paths (`at`). Nothing is loaded until the first use: then from disk, then from the
 * source. After that the lists are renewed in the background.
 */
export function openDrainerLists(at: readonly string[], options: DrainerSourceOptions) {
  const closing = new AbortController();
  const sources = at.map((one) => createDrainerSource(one, options));
  let restored: Promise<unknown> | undefined;
  let loading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Loads missing lists, renews those that are due, and starts to repeat this in the background. Only one renewal runs at a time. */
  function refresh(): Promise<void> {
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
    /** Looks addresses up in all lists. Waits for the first load at most until the signal fires; never rejects. */
    async look(
      addresses: readonly Address[],
      { signal, time }: { signal: AbortSignal; time(): string },
    ): Promise<DrainerLookup> {
      if (restored === undefined) void refresh();
      // A snapshot from disk is good enough. Only if there is none, the lookup waits for the first load.
      await restored;
      if (loading !== undefined && sources.some((source) => source.describe().snapshot_time === null))
        await unlessAborted(loading, signal, () => {});
      const lists = sources.map((source) => source.describe());
      const hits = addresses.flatMap((address) =>
        sources.flatMap((source, i) => (source.has(address) ? [{ address, list: lists[i]?.name ?? "" }] : [])),
      );
      const loaded = lists.filter((list) => list.snapshot_time !== null);
      const status = hits.length > 0 ? "found" : loaded.length > 0 ? "absent" : "unavailable";
      const source = lists.map((list) => list.name).join(", ") || "none";
      return { status, source, time: time(), lists, asked: [...addresses], hits };
    },
  };
}

const tickMs = 60_000;
