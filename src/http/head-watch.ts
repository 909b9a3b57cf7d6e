/** The newest block a chain source knows: its number and its time in Unix seconds; null when unknown. */
interface ChainHead {
  number: number;
  timestamp: number;
}
export type ReadHead = () => Promise<ChainHead | null>;

export interface HeadWatchOptions {
  freshMs?: number;
  waitMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * Reads the chain head for /healthz. It asks the source at most once per `freshMs` and waits at most `waitMs`. If the source is slow or
 * fails, it gives the last known head.
 */
export function createHeadWatch(readHead: ReadHead, options: HeadWatchOptions = {}): ReadHead {
  const { freshMs = 5_000, waitMs = 500, now = Date.now } = options;
  let last: ChainHead | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking = false;
  let answered: Promise<void> = Promise.resolve();

  async function ask(): Promise<void> {
    asking = true;
    try {
      last = (await readHead()) ?? last;
    } catch {
      // The last known head stays. Its age shows that nothing newer came.
    } finally {
      asking = false;
    }
  }

  return async () => {
    if (!asking && now() - askedAt >= freshMs) {
      askedAt = now();
      answered = Promise.race([ask(), wait(waitMs)]);
    }
    await answered;
    return last;
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
