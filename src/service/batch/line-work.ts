import type { Answer } from "../../explain/explain.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";

/** What came of one transaction of a batch. */
export type MadeLine = { answer: Answer } | { thrown: unknown };

export interface LineWorkOptions {
  /** The transactions in the order of the request, each once. */
  hashes: readonly Hash[];
  make(hash: Hash): MaybePromise<Answer>;
  /** Fires when the caller goes away. Then nothing is begun any more. */
  gone: AbortSignal | undefined;
  isStopping(): boolean;
}

/**
 * Makes the answers of a batch in order, some at once, and only a few ahead of the one that is read next. Nothing is begun once the
 * caller has gone, the service stops, or the time of a batch is over.
 */
export class LineWork {
  readonly #options: LineWorkOptions;
  readonly #made: Map<Hash, PromiseWithResolvers<MadeLine>>;
  readonly #untold = new Set<Hash>();
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

  /** Works until there are more answers than `count`, or an end of all. Says whether there are. */
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

  /** What came of the next one in order. Lets more be begun. */
  async take(hash: Hash): Promise<MadeLine> {
    this.#read++;
    this.#begin();
    const { promise } = this.#made.get(hash) as PromiseWithResolvers<MadeLine>;
    const made = await promise;
    // A large answer is not held on to until the end of the batch.
    this.#made.delete(hash);
    return made;
  }

  /** How many lines were worked on and not told. What is known already takes no work. */
  get untold(): number {
    return this.#untold.size;
  }

  /** The line is told now, and charged where it has a price. */
  told(hash: Hash): void {
    this.#untold.delete(hash);
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
      // Nobody reads why.
      if (gone?.aborted || isStopping()) throw new ServiceError("restarting");
      if (performance.now() > this.#endsAt)
        throw new ServiceError(
          "upstream_unavailable",
          "The time of the batch is over; nothing was done for this line.",
        );
      const making = make(hash);
      // What is known comes at once.
      if (making instanceof Promise) this.#untold.add(hash);
      return { answer: await making };
    } catch (thrown) {
      return { thrown };
    }
  }
}
