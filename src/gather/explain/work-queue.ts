import type { Asker } from "../../kernel/asker.ts";
import { ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";

export interface WorkQueueOptions {
  /** At once. */
  runningMax: number;
  waitingMax: number;
  /** Of one client at once; twice as many may wait. 0 or absent: all. */
  clientMax?: number;
}

export type WorkQueue = ReturnType<typeof createWorkQueue>;

/** Without an asker it counts alone. */
interface Place {
  asker: Asker | undefined;
  start(): void;
}

class Places {
  readonly held = new Set<Place>();
  readonly #most: number;
  readonly #clientMost: number;
  readonly #freeMost: number;
  readonly #ofClient = new Map<string, number>();
  #free = 0;

  constructor(most: number, clientMost: number) {
    this.#most = most;
    this.#clientMost = clientMost;
    this.#freeMost = Math.ceil(most * serviceLimits.freeShare);
  }

  countOf(asker: Asker | undefined): number {
    return asker === undefined ? 0 : (this.#ofClient.get(asker.client) ?? 0);
  }

  hasRoomFor(asker: Asker | undefined): boolean {
    if (this.held.size >= this.#most) return false;
    return this.countOf(asker) < this.#clientMost && !(asker?.free === true && this.#free >= this.#freeMost);
  }

  add(place: Place): void {
    this.held.add(place);
    this.#note(place.asker, 1);
  }

  remove(place: Place): void {
    if (this.held.delete(place)) this.#note(place.asker, -1);
  }

  #note(asker: Asker | undefined, more: number): void {
    if (asker === undefined) return;
    if (asker.free === true) this.#free += more;
    const count = this.countOf(asker) + more;
    if (count === 0) this.#ofClient.delete(asker.client);
    else this.#ofClient.set(asker.client, count);
  }
}

/**
 * Clients take turns: the one with the least running first, then the longest wait. A quarter of all places is kept from work that is given
 * away where others pay.
 */
export function createWorkQueue({ runningMax, waitingMax, clientMax = 0 }: WorkQueueOptions) {
  const ofClient = clientMax === 0 ? Number.POSITIVE_INFINITY : clientMax;
  const running = new Places(runningMax, ofClient);
  const waiting = new Places(waitingMax, ofClient * serviceLimits.clientWaitingShare);

  function waitForPlace(place: Place, signal: AbortSignal): Promise<void> {
    if (!waiting.hasRoomFor(place.asker)) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const drop = () => {
        waiting.remove(place);
        reject(whyDropped(signal));
      };
      place.start = () => {
        signal.removeEventListener("abort", drop);
        resolve();
      };
      signal.addEventListener("abort", drop, { once: true });
      waiting.add(place);
    });
  }

  function nextInTurn(): Place | undefined {
    let next: Place | undefined;
    for (const place of waiting.held) {
      if (!running.hasRoomFor(place.asker)) continue;
      if (next === undefined || running.countOf(place.asker) < running.countOf(next.asker)) next = place;
    }
    return next;
  }

  function passOn(): void {
    for (let next = nextInTurn(); next !== undefined; next = nextInTurn()) {
      waiting.remove(next);
      running.add(next);
      next.start();
    }
  }

  return {
    load: () => ({ running: running.held.size, waiting: waiting.held.size }),
    /**
     * Rejects with ServiceError `overloaded`, the work not started: at once where too many wait, or when the signal fires (then its own
     * reason, if a ServiceError).
     */
    async run<T>(work: () => Promise<T>, signal: AbortSignal, asker?: Asker): Promise<T> {
      if (signal.aborted) throw whyDropped(signal);
      const place: Place = { asker, start: () => {} };
      if (running.hasRoomFor(asker)) running.add(place);
      else await waitForPlace(place, signal);
      try {
        return await work();
      } finally {
        running.remove(place);
        passOn();
      }
    },
  };
}

function whyDropped({ reason }: AbortSignal): ServiceError {
  return reason instanceof ServiceError ? reason : overloaded();
}

/** Nothing was done. */
export function overloaded(): ServiceError {
  return new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 });
}
