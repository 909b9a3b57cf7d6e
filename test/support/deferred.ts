/** A promise that a test settles by hand. A test uses it to hold a request open without waiting for time to pass. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
}

export function defer<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}
