import { LRUCache } from "lru-cache";
import { isTimeUp, timeLeft } from "../kernel/abort.ts";
import type { Asker } from "../kernel/asker.ts";
import { ServiceError, TooLargeNow } from "../kernel/error.ts";
import type { Hash } from "../kernel/hex.ts";
import { serviceLimits } from "../kernel/limits.ts";
import type { ThreadReply, ThreadRequest } from "./thread-entry.ts";

/** A step of the work on one case. */
export interface ThreadJob {
  readonly request: ThreadRequest;
  readonly hash: Hash;
  /** {@link sizeOfCase} */
  readonly size: number;
  /** undefined: nobody else's work is delayed for it. */
  readonly asker: Asker | undefined;
  /** Its deadline is the deadline of the case. */
  readonly signal: AbortSignal | undefined;
  resolve(reply: ThreadReply): void;
  reject(error: ServiceError): void;
}

type Wanted = Pick<ThreadJob, "size" | "asker"> & { leftMs: number; signal?: AbortSignal | undefined };

/**
 * The queue of one thread. It is a budget in time, not in requests: a case is taken only where the thread can plan and decide it before its
 * deadline, as long as the cases of the last minutes took. Clients take turns, and each has one case in work at a time: from the start of
 * its plan until its signal fires. What follows a plan goes first, because it was admitted with it.
 */
export class ThreadQueue {
  readonly #waiting = new Set<ThreadJob>();
  /** The case in work of each client, between its plan and its end. */
  readonly #seats = new Map<string, Pick<ThreadJob, "hash" | "size" | "signal">>();
  /** When each client had its last turn, as a number that grows. */
  readonly #turns = new LRUCache<string, number>({ max: 10_000 });
  #turn = 0;
  #running: { job: ThreadJob; since: number } | undefined;
  #msPerSize = firstMsPerSize;

  /** Throws TooLargeNow where a case of this size, which still has `leftMs`, would not be done in time. */
  admit({ size, asker, leftMs, signal }: Wanted): void {
    if (size === Number.POSITIVE_INFINITY) throw new TooLargeNow(size, serviceLimits.tooLargeMs);
    const isOther = (job: ThreadJob) =>
      job.asker?.client === asker?.client && (signal === undefined || job.signal !== signal);
    const own = asker === undefined ? [] : [...this.#waiting].filter(isOther);
    const ahead = this.#msAhead(asker);
    const isFull = this.#waiting.size + (this.#running === undefined ? 0 : 1) > serviceLimits.largeWaitingMax;
    if (isFull || own.length >= serviceLimits.largeWaitingPerClient) throw new TooLargeNow(size, ahead);
    // Where nothing is in the way it is tried, whatever the last ones took: the deadline ends it.
    if (ahead === 0) return;
    const needed = ahead + 2 * size * this.#msPerSize;
    if (needed > (asker?.free === true ? leftMs / 2 : leftMs)) throw new TooLargeNow(size, ahead);
  }

  /** Adds a job. Throws ServiceError `overloaded` where it cannot be done in time. */
  add(job: ThreadJob): void {
    const { size, asker, signal } = job;
    if (signal?.aborted) throw tooLate();
    if (!this.#goesOn(job)) this.admit({ size, asker, leftMs: timeLeft(signal), signal });
    this.#waiting.add(job);
    const drop = () => {
      if (this.#waiting.delete(job))
        job.reject(isTimeUp(signal as AbortSignal) ? new TooLargeNow(size, this.#msAhead(asker)) : tooLate());
    };
    signal?.addEventListener("abort", drop, { once: true });
  }

  /** Takes the next job out; undefined where none may run now. */
  start(): ThreadJob | undefined {
    let next: ThreadJob | undefined;
    for (const job of this.#waiting) {
      if (this.#goesOn(job)) {
        next = job;
        break;
      }
      const isFree = job.asker === undefined || !this.#seats.has(job.asker.client);
      if (isFree && (next === undefined || this.#lastTurn(job) < this.#lastTurn(next))) next = job;
    }
    if (next === undefined) return undefined;
    this.#waiting.delete(next);
    this.#running = { job: next, since: performance.now() };
    if (next.asker !== undefined) this.#turns.set(next.asker.client, ++this.#turn);
    if (next.request.what === "plan") this.#takeSeat(next);
    return next;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** The running job has ended. Its time tells how long such work takes. */
  end(): void {
    const { job, since } = this.#running as { job: ThreadJob; since: number };
    this.#running = undefined;
    const ms = (performance.now() - since) / job.size;
    this.#msPerSize = Math.min(mostMsPerSize, this.#msPerSize + (ms - this.#msPerSize) * learning);
  }

  /** Removes all jobs that wait. */
  clear(): ThreadJob[] {
    const jobs = [...this.#waiting];
    this.#waiting.clear();
    return jobs;
  }

  /** Called when a seat was given up: a job that waited for it may start. */
  onFree: () => void = () => {};

  /** Whether the job belongs to a case that was admitted with its first plan. */
  #goesOn({ asker, hash, request, signal }: ThreadJob): boolean {
    const seat = asker === undefined ? undefined : this.#seats.get(asker.client);
    if (seat === undefined) return false;
    return seat.signal === signal || (request.what !== "plan" && seat.hash === hash);
  }

  #takeSeat({ asker, hash, size, signal }: ThreadJob): void {
    if (asker === undefined || signal === undefined || signal.aborted) return;
    if (this.#seats.get(asker.client)?.signal === signal) return;
    const seat = { hash, size, signal };
    this.#seats.set(asker.client, seat);
    const leave = () => {
      if (this.#seats.get(asker.client) === seat) this.#seats.delete(asker.client);
      this.onFree();
    };
    signal.addEventListener("abort", leave, { once: true });
  }

  #lastTurn({ asker }: ThreadJob): number {
    return asker === undefined ? 0 : (this.#turns.get(asker.client) ?? 0);
  }

  /** Milliseconds until a new case of this client would have its turn: of each other client one case goes first, of its own all do. */
  #msAhead(asker: Asker | undefined): number {
    let sizes = 0;
    const counted = new Set<string>();
    for (const [client, { size }] of this.#seats) {
      counted.add(client);
      sizes += size;
    }
    for (const job of this.#waiting) {
      const client = job.asker?.client;
      if (client === undefined || client === asker?.client || !counted.has(client)) sizes += 2 * job.size;
      if (client !== undefined) counted.add(client);
    }
    if (this.#running !== undefined && sizes === 0) sizes = this.#running.job.size;
    return sizes * this.#msPerSize;
  }
}

function tooLate(): ServiceError {
  return new ServiceError("overloaded", undefined, { retryAfterSeconds: 5 });
}

/** Milliseconds that one step takes for each 1 of size: as measured on two cores, before the first case tells it; and at most. */
const firstMsPerSize = 5;
const mostMsPerSize = 60;
/** How much of the difference one case moves the mean. */
const learning = 0.2;
