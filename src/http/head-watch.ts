/** The newest block a chain source knows: its number and its time in Unix seconds; null when unknown. */
export interface ChainHead {
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
 * Wraps a source of the chain head for /healthz: asked at most once per `freshMs`, waited for until `waitMs` after it was asked,
 * and the last head known is given when the source is slow, hangs or fails.
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
      // The last head known stays; its age tells that nothing newer came.
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
