/**
 * A value that is there at once or comes later: the embedded ledger answers in the same turn, a shared one over the network.
 * Waiting for what is already there would cost the cached answer more than the answer itself.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value: in the same turn when it is there. */
export function andThen<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
