import { describe, expect, it } from "vitest";
import { compileLabels } from "../../../src/rules/labels/load.ts";
import { name, usdc } from "./mistakes.ts";

const source = 'sources: { list: "https://example.org/list" }\n';
const entry = `names:\n  - ${name(`"${usdc}"`, "A")}\n`;
const unused = "2:12 LB115 The source `list` is defined, but no entry names it; a use was expected.";

/** The mistakes in a file, and whether its entry is still known. */
function found(text: string) {
  const { labels, diagnostics } = compileLabels([{ path: "a.yaml", text }], []);
  const told = diagnostics.map(
    ({ code, message, range: { start } }) => `${start.line}:${start.column} ${code} ${message}`,
  );
  const address = usdc.toLowerCase();
  const known = [labels.name(address)?.label, labels.chain("s", "1"), labels.decimals(address)];
  return { told, known: known.find((one) => one !== undefined) };
}

describe("a file whose parts are something else", () => {
  it.each([
    ["sources: [list]\n", "2:10 LB106 a list stands here; a mapping was expected"],
    ["sources: null\n", "2:10 LB106 nothing stands here; a mapping was expected"],
    ["sources: list\n", "2:10 LB106 `list` stands here; a mapping was expected"],
    ["sources: 5\n", "2:10 LB106 `5` stands here; a mapping was expected"],
    ["", "1:1 LB106 `sources` is missing"],
  ])("keeps its entries where its sources are none: %j", (sources, problem) => {
    expect(found(`schema: names/v1\n${sources}${entry}`)).toEqual({ told: [problem], known: "A" });
  });

  it.each<[string, string[]]>([
    ["names: []", []],
    ["names: {}", ["3:8 LB106 a mapping stands here; a list was expected"]],
    ["names: null", ["3:8 LB106 nothing stands here; a list was expected"]],
    ["names: x", ["3:8 LB106 `x` stands here; a list was expected"]],
    ["names: [null]", ["3:9 LB106 nothing stands here; a mapping was expected"]],
    [
      'names: ["a", [1]]',
      ["3:9 LB106 `a` stands here; a mapping was expected", "3:14 LB106 a list stands here; a mapping was expected"],
    ],
    ["schemes: {}", []],
    ["schemes: x", ["3:10 LB106 `x` stands here; a mapping was expected"]],
    ["schemes: null", ["3:10 LB106 nothing stands here; a mapping was expected"]],
    ["schemes: [{ source: list, names: { 1: One } }]", ["3:10 LB106 a list stands here; a mapping was expected"]],
    ["schemes: { s: null }", ["3:15 LB106 nothing stands here; a mapping was expected"]],
    ["decimals: {}", []],
    ["decimals: x", ["3:11 LB106 `x` stands here; a mapping was expected"]],
    ["decimals: null", ["3:11 LB106 nothing stands here; a mapping was expected"]],
    [`decimals: [{ source: list, tokens: ["${usdc}"] }]`, ["3:11 LB106 a list stands here; a mapping was expected"]],
  ])("has no entries: %s", (part, problems) => {
    const kind = part.slice(0, part.indexOf(":")).replace("schemes", "chains");
    expect(found(`schema: ${kind}/v1\n${source}${part}\n`)).toEqual({ told: [unused, ...problems], known: undefined });
  });

  const one = "  s: { source: list, names: { 1: One } }\n";
  const six = `  6: { source: list, tokens: ["${usdc}"] }\n`;
  it.each<[string, string, string[], unknown]>([
    ["chains", `schemes:\n${one}`, [], "One"],
    [
      "chains",
      `schemes:\n${one}  'Bad Key': { source: list, names: { 1: One } }\n`,
      ["5:3 LB106 `Bad Key` stands here; a lower-case name of letters, digits and _ was expected"],
      undefined,
    ],
    ["chains", `schemes:\n${one}  t: [1]\n`, ["5:6 LB106 a list stands here; a mapping was expected"], "One"],
    ["decimals", `decimals:\n${six}`, [], 6],
    [
      "decimals",
      `decimals:\n${six}  x: 5\n`,
      [
        "5:3 LB106 `x` stands here; a number of decimals from 0 to 36 was expected",
        "5:6 LB106 `5` stands here; a mapping or a list was expected",
      ],
      undefined,
    ],
  ])(
    "keeps the others beside an entry with a mistake, and none beside a wrong key: %s %#",
    (kind, part, told, known) => {
      expect(found(`schema: ${kind}/v1\n${source}${part}`)).toEqual({ told, known });
    },
  );

  it.each(["[]\n", "null\n", "5\n", "text\n", "", "- schema: names/v1\n"])("is none of labels: %j", (text) => {
    expect(found(text)).toEqual({
      told: [expect.stringMatching(/^1:1 LB105 `schema` is missing; one of `tokens\/v1`, .* was expected\.$/)],
      known: undefined,
    });
  });
});
