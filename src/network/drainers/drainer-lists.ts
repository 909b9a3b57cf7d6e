import { unlessAborted } from "../../kernel/abort.ts";
import type { Address } from "../../kernel/address.ts";
import type { DrainerLookup } from "../../model/risk-lookups.ts";
import { createDrainerSource, type DrainerSourceOptions } from "./drainer-list.ts";

/** Opens all drainer lists of a process by their URLs and paths (`at`). They are renewed while it runs. Nothing is loaded until it is asked for: first from disk, then from the source. */
export function openDrainerLists(at: readonly string[], options: DrainerSourceOptions) {
  const closing = new AbortController();
  const sources = at.map((one) => createDrainerSource(one, options));
  let restored: Promise<unknown> | undefined;
  let loading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Loads missing lists and renews those that are due, and starts to do so in the background. One renewal at a time. */
  function refresh(): Promise<void> {
    restored ??= Promise.all(sources.map((source) => source.restore()));
    // The timer is short because it retries lists that failed. Other lists wait until they are due.
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
    refresh,
    close() {
      clearInterval(timer);
      closing.abort();
    },
    /** Which of these addresses a list names. Waits for the first load as long as the signal allows; never rejects. */
    async look(
      addresses: readonly Address[],
      { signal, time }: { signal: AbortSignal; time(): string },
    ): Promise<DrainerLookup> {
      if (restored === undefined) void refresh();
      // A kept snapshot is good enough. Only without one does the answer wait for the first load.
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
