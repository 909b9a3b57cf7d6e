import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutRanges } from "../../../src/tools/bulk/queue/ranges.ts";
import { readBulk } from "../../../src/tools/cli/volume/bulk-options.ts";

const someRange = fc.tuple(fc.nat(300), fc.nat(60)).map(([first, more]) => ({ first, last: first + more }));

describe("cutRanges", () => {
  it("cuts what is not covered into pieces that do not overlap, at the same places wherever it begins", () => {
    fc.assert(
      fc.property(
        someRange,
        fc.array(someRange, { maxLength: 6 }),
        fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })),
        (whole, covered, [before, after]) => {
          const sizeAt = (block: number) => (block < 150 ? before : after);
          const blocks = cutRanges(whole, covered, sizeAt).flatMap(({ first, last }) => {
            expect(Math.floor(first / sizeAt(first))).toBe(Math.floor(last / sizeAt(first)));
            return Array.from({ length: last - first + 1 }, (_, i) => first + i);
          });
          const wanted = Array.from({ length: whole.last - whole.first + 1 }, (_, i) => whole.first + i);
          expect(blocks).toEqual(
            wanted.filter((block) => !covered.some(({ first, last }) => first <= block && block <= last)),
          );
        },
      ),
    );
  });
});

describe("bulk on the command line", () => {
  const read = (words: string, options: Record<string, unknown> = {}) =>
    readBulk({ words: words.split(" "), options, rpcUrls: [] });

  it("reads plans and their defaults", () => {
    expect(read("plan", { from: "10", to: "20" })).toEqual({
      task: "plan",
      json: false,
      plan: { first: 10, last: 20, format: "ndjson", traces: true, state: true, size: null, retries: 10 },
    });
    expect(read("work", { dir: "d" })).toEqual({ task: "work", dir: "d", rpcUrls: [], json: false });
  });

  it.each([
    ["", {}, /expected plan, work, status or parts/],
    ["rest", {}, /expected plan, work, status or parts/],
    ["work now", {}, /expected nothing after work/],
    ["plan", { from: "1" }, /needs --from BLOCK and --to BLOCK/],
    ["plan", { from: "2", to: "1" }, /--to 1 is before --from 2/],
    ["plan", { from: "0x1", to: "1" }, /--from expects a whole number/],
    ["plan", { from: "1", to: "2", size: "0" }, /--size expects a whole number from 1/],
    ["plan", { from: "1", to: "2", format: "csv" }, /--format expects ndjson or parquet/],
    ["status", { from: "1" }, /are for bulk plan/],
  ])("refuses %j %j", (words, options, message) => {
    expect(() => read(words, options)).toThrow(message);
  });
});

describe("ranges", () => {
  it.each<[number, number, [number, number][], [number, number][]]>([
    [0, 9, [], [[0, 9]]],
    [
      0,
      10,
      [],
      [
        [0, 9],
        [10, 10],
      ],
    ],
    [
      9,
      20,
      [],
      [
        [9, 9],
        [10, 19],
        [20, 20],
      ],
    ],
    [
      0,
      29,
      [[10, 19]],
      [
        [0, 9],
        [20, 29],
      ],
    ],
    [0, 9, [[0, 9]], []],
    [
      5,
      9,
      [
        [0, 4],
        [10, 20],
      ],
      [[5, 9]],
    ],
    [
      5,
      9,
      [
        [0, 5],
        [9, 20],
      ],
      [[6, 8]],
    ],
    [
      0,
      9,
      [
        [6, 7],
        [2, 3],
      ],
      [
        [0, 1],
        [4, 5],
        [8, 9],
      ],
    ],
    [
      0,
      9,
      [
        [2, 8],
        [3, 4],
      ],
      [
        [0, 1],
        [9, 9],
      ],
    ],
  ])("%d to %d without %j", (first, last, covered, expected) => {
    const rangeOf = ([from, to]: [number, number]) => ({ first: from, last: to });
    expect(cutRanges({ first, last }, covered.map(rangeOf), () => 10)).toEqual(expected.map(rangeOf));
  });
});
