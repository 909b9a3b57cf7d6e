/** SQLite answers at once, PostgreSQL over the network. */
export type MaybePromise<T> = T | Promise<T>;

/** Does not wait for a value that is there: that would double the cost of a cached answer. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `otherwise` gives the value if `work` throws or rejects. */
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
