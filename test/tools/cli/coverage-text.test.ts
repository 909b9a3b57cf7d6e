import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { type CoverageReport, formatCoverage, sortTypes } from "../../../src/tools/cli/coverage.ts";
import type { UnexplainedPlace } from "../../../src/tools/cli/volume/gap-count.ts";

const address = (digit: string) => toAddress(`0x${digit.padStart(40, "0")}`);
const place = (digit: string, more: Partial<UnexplainedPlace> = {}): UnexplainedPlace => ({
  ...{ address: address(digit), label: null, selector: "0x12345678", topic0: null, signature: null },
  ...{ cases: 1, worth_eth: "0", example: `0xe${digit}` },
  ...more,
});
const report = (more: Partial<CoverageReport> = {}): CoverageReport => ({
  ...{ cases: 4, unreadable: [], typed: 3, partial: 1, movements: null, calls: null, types: {}, unexplained: [] },
  ...more,
});

describe("coverage", () => {
  it("of what is all explained is short", () => {
    expect(formatCoverage(report())).toBe("cases    4\ntyped    75.0 % (3)\npartial  25.0 % (1)\n");
  });

  it("tells shares, unreadable files and what is left over, most cases and calls first", () => {
    const event = { selector: null, topic0: `0x${"ab".repeat(32)}` } as const;
    const text = formatCoverage(
      report({
        movements: { explained: 1, total: 3 },
        calls: { explained: 0, total: 0 },
        unreadable: [{ file: "x.json", problem: "bad" }],
        unexplained: [
          place("1", { ...event, cases: 3, worth_eth: "0.5", label: "One" }),
          place("2", { cases: 3, signature: "pay(uint256)" }),
          place("1", { cases: 3, selector: "0x", worth_eth: "2" }),
          place("1", { cases: 4, selector: null, topic0: null }),
          place("3", { ...event, cases: 3, worth_eth: "3" }),
        ],
      }),
    );
    expect(text).toBe(`cases       4
typed       75.0 % (3)
partial     25.0 % (1)
movements   33.3 % (1 of 3) of the subjects' are explained
calls       100.0 % (0 of 0) of the subjects' are explained
unreadable  1 file
left over      4  0x0000000000000000000000000000000000000001
                 4  event without topic
                 3  call plain
                 3  event 0xabababababababababababababababababababababababababababababababab
                    in 0xe1
               3  0x0000000000000000000000000000000000000002
                 3  call 0x12345678  pay(uint256)
                    in 0xe2
               3  0x0000000000000000000000000000000000000003
                 3  event 0xabababababababababababababababababababababababababababababababab
                    in 0xe3
by value    3 ETH  0x0000000000000000000000000000000000000003
            2 ETH  0x0000000000000000000000000000000000000001
            rule-lint new <protocol> --tx <one of these transactions> drafts a rule
`);
  });

  it("shows twenty contracts and counts the others", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => place(String(i + 1), { worth_eth: "1" }));
    expect(formatCoverage(report({ unexplained: many(20) }))).not.toContain("more contracts");
    const text = formatCoverage(report({ unexplained: many(21) }));
    expect(text).toContain("           and 1 more contract; --json lists all\n");
    expect(text).not.toContain("0xe21");
    expect(text.match(/1 ETH/g)).toHaveLength(20);
  });

  it("puts contracts that are called before those that only speak, where both are in as many cases", () => {
    const event = { selector: null, topic0: `0x${"ab".repeat(32)}` } as const;
    const order = (...unexplained: UnexplainedPlace[]) =>
      [...formatCoverage(report({ unexplained })).matchAll(/ (\d+) {2}0x0+(\d)\n/g)].map(
        ([, cases, digit]) => `${digit}: ${cases}`,
      );
    expect(order(place("1", event), place("2"), place("3", event), place("4"))).toEqual([
      "2: 1",
      "4: 1",
      "1: 1",
      "3: 1",
    ]);
    expect(order(place("1"), place("2", { ...event, cases: 2 }), place("3", { cases: 3 }))).toEqual([
      "3: 3",
      "2: 2",
      "1: 1",
    ]);
    expect(order(place("1", event), place("2", event), place("2"))).toEqual(["2: 1", "1: 1"]);
  });

  it("says how to go on where a contract is left over, and values each that is worth anything", () => {
    const text = formatCoverage(report({ unexplained: [place("1", { worth_eth: "0.000000000000000001" })] }));
    expect(text).toMatch(/\nby value +\S+ ETH {2}0x0+1\n +rule-lint new <protocol> --tx .* drafts a rule\n$/);
    const same = [place("1", { worth_eth: "2" }), place("2", { worth_eth: "2" }), place("3", { worth_eth: "3" })];
    const worth = [...formatCoverage(report({ unexplained: same })).matchAll(/(\d) ETH {2}0x0+(\d)/g)];
    expect(worth.map(([, eth, digit]) => `${digit}: ${eth}`)).toEqual(["3: 3", "1: 2", "2: 2"]);
  });

  it("lists types by name", () => {
    expect(Object.entries(sortTypes({ swap: 1, claim: 2, other: 3 }))).toEqual([
      ["claim", 2],
      ["other", 3],
      ["swap", 1],
    ]);
  });
});
