/** A value, or a promise of it. SQLite answers at once; PostgreSQL answers over the network. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value, without waiting if it is there already: waiting for a promise would double the cost of a cached answer. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs `work`. If it throws or rejects, `otherwise` gives the value instead. */
export function guard<T>(
  work: () => MaybePromise<T>,
  otherwise: (thrown: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (thrown) {
    return otherwise(thrown);
  }
}
