import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo, distinct, heaviestFirst, membersOf, sorted } from "../../src/kernel/lists.ts";

const numbers = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });

describe("lists", () => {
  it("are sorted, equal items in their order", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const items = list.map((rank, place) => ({ rank, place }));
        const compare = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
        expect(sorted(items, compare)).toEqual(items.toSorted(compare));
        const heaviest = heaviestFirst(items, ({ rank }) => BigInt(rank));
        expect(heaviest).toEqual(items.toSorted((a, b) => b.rank - a.rank));
      }),
    );
  });

  it("have each item once, and say what is in them", () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 9 }), (list, sought) => {
        expect(distinct(list)).toEqual([...new Set(list)]);
        expect(membersOf(list).has(sought)).toBe(new Set(list).has(sought));
      }),
    );
  });

  it("are grouped by key", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const lists = new Map<number, number[]>();
        for (const item of list) addTo(lists, item % 3, item);
        expect(lists).toEqual(Map.groupBy(list, (item) => item % 3));
      }),
    );
  });
});
