export interface ProbeOptions {
  /** Milliseconds between two questions. */
  freshMs: number;
  /** Milliseconds that a caller waits at most. */
  waitMs: number;
  /** Milliseconds since any fixed time. */
  now?: () => number;
}

/**
 * Asks `ask` at most once every `freshMs` and waits at most `waitMs` for its answer, so that a reader of a health report never waits
 * long. If the source is slow, fails or gives null, the last known value is given: `first` before any answer.
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
