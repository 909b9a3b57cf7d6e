/** A promise that a test settles by hand: the way to hold a request in flight without waiting for time. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
}

export function defer<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}
