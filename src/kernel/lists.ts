import { compareAmounts } from "./amount.ts";

export type Members<T> = Pick<ReadonlySet<T>, "has">;

/** Stable: items that compare as equal stay in their order. */
export function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  return items.toSorted(compare);
}

export function heaviestFirst<T>(items: readonly T[], weigh: (item: T) => bigint): T[] {
  const weighed = items.map((item) => ({ item, weight: weigh(item) }));
  return weighed.sort((a, b) => compareAmounts(b.weight, a.weight)).map(({ item }) => item);
}

/** Each item once, at its first place. */
export function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

export function membersOf<T>(items: readonly T[]): Members<T> {
  return new Set(items);
}

/** Adds an item to the list of its key. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The first of each list, then the second of each, and so on. */
export function takeTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((item, place) => ({ item, place })));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
