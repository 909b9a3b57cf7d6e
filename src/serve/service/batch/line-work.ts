import type { Answer } from "../../../gather/explain/explain.ts";
import { ServiceError } from "../../../kernel/error.ts";
import type { Hash } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { MaybePromise } from "../../../kernel/maybe-promise.ts";

/** The outcome for one transaction of a batch. */
export type MadeLine = { answer: Answer } | { thrown: unknown };

export interface LineWorkOptions {
  /** The transactions in the order of the request, each once. */
  hashes: readonly Hash[];
  make(hash: Hash): MaybePromise<Answer>;
  /** Fires when the caller disconnects. After that, no new work is begun. */
  gone: AbortSignal | undefined;
  isStopping(): boolean;
}

/**
 * Makes the answers of a batch in order, several at once, but only a few ahead of the line that is read next. No new work is begun after
 * the caller disconnects, the service stops, or the time of a batch is over.
 */
export class LineWork {
  readonly #options: LineWorkOptions;
  readonly #made: Map<Hash, PromiseWithResolvers<MadeLine>>;
  readonly #unsent = new Set<Hash>();
  readonly #endsAt = performance.now() + serviceLimits.batchMs;
  #next = 0;
  #running = 0;
  #read = 0;
  #ended = 0;
  #answers = 0;
  #ahead: number = serviceLimits.batchAheadMax;
  #wake: () => void = () => {};

  constructor(options: LineWorkOptions) {
    this.#options = options;
    this.#made = new Map(options.hashes.map((hash) => [hash, Promise.withResolvers<MadeLine>()]));
  }

  /** Works until there are more than `count` answers, or all work is done. True in the first case. */
  async hasMoreThan(count: number): Promise<boolean> {
    this.#ahead = Number.POSITIVE_INFINITY;
    while (this.#answers <= count && this.#ended < this.#options.hashes.length) {
      const ended = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#begin();
      await ended;
    }
    this.#ahead = serviceLimits.batchAheadMax;
    return this.#answers > count;
  }

  /** The outcome for the next hash in order. Allows further work to begin. */
  async take(hash: Hash): Promise<MadeLine> {
    this.#read++;
    this.#begin();
    const { promise } = this.#made.get(hash) as PromiseWithResolvers<MadeLine>;
    const made = await promise;
    // Deleted, so that large answers are not kept until the end of the batch.
    this.#made.delete(hash);
    return made;
  }

  /** How many lines cost work and were not sent. Answers that were known already cost no work. */
  get unsent(): number {
    return this.#unsent.size;
  }

  /** Called when a line is sent; it is charged then, where it has a price. */
  sent(hash: Hash): void {
    this.#unsent.delete(hash);
  }

  #begin(): void {
    const { hashes } = this.#options;
    while (
      this.#running < serviceLimits.batchAtOnce &&
      this.#next < Math.min(hashes.length, this.#read + this.#ahead)
    ) {
      this.#running++;
      void this.#run(hashes[this.#next++] as Hash);
    }
  }

  async #run(hash: Hash): Promise<void> {
    const made = await this.#make(hash);
    this.#running--;
    this.#ended++;
    if ("answer" in made) this.#answers++;
    this.#made.get(hash)?.resolve(made);
    this.#wake();
    this.#begin();
  }

  async #make(hash: Hash): Promise<MadeLine> {
    const { make, gone, isStopping } = this.#options;
    try {
      // The caller does not see this error.
      if (gone?.aborted || isStopping()) throw new ServiceError("restarting");
      if (performance.now() > this.#endsAt)
        throw new ServiceError(
          "upstream_unavailable",
          "The time of the batch is over; nothing was done for this line.",
        );
      const making = make(hash);
      // A known answer comes at once, not as a promise.
      if (making instanceof Promise) this.#unsent.add(hash);
      return { answer: await making };
    } catch (thrown) {
      return { thrown };
    }
  }
}
