import fc from "fast-check";
import { expect, it } from "vitest";
import { type BlockCalendar, type CalendarSegment, createBlockCalendar } from "../../src/kernel/block-calendar.ts";
import { shippedLabels } from "../support/labels.ts";

const calendar = shippedLabels().calendar.blocks as BlockCalendar;

it("knows when Base made its blocks, also where they become faster", () => {
  const { timeAt, blockAt } = calendar;
  const denim = Date.parse("2026-11-05T18:00:00Z") / 1000;
  const times = [53_556_126n, 53_556_127n, 53_556_131n, 53_556_132n].map(timeAt);
  expect(times).toEqual([denim - 1, denim + 1, denim + 1, denim + 2]);
  expect([denim - 2, denim - 1, denim, denim + 1, denim + 2].map(blockAt)).toEqual(
    [26n, 26n, 27n, 27n, 32n].map((block) => 53_556_100n + block),
  );
  // A day has 43,200 blocks before, and 432,000 after.
  const day = 86_400;
  expect(blockAt(denim - day) - blockAt(denim - 2 * day)).toBe(43_200n);
  expect(blockAt(denim + 2 * day) - blockAt(denim + day)).toBe(432_000n);
});

it("counts from the first block, and has a segment", () => {
  expect(calendar.blockAt(0)).toBe(0n);
  expect(() => createBlockCalendar([])).toThrow("a calendar has a segment");
});

/** Segments that follow one another, each a whole number of seconds long. */
const segments: fc.Arbitrary<CalendarSegment[]> = fc
  .array(
    fc.record({ ms: fc.constantFrom(100, 200, 250, 500, 1_000, 2_000), seconds: fc.integer({ min: 1, max: 500 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => {
    let [fromBlock, at] = [7n, 1_000];
    return parts.map(({ ms, seconds }) => {
      const segment = { fromBlock, ms, at };
      fromBlock += BigInt(seconds * 20);
      at += (seconds * 20 * ms) / 1000;
      return segment;
    });
  });

it("gives the first block of each second, and no time goes back", () => {
  fc.assert(
    fc.property(segments, fc.integer({ min: 900, max: 30_000 }), (parts, seconds) => {
      const { timeAt, blockAt } = createBlockCalendar(parts);
      const block = blockAt(seconds);
      if (block > 7n) expect(timeAt(block - 1n)).toBeLessThan(seconds);
      expect(timeAt(block)).toBeGreaterThanOrEqual(seconds);
      expect(blockAt(timeAt(block))).toBeLessThanOrEqual(block);
      expect(timeAt(block + 1n)).toBeGreaterThanOrEqual(timeAt(block));
    }),
  );
});
