import type { MaybePromise } from "../../../kernel/maybe-promise.ts";
import { isLocked } from "./sqlite-error.ts";

/**
 * Makes a function that runs work on a SQLite file which another program may have locked. Where the file is free, the work runs at once.
 * Otherwise it is tried again for up to `waitMs`, and the event loop continues meanwhile: SQLite's own waiting would block the whole
 * process. Rejects with the last error of the work.
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
