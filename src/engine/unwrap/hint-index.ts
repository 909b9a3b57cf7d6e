interface Hint {
  event: { hash: string };
}

/** A pure cache. */
const indexes = new WeakMap<readonly Hint[], ReadonlyMap<string, readonly Hint[]>>();

/** topic0 of the event. */
export function byTopic<T extends Hint>(hints: readonly T[]): ReadonlyMap<string | undefined, readonly T[]> {
  let index = indexes.get(hints);
  if (index === undefined) {
    index = Map.groupBy(hints, ({ event }) => event.hash);
    indexes.set(hints, index);
  }
  return index as ReadonlyMap<string, readonly T[]>;
}
