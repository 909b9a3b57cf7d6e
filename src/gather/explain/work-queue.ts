import type { Asker } from "../../kernel/asker.ts";
import { ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";

export interface WorkQueueOptions {
  /** How many pieces of work run at once. */
  runningMax: number;
  /** How many may wait for a free place. */
  waitingMax: number;
  /** How many of one client run at once; twice as many may wait. 0 or absent: no limit. */
  clientMax?: number;
}

export type WorkQueue = ReturnType<typeof createWorkQueue>;

/** Work that waits for a place, or has one. Without an asker, it is nobody's and counts alone. */
interface Place {
  asker: Asker | undefined;
  start(): void;
}

/** Places of one kind: those that run, or those that wait. */
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
 * A queue that runs some pieces of work at once, lets some wait, and refuses the rest. Clients take turns: of those whose work waits, the
 * one with the least in work goes first, then the one that has waited longest. Each client has a limit of its own, and a quarter of all
 * places is kept from work that is given away where others pay.
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

  /** Gives free places to work that waits. */
  function passOn(): void {
    for (let next = nextInTurn(); next !== undefined; next = nextInTurn()) {
      waiting.remove(next);
      running.add(next);
      next.start();
    }
  }

  return {
    /** How many run, and how many wait. */
    load: () => ({ running: running.held.size, waiting: waiting.held.size }),
    /**
     * Runs the work as soon as there is a place for its asker. Rejects with ServiceError `overloaded` without starting the work: at once
     * when too many wait, or later when the signal fires first (with the signal's own reason, where that is a ServiceError).
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

/** The error for work that finds no place. Nothing was done for it. */
export function overloaded(): ServiceError {
  return new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 });
}
