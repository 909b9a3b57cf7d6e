import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutRanges } from "../../src/bulk/queue/ranges.ts";
import { readBulk } from "../../src/cli/volume/bulk-options.ts";
import { startPace } from "../../src/volume/pace.ts";

const someRange = fc.tuple(fc.nat(300), fc.nat(60)).map(([first, more]) => ({ first, last: first + more }));

describe("cutRanges", () => {
  it("cuts what is not covered into pieces that do not overlap, at the same places wherever it begins", () => {
    fc.assert(
      fc.property(
        someRange,
        fc.array(someRange, { maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        (whole, covered, size) => {
          const blocks = cutRanges(whole, covered, size).flatMap(({ first, last }) => {
            expect(Math.floor(first / size)).toBe(Math.floor(last / size));
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
      plan: { first: 10, last: 20, format: "ndjson", traces: true, state: true, size: 100, retries: 10 },
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

describe("the pace of a long run", () => {
  it("tells how fast it goes and how long it still takes, where that is known", () => {
    let now = 1_000;
    const pace = startPace({ now: () => now });
    expect(pace.describe(0, 0)).toBe("0 done");
    now += 10_000;
    expect(pace.describe(25)).toBe("25 done, 2.5 a second");
    expect(pace.describe(12_000, 0.25)).toBe("12,000 done, 1,200 a second, 30 s left");
    expect(pace.describe(12_000, 0.01)).toBe("12,000 done, 1,200 a second, 17 min left");
    expect(pace.describe(12_000, 0.0001)).toBe("12,000 done, 1,200 a second, 28 h left");
  });
});
