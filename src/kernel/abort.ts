/** The result of `work`, or of `instead` (which may throw) if the signal fires first. The work itself goes on. */
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

/** Whoever opens it must end it, or its timer holds the work in memory. */
export interface Deadline {
  /** Fires when the time is up (`TimeoutError`), when the outer signal fires, and at the end. */
  readonly signal: AbortSignal;
  end(): void;
}

/** When the signals of deadlines fire, by performance.now(). */
const endings = new WeakMap<AbortSignal, number>();

/** Milliseconds until the deadline of this signal; Infinity where it has none. */
export function timeLeft(signal: AbortSignal | undefined): number {
  const endsAt = signal === undefined ? undefined : endings.get(signal);
  return endsAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, endsAt - performance.now());
}

/** Whether a signal fired because its time was up, not because nobody waits any more. */
export function isTimeUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason as { name?: string } | undefined)?.name === "TimeoutError";
}

/** Opens a deadline in `ms` milliseconds, or earlier if the outer signal fires first. */
export function openDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  endings.set(controller.signal, performance.now() + Math.min(ms, timeLeft(outer)));
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
