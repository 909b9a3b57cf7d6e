import { ServiceError } from "../kernel/error.ts";

export interface WorkQueueOptions {
  /** Works under way at once. */
  runningMax: number;
  /** Works that may wait for a place. */
  waitingMax: number;
}

export type WorkQueue = ReturnType<typeof createWorkQueue>;

/** Runs some works at once, lets some wait, first come first served, and refuses more. */
export function createWorkQueue({ runningMax, waitingMax }: WorkQueueOptions) {
  let running = 0;
  const waiting = new Set<() => void>();

  function waitForPlace(signal: AbortSignal): Promise<void> {
    if (waiting.size >= waitingMax) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const drop = () => {
        waiting.delete(start);
        reject(whyDropped(signal));
      };
      const start = () => {
        signal.removeEventListener("abort", drop);
        resolve();
      };
      signal.addEventListener("abort", drop, { once: true });
      waiting.add(start);
    });
  }

  /** Hands the place of a work that has ended to the one that waits longest. */
  function passOn(): void {
    const [next] = waiting;
    if (next === undefined) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    /** How many works are under way, and how many wait. */
    load: () => ({ running, waiting: waiting.size }),
    /**
     * Runs the work as soon as there is a place. Rejects with ServiceError `overloaded`: at once when too many wait, later when the
     * signal fires before there is a place (or the reason of the signal, where that is a ServiceError). Such work never starts.
     */
    async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
      if (signal.aborted) throw whyDropped(signal);
      if (running < runningMax) running++;
      else await waitForPlace(signal);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
  };
}

function whyDropped({ reason }: AbortSignal): ServiceError {
  return reason instanceof ServiceError ? reason : overloaded();
}

/** The answer to work for which there is no place. Nothing was done for it. */
export function overloaded(): ServiceError {
  return new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 });
}
