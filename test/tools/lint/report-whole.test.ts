import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { uniqueNames } from "../../../src/tools/lint/distinct-names.ts";
import { formats } from "../../../src/tools/lint/report/format.ts";
import { sentenceOf, tally, tallyLine } from "../../../src/tools/lint/report/lint-report.ts";

const at = (line: number, column: number) => ({ start: { line, column }, end: { line: line + 1, column: 1 } });
const one = (level: Diagnostic["level"], more: Partial<Diagnostic> = {}): Diagnostic => ({
  ...{ code: "XX1", level, file: "a&b.yaml", range: at(2, 3), message: "it is so", ...more },
});
const reportOf = (diagnostics: Diagnostic[], files = 3) => ({
  diagnostics,
  files,
  lines: () => undefined,
  colour: false,
});

describe("a report for build servers", () => {
  it("has a test for each finding of each file, and one for the files without", () => {
    const twice = one("warning", { message: 'a <b> "c"', help: "look there", suggest: "d" });
    const note = one("note", { file: "c.yaml", code: "XX2", range: at(7, 1) });
    expect(formats.junit?.(reportOf([one("error"), twice, note]))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rule-lint" tests="4" failures="2" errors="0">
  <testsuite name="a&amp;b.yaml" tests="2" failures="2" errors="0" skipped="0">
    <testcase classname="a&amp;b.yaml" name="XX1 2:3" file="a&amp;b.yaml" line="2">
      <failure type="error" message="It is so."></failure>
    </testcase>
    <testcase classname="a&amp;b.yaml" name="XX1 2:3 (2)" file="a&amp;b.yaml" line="2">
      <failure type="warning" message="A &lt;b&gt; &quot;c&quot;. Did you mean \`d\`?">look there</failure>
    </testcase>
  </testsuite>
  <testsuite name="c.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="c.yaml" name="XX2 7:1" file="c.yaml" line="7">
      <system-out>It is so.</system-out>
    </testcase>
  </testsuite>
  <testsuite name="rule-lint" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="rule-lint" name="1 files without findings"/>
  </testsuite>
</testsuites>
`);
  });

  it("has no bytes that XML does not have", () => {
    const message = "tab\there \u0000\ufffe\ud800 \u{10ffff}";
    const xml = formats.junit?.(reportOf([one("note", { message })], 1));
    expect(xml).toContain("<system-out>Tab&#9;here \ufffd\ufffd\ufffd \u{10ffff}.</system-out>");
  });

  it("keeps the lines of a help text", () => {
    const xml = formats.junit?.(reportOf([one("error", { help: "First this.\r\nThen that." })], 1));
    expect(xml).toContain(">First this.&#13;&#10;Then that.</failure>");
  });
});

describe("a report for code scanning", () => {
  it("has each finding with its places", () => {
    const related = [
      { file: "x/y z.yaml", range: at(4, 5), message: "here" },
      { file: "w.yaml", range: at(1, 1), message: "there" },
    ];
    const { $schema, runs } = JSON.parse(formats.sarif?.(reportOf([one("note", { related })])) ?? "");
    expect([$schema, runs.length, runs[0].columnKind, runs[0].tool.driver.name]).toEqual([
      ...["https://json.schemastore.org/sarif-2.1.0.json", 1, "utf16CodeUnits", "rule-lint"],
    ]);
    const place = (uri: string, startLine: number, startColumn: number) => ({
      artifactLocation: { uri },
      region: { startLine, startColumn, endLine: startLine + 1, endColumn: 1 },
    });
    expect(runs[0].results).toEqual([
      {
        ...{ ruleId: "XX1", ruleIndex: -1, level: "note", message: { text: "It is so." } },
        locations: [{ physicalLocation: place("a%26b.yaml", 2, 3) }],
        relatedLocations: [
          { id: 0, message: { text: "here" }, physicalLocation: place("x/y%20z.yaml", 4, 5) },
          { id: 1, message: { text: "there" }, physicalLocation: place("w.yaml", 1, 1) },
        ],
        partialFingerprints: { "yamlPath/v1": expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  });
});

describe("what all reports say", () => {
  it.each<[Diagnostic["level"][], number, string]>([
    [[], 0, "0 errors, 0 warnings in 0 files"],
    [["error"], 1, "1 error, 0 warnings in 1 file"],
    [["warning", "error", "error"], 2, "2 errors, 1 warning in 2 files"],
    [["note"], 1, "0 errors, 0 warnings, 1 note in 1 file"],
    [["warning", "warning", "note", "note"], 3, "0 errors, 2 warnings, 2 notes in 3 files"],
  ])("%j of %d: %s", (levels, files, line) => {
    const diagnostics = levels.map((level) => one(level));
    expect(tallyLine(reportOf(diagnostics, files))).toBe(line);
    const count = (level: string) => levels.filter((given) => given === level).length;
    expect(tally(diagnostics)).toEqual({ errors: count("error"), warnings: count("warning"), notes: count("note") });
  });

  it.each<[string, string | undefined, string]>([
    ["it is so", undefined, "It is so."],
    ["it is so.", undefined, "It is so."],
    ["is it so?", undefined, "Is it so?"],
    ["it is!", "b", "It is! Did you mean `b`?"],
    ["", "", ". Did you mean ``?"],
  ])("%j, meaning %j", (message, suggest, sentence) => {
    expect(sentenceOf(one("note", { message, ...(suggest !== undefined && { suggest }) }))).toBe(sentence);
  });

  it("has a name for each finding", () => {
    const messages = ["a", "b", "a", "a", "b"];
    expect(uniqueNames(messages, (name, count) => `${name}${count}`)).toEqual(["a", "b", "a2", "a3", "b2"]);
    expect(uniqueNames(messages)).toEqual(["a", "b", "a (2)", "a (3)", "b (2)"]);
  });
});
