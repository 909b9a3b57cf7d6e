import type { MaybePromise } from "../../../kernel/maybe-promise.ts";
import { isLocked } from "./sqlite-error.ts";

/**
 * For a SQLite file that others may lock: at once if free, else retried for `waitMs`. SQLite's own waiting would block the process. Rejects
 * with the last error.
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

const firstPauseMs = 2;
const longestPauseMs = 50;
