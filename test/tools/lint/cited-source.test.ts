import { describe, expect, it } from "vitest";
import { citationForms } from "../../../src/rules/documents/citation.ts";
import { checkLabelSources, checkSources } from "../../../src/tools/lint/checks/cited-source.ts";

const commit = "ex/book@0123456:A.md";
const unverified = "unverified: told by a user";
const block = `block:7#code=0x${"12".repeat(32)}`;

/** The findings about a rule file. `contracts`: each role's addresses with their sources, as the compiler reads them. */
function told(written: object | undefined, contracts?: Record<string, { source: string[] }[]>): unknown[][] {
  return [...checkSources({ written, document: { contracts } } as never)];
}

describe("a source that no program can look up", () => {
  it.each([
    [
      "https://github.com/ex/book/blob/main/docs/A.md",
      "a branch moves on; the file at a commit was expected: `ex/book@<commit>:docs/A.md`",
    ],
    [
      "https://github.com/ex/book/tree/v1/docs",
      "a branch moves on; the file at a commit was expected: `ex/book@<commit>:docs`",
    ],
    [
      "ex/book@main:A.md",
      "`main` is no commit; 7 to 40 lower-case hex digits were expected, because a branch moves on",
    ],
    [
      "ex/bo.ok@012345:A.md#x",
      "`012345` is no commit; 7 to 40 lower-case hex digits were expected, because a branch moves on",
    ],
    [
      "https://example.org/a",
      "a page changes; the day on which it was read was expected behind it, such as `https://… 2026-01-31`",
    ],
    [
      "https://github.com/ex/book/blob/main",
      "a page changes; the day on which it was read was expected behind it, such as `https://… 2026-01-31`",
    ],
    [
      "https://example.org/a yesterday",
      `\`https://example.org/a yesterday\` is no source; one of ${citationForms} was expected`,
    ],
    ["ex/book@main:", `\`ex/book@main:\` is no source; one of ${citationForms} was expected`],
    ["", `\`\` is no source; one of ${citationForms} was expected`],
  ])("is told what is missing: %s", (source, message) => {
    expect(told({ source })).toEqual([["RL213", ["source"], message]]);
  });

  it("is looked for wherever a file has one", () => {
    const contracts = {
      pool: { source: ["a", commit, "b"], "0x1": "Pool", "0x2": { label: "Other", source: "c" } },
      vault: { "0x3": { label: "Vault" }, "0x4": { label: "Vault", source: ["d"] } },
    };
    const paths = told({ source: [commit, "e"], abi_source: "f", contracts }).map(([code, path]) => [code, path]);
    expect(paths).toEqual([
      ["RL213", ["source", 1]],
      ["RL213", ["abi_source"]],
      ["RL213", ["contracts", "pool", "source", 0]],
      ["RL213", ["contracts", "pool", "source", 2]],
      ["RL213", ["contracts", "pool", "0x2", "source"]],
      ["RL213", ["contracts", "vault", "0x4", "source", 0]],
    ]);
    expect([told({}), told(undefined)]).toEqual([[], []]);
  });
});

describe("a check at a block", () => {
  const message = "a check at a block tells of one contract; it was expected beside that address";
  const [one, two] = [{ "0x1": "Pool" }, { "0x1": "Pool", "0x2": "Pool" }];

  it.each<[string, object, unknown[]]>([
    [
      "of a file with two addresses",
      { source: block, contracts: { pool: one, vault: { "0x2": "Vault" } } },
      ["source"],
    ],
    [
      "of a role with two",
      { contracts: { pool: { source: [commit, block], ...two } } },
      ["contracts", "pool", "source", 1],
    ],
  ])("is one contract's: %s", (_what, written, path) => {
    expect(told(written)).toEqual([["RL213", path, message]]);
  });

  it.each<[string, object]>([
    ["a file with one address", { source: block, contracts: { pool: one } }],
    ["a file with none", { source: block }],
    ["an ABI", { abi_source: block, contracts: { pool: two } }],
    ["a role with one", { contracts: { pool: { source: block, ...one }, vault: two } }],
    ["an address", { contracts: { pool: { "0x1": "Pool", "0x2": { label: "Pool", source: block } } } }],
  ])("may be that of %s", (_what, written) => {
    expect(told(written)).toEqual([]);
  });
});

describe("addresses that nobody can check", () => {
  const open = { source: [unverified] };
  const counted = (text: string) => [["RL214", ["contracts"], `${text} no source that can be checked`, { key: true }]];

  it("are counted", () => {
    expect(told({}, { pool: [open] })).toEqual(counted("1 address has"));
    // One without any source is refused by the loader.
    expect(told({}, { pool: [{ source: [] }] })).toEqual([]);
    expect(told({}, { pool: [open, { source: [] }], vault: [{ source: [unverified, unverified] }] })).toEqual(
      counted("2 addresses have"),
    );
    expect(told({}, { pool: [{ source: [unverified, commit] }, { source: [commit] }] })).toEqual([]);
    expect([told({}, {}), told({})]).toEqual([[], []]);
  });
});

describe("the sources of label files", () => {
  const labelled = (text: string, wanted = true) =>
    checkLabelSources({
      labels: [
        { path: "labels/other.yaml", text: "sources: { list: no }\n" },
        { path: "labels/a.yaml", text },
      ],
      wanted: new Set(wanted ? ["labels/a.yaml"] : []),
    } as never).map(({ code, file, message, range: { start } }) => [
      code,
      `${file}:${start.line}:${start.column}`,
      message,
    ]);
  const none = "what names this source has none that can be checked";

  it("are checked like those of rules, each by itself", () => {
    const text = `sources:\n  one: [${commit}, "${unverified}"]\n  two: "${unverified}"\n  three: no page\n`;
    expect(labelled(text)).toEqual([
      ["RL214", "labels/a.yaml:3:8", none],
      ["RL213", "labels/a.yaml:4:10", `\`no page\` is no source; one of ${citationForms} was expected`],
    ]);
  });

  it("are those of the files that were asked for", () => {
    expect(labelled("sources:\n  one: no page\n", false)).toEqual([]);
    expect([labelled("names: []\n"), labelled("")]).toEqual([[], []]);
  });
});
