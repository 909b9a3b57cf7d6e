interface Hint {
  event: { hash: string };
}

/** A pure cache: the same list of hints has the same index. */
const indexes = new WeakMap<readonly Hint[], ReadonlyMap<string, readonly Hint[]>>();

const none: readonly never[] = [];

/** The hints of a ruleset that read an event with this topic0. */
export function hintsFor<T extends Hint>(hints: readonly T[], topic: string | undefined): readonly T[] {
  let index = indexes.get(hints);
  if (index === undefined) {
    index = Map.groupBy(hints, ({ event }) => event.hash);
    indexes.set(hints, index);
  }
  return (index.get(topic ?? "") as readonly T[] | undefined) ?? none;
}
