export interface ProbeOptions {
  /** Least milliseconds between two questions. */
  freshMs: number;
  /** Most milliseconds a caller waits. */
  waitMs: number;
  /** Milliseconds since any fixed moment. */
  now?: () => number;
}

/**
 * Calls `ask` at most once in `freshMs` and waits at most `waitMs`. If it is slow, fails or gives null, the last known value counts, at
 * first `first`.
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
