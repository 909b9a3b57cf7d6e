import { compareAmounts } from "./amount.ts";

/** What can tell whether something is in it. */
export type Members<T> = Pick<ReadonlySet<T>, "has">;

/** Nearly all lists about one transaction are this short, and then a search or a sort one by one takes a fraction of V8's own. */
const fewMax = 8;

/** The items in order; those that compare as equal stay as they come. */
export function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  if (items.length > fewMax) return items.toSorted(compare);
  const list: T[] = [];
  for (const item of items) {
    let at = list.length;
    for (; at > 0 && compare(list[at - 1] as T, item) > 0; at--) list[at] = list[at - 1] as T;
    list[at] = item;
  }
  return list;
}

/** In another order: what weighs most first. */
export function heaviestFirst<T>(items: readonly T[], weigh: (item: T) => bigint): T[] {
  const weighed = items.map((item) => ({ item, weight: weigh(item) }));
  return sorted(weighed, (a, b) => compareAmounts(b.weight, a.weight)).map(({ item }) => item);
}

/** Each item once, where it comes first. */
export function distinct<T>(items: readonly T[]): T[] {
  if (items.length > fewMax) return [...new Set(items)];
  const list: T[] = [];
  for (const item of items) if (!list.includes(item)) list.push(item);
  return list;
}

/** Tells whether something is among the items. */
export function membersOf<T>(items: readonly T[]): Members<T> {
  return items.length > fewMax ? new Set(items) : { has: (item) => items.includes(item) };
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
  return sorted(placed, (a, b) => a.place - b.place).map(({ item }) => item);
}
