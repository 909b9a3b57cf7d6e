import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readDocument } from "../../../src/rules/documents/document.ts";
import type { SourceDocument } from "../../../src/rules/documents/source-document.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";
import { placeOf } from "../ruleset/rule-text.ts";

function read(text: string): SourceDocument {
  return readDocument("x.yaml", text, ruleDocumentCodes);
}

function problems(text: string): string[] {
  return read(text).diagnostics.map(placeOf);
}

describe("what YAML allows and rule files do not", () => {
  it.each([
    ["a: 1\na: 2\n", ["RL101 2:1-2:2"]],
    ["a: { b: 1, b: 2 }\n", ["RL101 1:12-1:13"]],
    ["a: [\n", ["RL101 1:4-1:5"]],
    ["a: b: c\n", ["RL101 1:4-1:8"]],
    ["a: 'x\n", ["RL101 1:4-1:6"]],
    ["a: &x 1\n", ["RL102 1:7-1:8"]],
    ["a: &x 1\nb: *x\n", ["RL102 1:7-1:8", "RL102 2:4-2:6"]],
    ["a: !!str 1\n", ["RL102 1:10-1:11"]],
    ["a: !foo { x: 1 }\n", ["RL102 1:9-1:17"]],
    ["&k a: 1\n", ["RL102 1:4-1:5"]],
    ["<<: { a: 1 }\n", ["RL102 1:1-1:3"]],
    ["? [a]\n: b\n", ["RL102 1:3-1:6"]],
    ["a: 1\n---\nb: 2\n", ["RL102 2:1-2:4"]],
    ["%YAML 1.1\n---\na: yes\n", ["RL102 1:1-1:6"]],
    ["# a comment\n%YAML 1.1\n---\na: yes\n", ["RL102 2:1-2:6"]],
    ["a: 0xAB\n", ['RL103 1:4-1:8 "0xAB"']],
    ["0xAB: a\n", ['RL103 1:1-1:5 "0xAB"']],
    ["a: [1, -0x1]\n", []],
    ["a: 9007199254740991\n", []],
    ["a: 9007199254740992\n", ['RL104 1:4-1:20 "9007199254740992"']],
    ["a: '0xAB'\nb: 1.5\nc: true\n", []],
    ["", []],
  ])("%j", (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it("keeps the digits of what YAML would round, so that one mistake is told once", () => {
    expect(read("a: 0xAB\n9007199254740993: 9007199254740993\n").value).toEqual({
      a: "0xAB",
      "9007199254740993": "9007199254740993",
    });
  });

  it("shows numbers of up to 20 characters whole, and longer ones by their first 17", () => {
    const told = (number: string) => read(`a: ${number}\n`).diagnostics.map(({ message }) => message.split(" ")[0]);
    expect(told(`0x${"1".repeat(18)}`)).toEqual([`\`0x${"1".repeat(18)}\``]);
    expect(told(`0x${"1".repeat(19)}`)).toEqual([`\`0x${"1".repeat(15)}…\``]);
    expect(told("9".repeat(20))).toEqual([`\`${"9".repeat(20)}\``]);
    expect(told("9".repeat(21))).toEqual([`\`${"9".repeat(17)}…\``]);
  });

  it.each<[string, unknown]>([
    ["a: [1, [b, { c: null }]]\n", { a: [1, ["b", { c: null }]] }],
    ["- 1\n- true\n- ''\n", [1, true, ""]],
    ["a:\nb: 1.5\n1: -2\n", { a: null, b: 1.5, "1": -2 }],
    ["[]", []],
    ["{}", {}],
    ["text", "text"],
    ["", null],
    ["# a comment\n", null],
  ])("gives what %j says", (text, value) => {
    expect(read(text).value).toEqual(value);
  });

  it("reports in every part of lists and mappings", () => {
    expect(problems("a: [0xAB, { b: [0x1] }]\nc: { d: &e f }\n")).toEqual([
      ...['RL103 1:5-1:9 "0xAB"', 'RL103 1:17-1:20 "0x1"', "RL102 2:12-2:13"],
    ]);
  });

  it("gives no value when it cannot be read as it is meant", () => {
    for (const text of ["a: [\n", "a: &x 1\n", "a: *x\n"]) expect(read(text).value).toBeUndefined();
  });

  it("takes a key named __proto__ for a key", () => {
    const value = read("__proto__: { a: 1 }\nb: { c: 1 }\n").value as Record<string, object>;
    expect(Object.keys(value)).toEqual(["__proto__", "b"]);
    expect(Object.getPrototypeOf(value)).toBe(null);
    expect((value as { a?: number }).a).toBeUndefined();
  });
});

describe("places", () => {
  const text = `a: 1
list:
  - { id: x, tags: [p, q] }
  - id: y
    deep:
      "quoted key": "v"
0: zero
empty:
`;
  const document = read(text);
  const at = (path: (string | number)[], key = false) => {
    const { start, end } = document.rangeOf(path, { key });
    return `${start.line}:${start.column}-${end.line}:${end.column}`;
  };

  it.each<[(string | number)[], string, string]>([
    [["a"], "1:4-1:5", "1:1-1:2"],
    [["list"], "2:1-2:5", "2:1-2:5"],
    [["list", 0], "3:5-3:28", "3:5-3:28"],
    [["list", 0, "tags"], "3:20-3:26", "3:14-3:18"],
    [["list", 1, "deep"], "6:7-6:24", "5:5-5:9"],
    [["list", 0, "tags", 1], "3:24-3:25", "3:24-3:25"],
    [["list", 1], "4:5-4:10", "4:5-4:10"],
    [["list", 1, "deep", "quoted key"], "6:21-6:24", "6:7-6:19"],
    [["0"], "7:4-7:8", "7:1-7:2"],
    [[0], "7:4-7:8", "7:1-7:2"],
    [["empty"], "8:7-8:7", "8:1-8:6"],
    [["missing"], "1:1-1:5", "1:1-1:5"],
    [["list", 9], "2:1-2:5", "2:1-2:5"],
    [["list", 1, "deep", "none", "at", "all"], "5:5-5:9", "5:5-5:9"],
    [["a", "below"], "1:1-1:2", "1:1-1:2"],
  ])("of %j", (path, value, key) => {
    expect({ value: at(path), key: at(path, true) }).toEqual({ value, key });
  });

  it("count lines from the first, also where it is empty", () => {
    expect(read("\n\na: 1\n").rangeOf(["a"]).start).toEqual({ line: 3, column: 4 });
    expect(read("\na:\n  b: 1\n").rangeOf(["a", "b"]).start).toEqual({ line: 3, column: 6 });
    expect(problems("\na: 1\na: 2\n")).toEqual(["RL101 3:1-3:2"]);
  });

  it("inside a text are those of its characters, however it is written", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", "'", '"', "\\", "\t", "é", "😀", "\u2028", " ", "{", "#", ":", "\u0007"),
      minLength: 1,
      maxLength: 30,
    });
    const style = fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE");
    fc.assert(
      fc.property(word, style, fc.nat(), fc.nat(), (content, type, first, length) => {
        const written = stringify(
          { key: content },
          { defaultStringType: type as "PLAIN", defaultKeyType: "PLAIN", lineWidth: 0 },
        );
        const document = read(written);
        fc.pre(document.diagnostics.length === 0 && written.trimEnd().split("\n").length === 1);
        expect((document.value as { key: string }).key).toBe(content);
        const points = [...content];
        const from = first % points.length;
        const to = from + 1 + (length % (points.length - from));
        const before = points.slice(0, from).join("");
        const marked = points.slice(from, to).join("");
        const { start, end } = document.rangeOf(["key"], { inside: { offset: before.length, length: marked.length } });
        const raw = written.slice(start.column - 1, end.column - 1);
        const quote = /^key: (["']?)/.exec(written)?.[1] ?? "";
        if (quote === "") expect(raw).toBe(marked);
        else expect((read(`k: ${quote}${raw}${quote}\n`).value as { k: string }).k).toBe(marked);
      }),
      { numRuns: 500 },
    );
  });

  it("inside a text over several lines are its first line", () => {
    const folded = read("a: >-\n  one two\n  three\nb: 'one\n  two'\n");
    expect(folded.rangeOf(["a"], { inside: { offset: 4, length: 3 } }).start).toEqual({ line: 1, column: 4 });
    expect(folded.rangeOf(["b"], { inside: { offset: 5, length: 3 } })).toEqual({
      start: { line: 4, column: 4 },
      end: { line: 4, column: 8 },
    });
  });
});
