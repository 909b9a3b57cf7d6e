/** Work that is begun in one order and taken out in the same order, whichever is done first. So many at once, and no more. */
export class OrderedQueue<T> {
  readonly #max: number;
  readonly #items: Promise<T>[] = [];
  #ended = false;
  #failure: { error: unknown } | undefined;
  #wake: () => void = () => {};
  #changed: Promise<void> | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Resolves when there is room for the next: false where nobody takes anything out any more. */
  async push(item: Promise<T>): Promise<boolean> {
    // Whoever takes it out hears of its failure.
    item.catch(() => {});
    this.#items.push(item);
    this.#notify();
    while (this.#items.length >= this.#max && this.#failure === undefined) await this.#change();
    return this.#failure === undefined;
  }

  /** No more will come. */
  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** Whoever takes the items out is told this error after them, and whoever waits for room need not wait. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const [first] = this.#items;
      if (first !== undefined) {
        yield await first;
        this.#items.shift();
        this.#notify();
      } else if (this.#failure !== undefined) throw this.#failure.error;
      else if (this.#ended) return;
      else await this.#change();
    }
  }

  #change(): Promise<void> {
    this.#changed ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#changed;
  }

  #notify(): void {
    this.#wake();
    this.#changed = undefined;
  }
}
