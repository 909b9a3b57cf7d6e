import type { MaybePromise } from "../../kernel/maybe-promise.ts";

/**
 * Runs work on a SQLite file that another program may have locked. Work that finds it free runs at once. Else it is tried again from
 * time to time for `waitMs`, and the event loop goes on meanwhile: SQLite's own waiting would stop the whole process. Rejects with
 * what the work threw last.
 */
export function createLockWait(waitMs: number) {
  async function tryAgain<T>(work: () => T): Promise<T> {
    const end = performance.now() + waitMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      try {
        return work();
      } catch (cause) {
        if (!isLocked(cause) || performance.now() >= end) throw cause;
      }
    }
  }

  return <T>(work: () => T): MaybePromise<T> => {
    try {
      return work();
    } catch (cause) {
      if (!isLocked(cause)) throw cause;
      return tryAgain(work);
    }
  };
}

function isLocked(cause: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test((cause as { code?: string }).code ?? "");
}

const firstPauseMs = 2;
const longestPauseMs = 50;
