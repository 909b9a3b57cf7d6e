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
