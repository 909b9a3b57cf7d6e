import { describe, expect, it } from "vitest";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { findSyntaxMistake } from "../../../src/rules/documents/syntax-mistake.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";
import { placeOf } from "../ruleset/rule-text.ts";

const helps = {
  tab: "YAML indents with spaces only, here two for each level. Editors can be told to insert spaces for the tab key.",
  indent: "Fields of one thing stand in one column. What belongs to a field stands below it, two spaces further in.",
  comma: "Entries inside { } and [ ] are separated by commas: `{ from: subject, to: pool }`.",
  any: "Compare this line and the one above with lines that work: a quote, a bracket, a comma, a colon or the indent is wrong.",
  strange: "It came along with copied text. Delete it, and type a blank with the space bar.",
  single: "Put a single quote at the end of the text.",
  double: "Put a double quote at the end of the text.",
};
const tab = "the line is indented with a tab; spaces were expected";
const quote = "the quote that opens here is not closed";
const brace = "the `{` that opens here is not closed; `}` was expected";
const bracket = "the `[` that opens here is not closed; `]` was expected";
const any = "nothing can be read from here on";
const blank = (key: string) => `a blank is missing after the colon of \`${key}:\``;
const noColon = (key: string) => `a colon is missing behind \`${key}\``;
const strange = (code: string) =>
  `a character stands here that only looks like a blank (U+${code}); a blank was expected`;
const writeBlank = (key: string) => `Write \`${key}: \` and then the value.`;
const meaning = (what: string) => `${what} has a meaning of its own here; the text was expected in double quotes`;
const colon = meaning("a colon and a blank");
const long = "x".repeat(58);

describe("a text that is not YAML", () => {
  it.each<[string, string, string, string]>([
    ["\ta: 1\n", "1:1-1:2", tab, helps.tab],
    ["a:\n  \tb: 1\n", "2:3-2:4", tab, helps.tab],
    ["a:\n\t\tb: 1\n", "2:1-2:3", tab, helps.tab],
    ["a: 'x\nb: 1\n", "1:4-1:6", quote, helps.single],
    ["a: 'x\r\nb: 1\r\n", "1:4-1:6", quote, helps.single],
    ['a: { b: "x }\n', "1:9-1:13", quote, helps.double],
    ['a: don"t\nb: "x\nc: 1\n', "2:4-2:6", quote, helps.double],
    ["a: 'b'\nc: 'd\n", "2:4-2:6", quote, helps.single],
    ["'a: 1\n", "1:1-1:6", quote, helps.single],
    ['[a,"b\n', "1:4-1:6", quote, helps.double],
    ["a: { b: 1 c: 2 }\n", "1:9-1:16", "two entries stand here without a comma between them", helps.comma],
    ["a: { b: 1\nc: 2\n", "1:4-1:5", brace, "Put `}` behind the last entry."],
    ["a: [{ b: 1 }, { c: 2 ]\n", "1:15-1:16", brace, "Put `}` behind the last entry."],
    ["a: [1, 2\nb: 1\n", "1:4-1:5", bracket, "Put `]` behind the last entry."],
    ["a: ['[', \"{\", 1 # }\n", "1:4-1:5", bracket, "Put `]` behind the last entry."],
    ["a: [\"it\\\"s [\", 'it''s [', 1\n", "1:4-1:5", bracket, "Put `]` behind the last entry."],
    ["a:1\nb: 2\n", "1:1-1:4", blank("a"), writeBlank("a")],
    ["b: 2\na:1\nc: 3\n", "2:1-2:4", blank("a"), writeBlank("a")],
    ["x:\n  - a:1\n    b: 2\n", "2:5-2:8", blank("a"), writeBlank("a")],
    ["a: 1\n_k-1:v  \n", "2:1-2:7", blank("_k-1"), writeBlank("_k-1")],
    ["a: 1\nb 2\nc: 3\n", "2:1-2:4", noColon("b"), writeBlank("b")],
    ["x:\n  - id: s\n    act lending_x  \n    e: 1\n", "3:5-3:18", noColon("act"), writeBlank("act")],
    ["x:\n  - id s\n    a: 1\n", "2:5-2:9", noColon("id"), writeBlank("id")],
    ["x:\n  name Big Old Lend\n  a: 1\n", "2:3-2:20", noColon("name"), writeBlank("name")],
    ["a: b\n- c\n", "2:1-2:2", any, helps.any],
    ["a:\n  b: c\n  - d\n", "3:1-3:2", any, helps.any],
    ["- a: b\nc: d\n", "2:1-2:2", any, helps.any],
    ['x: 1\n"y z"\nb:1\nc: 2\n', "3:1-3:4", blank("b"), writeBlank("b")],
    ["of one to three sentences\na: 1\n", "1:1-1:26", any, helps.any],
    ["of this, that\na: 1\n", "1:1-1:14", any, helps.any],
    ["x:\n  rules\n  a: 1\n", "2:3-2:8", noColon("rules"), writeBlank("rules")],
    ["x:\n  b: 1\n  a:\u00a0p\n  c: 1\n", "3:5-3:6", strange("00A0"), helps.strange],
    ["x:\n  b: 1\n  a:\u200bp\n", "3:5-3:6", strange("200B"), helps.strange],
    ["a: 1\n  b: 2\n", "2:1-2:3", "the line is indented by 2 spaces; 0 were expected", helps.indent],
    ["a:\n    b: 1\n  c: 2\n", "3:1-3:3", "the line is indented by 2 spaces; 4 were expected", helps.indent],
    [
      "a:\n  b:\n      c: 1\n    d: 1\n",
      "4:1-4:5",
      "the line is indented by 4 spaces; 2 or 6 were expected",
      helps.indent,
    ],
    [
      "a:\n  b:\n    c:\n      d: 1\n   e: 1\n",
      "5:1-5:4",
      "the line is indented by 3 spaces; 4 or 6 were expected",
      helps.indent,
    ],
    ["a:\n  - b: 1\n   c: 2\n", "3:1-3:4", "the line is indented by 3 spaces; 2 or 4 were expected", helps.indent],
    [
      "a:\n - b: 1\n   c: 2\n  d: 1\n",
      "4:1-4:3",
      "the line is indented by 2 spaces; 1 or 3 were expected",
      helps.indent,
    ],
    ["a:\n  b: 1\n c: 2\n", "3:1-3:2", "the line is indented by 1 space; 2 were expected", helps.indent],
    ["a:\n b: 1\n   c: 2\n", "3:1-3:4", "the line is indented by 3 spaces; 1 was expected", helps.indent],
    [
      "a:\n\n  # note\n  b: 1\n     # deeper\n   c: 2\n",
      "6:1-6:4",
      "the line is indented by 3 spaces; 2 were expected",
      helps.indent,
    ],
    ["a:\n  b: 1\n\n c: 2\n", "4:1-4:2", "the line is indented by 1 space; 2 were expected", helps.indent],
    ["- - a: 1\n   b: 2\n", "2:1-2:4", "the line is indented by 3 spaces; 4 were expected", helps.indent],
    ["a: b: c\n", "1:4-1:8", colon, 'Write `"b: c"`.'],
    ["- a: b: c # d\n", "1:6-1:14", colon, 'Write `"b: c # d"`.'],
    ["a: @x\n", "1:4-1:6", meaning("`@`"), 'Write `"@x"`.'],
    ["a: > x\nb: 1\n", "1:4-1:7", meaning("`>`"), 'Write `"> x"`.'],
    ["a: {x} y: z\n", "1:4-1:12", meaning("`{`"), 'Write `"{x} y: z"`.'],
    [`a: ${long.slice(1)}: y\n`, "1:4-1:64", colon, `Write \`"${long.slice(1)}: y"\`.`],
    [`a: ${long}: y\n`, "1:4-1:65", colon, `Write \`"${long.slice(1)}…"\`.`],
    ["a\nb: 1\n", "1:1-1:2", noColon("a"), writeBlank("a")],
    ["a: 1\n}\n", "2:1-2:2", any, helps.any],
    ['a: "x" y\n', "1:8-1:9", any, helps.any],
    ["a: 1\n\t\n  b: 2\n", "2:1-2:2", any, helps.any],
    ["https://a.b: 1\n3 b\n", "2:1-2:4", any, helps.any],
  ])("%j is told by the mistake that its author made", (text, place, message, help) => {
    const { diagnostics } = readDocument("x.yaml", text, ruleDocumentCodes);
    expect(diagnostics.map((one) => [placeOf(one), one.message, one.help])).toEqual([
      [`RL101 ${place}`, `the text is not YAML: ${message}`, help],
    ]);
  });

  it("is told where the parser says, when nothing else shows it", () => {
    const quoteMissing = { code: "MISSING_CHAR", message: "Missing closing 'quote", pos: [2, 3] as const };
    expect(findSyntaxMistake("abc\n", quoteMissing)).toEqual({
      at: [2, 3],
      message: `the text is not YAML: ${quote}`,
      help: helps.single,
    });
    expect(findSyntaxMistake("a: 1\n", { code: "OTHER", message: "", pos: [0, 1] })).toEqual({
      at: [0, 1],
      message: `the text is not YAML: ${any}`,
      help: helps.any,
    });
  });

  it("is no missing blank where the parser complains of something else", () => {
    const told = (code: string) => findSyntaxMistake("a:1\nb: 2\n", { code, message: "", pos: [0, 1] }).message;
    const missing = `the text is not YAML: ${blank("a")}`;
    expect(["IMPLICIT_KEY_X", "MISSING_CHAR", "UNEXPECTED_TOKEN", "BAD_INDENT"].map(told)).toEqual([
      ...[missing, missing, missing, `the text is not YAML: ${any}`],
    ]);
  });
});
