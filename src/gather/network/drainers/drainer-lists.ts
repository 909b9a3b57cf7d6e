import { openDeadline, unlessAborted } from "../../../kernel/abort.ts";
import type { Address } from "../../../kernel/address.ts";
import type { DrainerLookup } from "../../../model/risk-lookups.ts";
import type { HealthReport } from "../health/endpoint-health.ts";
import { createDrainerSource, type DrainerSourceOptions } from "./drainer-list.ts";

/** `at`: URLs and paths. Loaded at first use, from disk, then the source; then renewed in the background. */
export function openDrainerLists(at: readonly string[], options: DrainerSourceOptions) {
  const { clock } = options;
  const closing = new AbortController();
  const sources = at.map((one) => createDrainerSource(one, options));
  let restored: Promise<unknown> | undefined;
  let loading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let tried = 0;

  /** One renewal at a time. */
  function refresh(): Promise<void> {
    tried = clock.now();
    restored ??= Promise.all(sources.map((source) => source.restore()));
    // Short: it also retries failed lists.
    timer ??= setInterval(() => void refresh(), Math.min(options.refreshMs, tickMs)).unref();
    loading ??= restored
      .then(() => Promise.all(sources.map((source) => source.refresh(closing.signal))))
      .then(() => {
        loading = undefined;
      });
    return loading;
  }

  const isMissing = ({ describe }: (typeof sources)[number]) => describe().snapshot_time === null;

  /** A list with a snapshot is waited for only a moment. */
  async function retry(signal: AbortSignal): Promise<void> {
    const waits = sources.some(isMissing);
    if (!waits && clock.now() - tried < retryMs) return;
    const deadline = openDeadline(waits ? options.timeoutMs : staleWaitMs, signal);
    await unlessAborted(refresh(), deadline.signal, () => {});
    deadline.end();
  }

  return {
    health: sources.map((source) => source.health),
    reports: (): HealthReport[] => sources.map(({ health, describe }) => ({ ...health.report(), list: describe() })),
    refresh,
    close() {
      clearInterval(timer);
      closing.abort();
    },
    /** In all lists; missing and failed ones are retried. Waits for a missing one until the signal, else a moment. Never rejects. */
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

/** Between attempts for failed lists. */
const tickMs = 60_000;
/** For lists with a snapshot, between calls; and how long a call waits. */
const retryMs = 1_000;
const staleWaitMs = 500;
