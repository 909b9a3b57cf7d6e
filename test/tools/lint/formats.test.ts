import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { formats } from "../../../src/tools/lint/report/format.ts";
import type { LintReport } from "../../../src/tools/lint/report/lint-report.ts";
import { root } from "../../support/shared.ts";

const one: Diagnostic = {
  code: "RL303",
  level: "error",
  file: "rules/a.yaml",
  range: { start: { line: 3, column: 6 }, end: { line: 3, column: 11 } },
  message: "`args.x` names nothing",
  suggest: "y",
};
const warning: Diagnostic = {
  ...one,
  code: "RL707",
  level: "warning",
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
  related: [
    { file: "rules/b.yaml", range: { start: { line: 7, column: 2 }, end: { line: 7, column: 3 } }, message: "here" },
  ],
  help: "compare them",
};
const lines = ["first", "second", "who: args.x", "fourth"];

function reportOf(diagnostics: Diagnostic[], options: Partial<LintReport> = {}): LintReport {
  return { diagnostics, files: 2, lines: () => lines, colour: false, ...options };
}

describe("pretty", () => {
  it("shows the place, the lines before it, carets under it, and what helps", () => {
    expect(
      formats.pretty?.(reportOf([warning, one])),
    ).toBe(`rules/a.yaml:1:1  warning  RL707  \`args.x\` names nothing. Did you mean \`y\`?
 >   1 | first
       | ^
   see: rules/b.yaml:7:2  here
   help: compare them

rules/a.yaml:3:6  error  RL303  \`args.x\` names nothing. Did you mean \`y\`?
     1 | first
     2 | second
 >   3 | who: args.x
       |      ^^^^^
   help: A name is an argument of the anchor, a leg or a word of the engine, such as emitter, call, tx, flow, target and subject; see docs/rule-language.md.

1 error, 1 warning in 2 files
`);
  });

  it("says that all is well in one line", () => {
    expect(formats.pretty?.(reportOf([], { files: 1 }))).toBe("0 errors, 0 warnings in 1 file\n");
  });

  it("tells of a single file what its examples are told as, before the count", () => {
    const examples = () => [
      { rule: "supply", sentence: "0x… supplied 1 USDC." },
      { rule: "pay", sentence: "0x… paid\u001b." },
    ];
    expect(formats.pretty?.(reportOf([], { files: 1, examples }))).toBe(
      "The examples are told as\n  supply  0x… supplied 1 USDC.\n  pay     0x… paid\ufffd.\n\n0 errors, 0 warnings in 1 file\n",
    );
    expect(formats.pretty?.(reportOf([one], { files: 1, examples }))).toMatch(
      /docs\/rule-language\.md\.\n\nThe examples are told as\n/,
    );
    for (const report of [reportOf([], { examples }), reportOf([], { files: 1, examples: () => [] })])
      expect(formats.pretty?.(report)).toMatch(/^0 errors, 0 warnings in \d files?\n$/);
  });

  it("counts notes when there are some", () => {
    expect(formats.pretty?.(reportOf([{ ...one, level: "note" }]))).toMatch(
      /\n0 errors, 0 warnings, 1 note in 2 files\n$/,
    );
  });

  it("keeps tabs below tabs, marks to the end of a line, and survives places outside the text", () => {
    const tabbed = { ...one, range: { start: { line: 1, column: 2 }, end: { line: 2, column: 1 } } };
    expect(formats.pretty?.(reportOf([tabbed], { lines: () => ["\tabc", "d"] }))).toContain(
      "| \tabc\n       | \t^^^\n",
    );
    const outside = { ...one, range: { start: { line: 99, column: 1 }, end: { line: 99, column: 1 } } };
    expect(formats.pretty?.(reportOf([outside]))).toContain("names nothing");
    expect(formats.pretty?.(reportOf([one], { lines: () => undefined }))).not.toContain("|");
  });

  it("marks one character where a finding begins at the end of its line", () => {
    const end = { ...one, range: { start: { line: 1, column: 6 }, end: { line: 2, column: 1 } } };
    expect(formats.pretty?.(reportOf([end]))).toContain(" >   1 | first\n       |      ^\n");
    const empty = { ...one, range: { start: { line: 1, column: 2 }, end: { line: 1, column: 2 } } };
    expect(formats.pretty?.(reportOf([empty]))).toContain(" >   1 | first\n       |  ^\n");
  });

  it("shows three notes of one code, and a single finding apart from the count", () => {
    const note = { ...one, code: "XX1", level: "note" as const, suggest: undefined, message: "It is so!" };
    const shown = (count: number) => formats.pretty?.(reportOf(Array(count).fill(note), { lines: () => undefined }));
    const line = "rules/a.yaml:3:6  note  XX1  It is so!\n";
    expect(shown(1)).toBe(`${line}\n0 errors, 0 warnings, 1 note in 2 files\n`);
    expect(shown(3)).toBe(`${line}\n${line}\n${line}\n0 errors, 0 warnings, 3 notes in 2 files\n`);
  });

  it("colours only when it is told to, and never lets a file speak to the terminal", () => {
    const hostile = { ...one, message: "\u001b[2Jgone\u202e" };
    const plain = formats.pretty?.(reportOf([hostile], { lines: () => ["", "", "\u001b]0;title\u0007 args.x"] })) ?? "";
    expect(plain).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(formats.pretty?.(reportOf([one], { colour: true }))).toContain("\u001b[31merror\u001b[0m");
  });

  it("counts the notes of one code that are many, and shows every error", () => {
    const notes = Array.from({ length: 5 }, (_, line) => {
      const start = { line: line + 1, column: 1 };
      return { ...one, level: "note" as const, code: "RL308", range: { start, end: start } };
    });
    const text = formats.pretty?.(reportOf([one, one, one, one, ...notes])) ?? "";
    expect(text.match(/ {2}note {2}RL308 {2}/g)).toHaveLength(3);
    expect(text).toContain(
      "\nnote  RL308  2 more; `--format json` lists them, `--explain RL308` tells what they are\n",
    );
    expect(text.match(/ {2}error {2}/g)).toHaveLength(4);
  });
});

describe("json", () => {
  it("has no help where nobody says what to do, and is indented", () => {
    const json = formats.json?.(reportOf([{ ...one, code: "XX1", suggest: undefined }])) ?? "";
    expect(json.split("\n").slice(0, 2)).toEqual(["{", expect.stringMatching(/^ {2}"/)]);
    expect(JSON.parse(json).diagnostics).toEqual([
      { ...one, code: "XX1", message: "`args.x` names nothing.", suggest: null, help: null, related: [] },
    ]);
  });

  it("is what schemas/diagnostic.schema.json says, with the same sentence", () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(join(root, "schemas/diagnostic.schema.json"), "utf8")),
    );
    const document = JSON.parse(formats.json?.(reportOf([warning, one])) ?? "");
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(document.summary).toEqual({ files: 2, errors: 1, warnings: 1, notes: 0 });
    expect(document.diagnostics[1]).toMatchObject({
      code: "RL303",
      message: "`args.x` names nothing. Did you mean `y`?",
      suggest: "y",
      related: [],
    });
  });
});

describe("github", () => {
  it("is one workflow command for each finding", () => {
    const out = formats.github?.(reportOf([warning, { ...one, level: "note" }])) ?? "";
    expect(out.split("\n")).toEqual([
      "::warning file=rules/a.yaml,line=1,endLine=1,col=1,endColumn=2,title=RL707::`args.x` names nothing. Did you mean `y`?",
      "::notice file=rules/a.yaml,line=3,endLine=3,col=6,endColumn=11,title=RL303::`args.x` names nothing. Did you mean `y`?",
      "0 errors, 1 warning, 1 note in 2 files",
      "",
    ]);
  });

  it("lets no path or message end a property or start a command", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "%", ":", ",", "\r", "\n", "::", "%0A", "error") }),
        (text) => {
          const out =
            formats.github?.(reportOf([{ ...one, file: text, message: text, suggest: undefined as never }])) ?? "";
          const [command, summary, end, ...rest] = out.split("\n");
          expect([summary, end, rest]).toEqual(["1 error, 0 warnings in 2 files", "", []]);
          expect(out).not.toContain("\r");
          const [, file, message] =
            /^::error file=([^:,]*),line=3,endLine=3,col=6,endColumn=11,title=RL303::(.*)$/.exec(command ?? "") ?? [];
          const decode = (value = "") =>
            value
              .replaceAll("%3A", ":")
              .replaceAll("%2C", ",")
              .replaceAll("%0D", "\r")
              .replaceAll("%0A", "\n")
              .replaceAll("%25", "%");
          expect(decode(file)).toBe(text);
          expect(decode(message).toLowerCase().startsWith(text.toLowerCase())).toBe(true);
        },
      ),
    );
  });
});
