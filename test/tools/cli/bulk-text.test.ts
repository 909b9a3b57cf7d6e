import { describe, expect, it } from "vitest";
import { formatPlanned, formatStatus } from "../../../src/tools/cli/volume/bulk.ts";

describe("what a plan did", () => {
  const planned = { ruleset: "r1", jobs: 3, carried: 0, known: 0, revived: 0 };

  it.each([
    [{}, "ruleset  r1\nplanned  3 ranges\n"],
    [{ jobs: 0, known: 1 }, "ruleset  r1\nplanned  0 ranges\nknown    1 ranges are done or planned already\n"],
    [{ revived: 1 }, "ruleset     r1\nplanned     3 ranges\ntried anew  1 ranges that had failed\n"],
    [
      { carried: 1 },
      "ruleset       r1\nplanned       3 ranges\ncarried over  1 ranges that no changed rule can be about\n",
    ],
    [
      { carried: 4, known: 5, revived: 6 },
      `ruleset       r1
planned       3 ranges
carried over  4 ranges that no changed rule can be about
known         5 ranges are done or planned already
tried anew    6 ranges that had failed
`,
    ],
  ])("with %j", (more, text) => {
    expect(formatPlanned({ ...planned, ...more })).toBe(text);
  });
});

describe("how far the plans are", () => {
  const status = {
    ...{ ruleset: "r1", planned: 10, done: 4, active: 3, waiting: 2, failed: 1 },
    ...{ blocks: 1_000, blocksDone: 400, rows: 12_345, bytes: 2_460_000, failures: [] },
  };
  const text = `ruleset       r1
ranges        4 of 10 done, 3 worked on, 2 waiting, 1 failed
blocks        400 of 1000
transactions  12345, 2.5 MB
`;

  it("is told in ranges, blocks and transactions, with what failed", () => {
    expect(formatStatus(status)).toBe(text);
    const failures = [
      { first: 1, last: 9, message: "no" },
      { first: 10, last: 19, message: "never" },
    ];
    expect(formatStatus({ ...status, failures })).toBe(
      `${text}trouble       1 to 9: no\n              10 to 19: never\n`,
    );
  });
});
