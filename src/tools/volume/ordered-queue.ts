/** Out in the order of going in, whichever is done first. At most `max` items. */
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

  /** Resolves when there is room; false where nobody reads any more. */
  async push(item: Promise<T>): Promise<boolean> {
    // Marks the failure as handled. Whoever takes the item out still gets it.
    item.catch(() => {});
    this.#items.push(item);
    this.#notify();
    while (this.#items.length >= this.#max && this.#failure === undefined) await this.#change();
    return this.#failure === undefined;
  }

  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** After the remaining items; writers stop waiting. */
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
