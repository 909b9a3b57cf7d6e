export interface ProbeOptions {
  /** At least so many milliseconds pass between two questions. */
  freshMs: number;
  /** A caller waits at most so many milliseconds. */
  waitMs: number;
  /** The time in milliseconds since any fixed moment. */
  now?: () => number;
}

/**
 * Makes a function that calls `ask` at most once in `freshMs` and waits for it at most `waitMs`, so that a reader of a health report never
 * waits long. If the source is slow, fails or gives null, the last known value is given; before any answer that is `first`.
 */
export function createProbe<T>(ask: () => Promise<T | null>, first: T, options: ProbeOptions): () => Promise<T> {
  const { freshMs, waitMs, now = () => performance.now() } = options;
  let last = first;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking = false;
  let answered: Promise<unknown> = Promise.resolve();

  async function renew(): Promise<void> {
    asking = true;
    last = (await ask().catch(() => null)) ?? last;
    asking = false;
  }

  return async () => {
    if (!asking && now() - askedAt >= freshMs) {
      askedAt = now();
      answered = Promise.race([renew(), new Promise((resolve) => setTimeout(resolve, waitMs).unref())]);
    }
    await answered;
    return last;
  };
}
