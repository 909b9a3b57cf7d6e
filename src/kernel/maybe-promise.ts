/** SQLite answers at once, PostgreSQL over the network. */
export type MaybePromise<T> = T | Promise<T>;

/** A value that is there is handed on in the same turn. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
