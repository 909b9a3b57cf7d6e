/** What `work` gives, or what `instead` gives (or throws) when the signal fires first. The work itself goes on. */
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

/** Time that some work has. Whoever opens it ends it, so that no timer outlives the work and holds on to it. */
export interface Deadline {
  /** Fires when the time is up (reason `TimeoutError`), when the outer signal fires, and at the end. */
  readonly signal: AbortSignal;
  /** Ends everything that still depends on the signal. */
  end(): void;
}

/** A deadline that is so many milliseconds away, or nearer where the outer signal fires first. */
export function openDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException("The time is up.", "TimeoutError")), ms);
  // A deadline alone keeps no process alive.
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
