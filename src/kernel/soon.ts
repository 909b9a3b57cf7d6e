/**
 * A value that is there at once or comes later: the embedded ledger reads in the same turn, a shared one asks over the network.
 * Whoever waits only where there is something to wait for keeps a cached answer cheap.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value: in the same turn when it is there. */
export function andThen<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
