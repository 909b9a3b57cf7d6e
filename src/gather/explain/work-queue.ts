import { ServiceError } from "../../kernel/error.ts";

export interface WorkQueueOptions {
  /** How many pieces of work run at once. */
  runningMax: number;
  /** How many may wait for a free place. */
  waitingMax: number;
}

export type WorkQueue = ReturnType<typeof createWorkQueue>;

/** A queue that runs some pieces of work at once, lets some wait in order of arrival, and refuses the rest. */
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

  /** Gives the place of finished work to the one that has waited longest. */
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
    /** How many run, and how many wait. */
    load: () => ({ running, waiting: waiting.size }),
    /**
     * Runs the work as soon as there is a free place. Rejects with ServiceError `overloaded` without starting the work: at once when too
     * many wait, or later when the signal fires first (with the signal's own reason, where that is a ServiceError).
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

/** The error for work that finds no place. Nothing was done for it. */
export function overloaded(): ServiceError {
  return new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 });
}
