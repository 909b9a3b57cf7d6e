import { unlessAborted } from "../../kernel/abort.ts";
import { ServiceError } from "../../kernel/error.ts";
import { overloaded } from "./work-queue.ts";

/** Cause of a failure that nobody reads. */
export class CallerGone extends Error {}

interface SharedRun<T> {
  result: Promise<T>;
  callers: number;
  ended: AbortController;
}

/** `callersMax`: waiting in all runs together. */
export function createSharedRuns<K, T>({ callersMax }: { callersMax: number }) {
  const runs = new Map<K, SharedRun<T>>();
  let callers = 0;

  function begin(key: K, run: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
    const ended = new AbortController();
    const shared: SharedRun<T> = { result: run(ended.signal), callers: 0, ended };
    runs.set(key, shared);
    return shared;
  }

  function leave(key: K, shared: SharedRun<T>): void {
    callers--;
    if (--shared.callers > 0) return;
    if (runs.get(key) === shared) runs.delete(key);
    shared.ended.abort();
  }

  return {
    /**
     * `signal` ends this wait only; when the last caller is gone the run's signal fires. Rejects with ServiceError `overloaded`, else as
     * the run.
     */
    async join(key: K, run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) throw gone();
      if (callers >= callersMax) throw overloaded();
      const shared = runs.get(key) ?? begin(key, run);
      shared.callers++;
      callers++;
      try {
        return await unlessAborted(shared.result, signal, () => {
          throw gone();
        });
      } finally {
        leave(key, shared);
      }
    },
    /** With `upstream_unavailable`. */
    close(): void {
      const closed = new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5 });
      for (const { ended } of runs.values()) ended.abort(closed);
    },
  };
}

function gone(): ServiceError {
  return new ServiceError("upstream_unavailable", undefined, { retryAfterSeconds: 5, cause: new CallerGone() });
}
