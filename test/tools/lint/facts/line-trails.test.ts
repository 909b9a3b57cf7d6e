import { describe, expect, it } from "vitest";
import { findTrails } from "../../../../src/tools/lint/facts/trail.ts";

const pool = `0x${"a".repeat(40)}`;
const other = `0x${"b".repeat(40)}`;

/** The text around the pool in a file, from the inside out, without the file's own path. */
function around(path: string, ...lines: string[]) {
  const [trail = []] = findTrails(lines.join("\n"), path).get(pool) ?? [];
  return trail.slice(0, -1);
}

describe("what stands around a line", () => {
  it.each<[string, string[], string[]]>([
    ["nothing at the margin", ["chain: base", `pool: ${pool}`, "network: base"], [`pool: ${pool}`]],
    [
      "a chain in the same block",
      ["a:", "  chainId: 10", `  pool: ${pool}`, "  network: x"],
      [`  pool: ${pool}`, "chainId: 10", "network: x", "a:"],
    ],
    ["no chain of another address", ["a:", `  chain: ${other}`, `  pool: ${pool}`], [`  pool: ${pool}`, "a:"]],
    ["no chain behind an empty line", ["a:", "  chain: x", "", `  pool: ${pool}`], [`  pool: ${pool}`, "a:"]],
    ["no chain behind a line of blanks", ["a:", "  chain: x", "  ", `  pool: ${pool}`], [`  pool: ${pool}`, "a:"]],
    ["no chain of an inner block", ["a:", "  b:", "    chain: x", `  pool: ${pool}`], [`  pool: ${pool}`, "a:"]],
    [
      "each block around it, once",
      ["top:", "  a:", "    c: 1", "  b:", "    d: 1", `    pool: ${pool}`],
      [`    pool: ${pool}`, "b:", "top:"],
    ],
    ["a block that is one blank deep", ["a:", ` pool: ${pool}`], [` pool: ${pool}`, "a:"]],
    ["no line of brackets alone", ["top: {", "  {", `    pool: ${pool}`], [`    pool: ${pool}`, "top: {"]],
    [
      "chains six lines away",
      ["a:", "  chain: x", ...Array.from({ length: 5 }, (_, i) => `  n${i}: 1`), `  pool: ${pool}`],
      [`  pool: ${pool}`, "chain: x", "a:"],
    ],
    [
      "and no further",
      ["a:", "  chain: x", ...Array.from({ length: 6 }, (_, i) => `  n${i}: 1`), `  pool: ${pool}`],
      [`  pool: ${pool}`, "a:"],
    ],
  ])("is %s", (_, lines, expected) => {
    expect(around("a.yaml", ...lines)).toEqual(expected);
  });

  it("is every heading above it, each of a higher rank, in a document", () => {
    const lines = ["# Title", "## One", "### Inner", "## Two", "text", `* ${pool}`];
    expect(around("a.md", ...lines)).toEqual([`* ${pool}`, "## Two", "# Title"]);
    expect(around("a.yaml", ...lines)).toEqual([`* ${pool}`]);
    expect(around("a.md", "before", "# Title  ", "  text", `    ${pool}`)).toEqual([`    ${pool}`, "text", "# Title"]);
    expect(around("a.md", "before", "# Title", `  ${pool}`)).toEqual([`  ${pool}`, "# Title"]);
  });

  it("is at most 240 characters on each side of it", () => {
    const [line = ""] = around("a.txt", `${"x".repeat(300)}${pool}${"y".repeat(300)}`);
    expect(line).toBe(`${"x".repeat(240)}${pool}${"y".repeat(200 - 2)}`);
    expect(around("a.yaml", `${"k".repeat(300)}:`, `  ${pool}`)).toEqual([`  ${pool}`, "k".repeat(240)]);
  });
});
