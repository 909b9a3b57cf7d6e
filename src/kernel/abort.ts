/** The result of `work`; or that of `instead` (which may throw), if the signal fires first. The work itself goes on. */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  instead: () => T | Promise<T>,
): Promise<T> {
  if (signal === undefined) return work;
  let wake = () => {};
  const aborted = new Promise<void>((resolve) => {
    wake = resolve;
    if (signal.aborted) resolve();
    signal.addEventListener("abort", wake, { once: true });
  });
  return Promise.race([work, aborted.then(instead)]).finally(() => signal.removeEventListener("abort", wake));
}

/** A time limit for some work. The code that opens it must end it, so that its timer does not stay alive and hold the work in memory. */
export interface Deadline {
  /** Fires when the time is up (reason `TimeoutError`), when the outer signal fires, and at the end. */
  readonly signal: AbortSignal;
  /** Stops the timer and fires the signal, which ends everything that still depends on it. */
  end(): void;
}

/** Opens a deadline in `ms` milliseconds, or earlier if the outer signal fires first. */
export function openDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException("The time is up.", "TimeoutError")), ms);
  // A waiting deadline must not keep the process alive.
  timer.unref();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  else outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
      controller.abort();
    },
  };
}
