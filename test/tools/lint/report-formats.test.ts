import { createHash } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { ruleCodes } from "../../../src/tools/lint/codes/codes.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { formats } from "../../../src/tools/lint/report/format.ts";
import type { LintReport } from "../../../src/tools/lint/report/lint-report.ts";
import { root } from "../../support/shared.ts";

const text = `protocol: a
rules:
  - id: supply
    where: { in: [one, two] }
  - { id: borrow, action: swap }
examples:
  - not: supply`;

function at(line: number, column: number, rest: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "RL303",
    level: "error",
    file: "rules/dex/a b.yaml",
    range: { start: { line, column }, end: { line, column: column + 2 } },
    message: "`x` names nothing",
    ...rest,
  };
}

function reportOf(diagnostics: Diagnostic[], of = text): LintReport {
  return { diagnostics, files: 3, lines: () => of.split("\n"), colour: false };
}

interface Sarif {
  version: string;
  runs: [
    {
      tool: { driver: { name: string; rules: { id: string; defaultConfiguration: { level: string } }[] } };
      results: {
        ruleId: string;
        ruleIndex: number;
        level: string;
        message: { text: string };
        locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[];
        relatedLocations?: unknown[];
        partialFingerprints: Record<string, string>;
      }[];
    },
  ];
}

const sarifOf = (report: LintReport): Sarif => JSON.parse(formats.sarif?.(report) ?? "");
const fingerprints = (diagnostics: Diagnostic[], of?: string) =>
  sarifOf(reportOf(diagnostics, of)).runs[0].results.map((result) => result.partialFingerprints["yamlPath/v1"]);
const digest = (path: string) => createHash("sha256").update(`RL303\nrules/dex/a b.yaml\n${path}`).digest("hex");

describe("sarif", () => {
  it("is one run with every code and each finding at its place", () => {
    const related = [{ file: "rules/b.yaml", range: at(7, 2).range, message: "here" }];
    const { version, runs } = sarifOf(reportOf([at(4, 24, { suggest: "y", related })]));
    expect(version).toBe("2.1.0");
    const { tool, results } = runs[0];
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(ruleCodes())));
    const [result] = results;
    expect(tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe("RL303");
    expect(result).toMatchObject({
      ruleId: "RL303",
      level: "error",
      message: { text: "`x` names nothing. Did you mean `y`?" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "rules/dex/a%20b.yaml" },
            region: { startLine: 4, startColumn: 24, endLine: 4, endColumn: 26 },
          },
        },
      ],
    });
    expect(result?.relatedLocations).toHaveLength(1);
  });

  it("is indented, describes each code, and names no places beside a finding that has none", () => {
    const out = formats.sarif?.(reportOf([at(4, 24)])) ?? "";
    expect(out.split("\n").slice(0, 2)).toEqual(["{", expect.stringMatching(/^ {2}"\$schema"/)]);
    const { tool, results } = (JSON.parse(out) as Sarif).runs[0];
    expect(results[0]).not.toHaveProperty("relatedLocations");
    const { finds, help, bad, good } = ruleCodes().RL303 as unknown as Record<string, string>;
    expect(finds).toBe("a path or argument that names nothing");
    expect(tool.driver.rules.find(({ id }) => id === "RL303")).toEqual({
      id: "RL303",
      shortDescription: { text: "A path or argument that names nothing." },
      help: {
        text: help,
        markdown: `${help}\n\nBad:\n\n\`\`\`yaml\n${bad}\n\`\`\`\n\nGood:\n\n\`\`\`yaml\n${good}\n\`\`\``,
      },
      defaultConfiguration: { level: "error" },
    });
  });

  it("takes the fingerprint of a file whose lines are not at hand from its name", () => {
    const report = { ...reportOf([at(4, 24)]), lines: () => undefined };
    expect(sarifOf(report).runs[0].results[0]?.partialFingerprints["yamlPath/v1"]).toBe(digest(""));
  });

  it("takes the fingerprint from code, file and YAML path", () => {
    expect(fingerprints([at(4, 24), at(5, 19), at(7, 5), at(1, 1)])).toEqual(
      ["rules/supply/where/in/1", "rules/borrow/action", "examples/0/not", "protocol"].map(digest),
    );
  });

  it("keeps the fingerprint when lines move and rules come before", () => {
    const moved = text.replace("rules:\n", "# a comment\nrules:\n  - id: earlier\n");
    expect(fingerprints([at(6, 24), at(7, 19)], moved)).toEqual(fingerprints([at(4, 24), at(5, 19)]));
  });

  it("tells two findings at one node apart, and those outside of the text by the file", () => {
    const found = fingerprints([at(4, 24), at(4, 25), at(99, 1)]);
    expect(new Set(found).size).toBe(3);
    expect(found[2]).toBe(digest(""));
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (message, of) => {
        const [result] = sarifOf(reportOf([at(1, 1, { message })], of)).runs[0].results;
        expect(result?.partialFingerprints["yamlPath/v1"]).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });
});

describe("junit", () => {
  it("is one suite for each file with findings, and one for the rest", () => {
    const findings = [at(4, 24), at(5, 18, { level: "warning" }), at(1, 1, { file: "b.yaml", level: "note" })];
    const xml = formats.junit?.(reportOf(findings)) ?? "";
    expect(xml).toContain('<testsuites name="rule-lint" tests="4" failures="2" errors="0">');
    expect(xml).toContain('<testsuite name="rules/dex/a b.yaml" tests="2" failures="2" errors="0" skipped="0">');
    expect(xml).toContain('<testsuite name="b.yaml" tests="1" failures="0" errors="0" skipped="0">');
    expect(xml).toContain('name="RL303 4:24" file="rules/dex/a b.yaml" line="4"');
    expect(xml).toContain('<failure type="warning" message="`x` names nothing.">');
    expect(xml).toContain("<system-out>`x` names nothing.</system-out>");
    expect(xml).toContain('name="1 files without findings"');
    expect(tagsOf(xml)).toEqual([]);
  });

  it("counts files without findings where there are some, or no finding at all", () => {
    const told = (files: number, count = 1) => {
      const xml = formats.junit?.({ ...reportOf(Array(count).fill(at(4, 24))), files }) ?? "";
      const [, tests = "", clean = ""] = /tests="(\d+)"(?:.*name="(\d+) files without findings")?/s.exec(xml) ?? [];
      return [tests, clean];
    };
    expect([told(1), told(2), told(0, 0), told(1, 0)]).toEqual([
      ["1", ""],
      ["2", "1"],
      ["1", "0"],
      ["1", "1"],
    ]);
  });

  it("says nothing more of a finding that nobody explains", () => {
    const xml = formats.junit?.(reportOf([at(4, 24, { code: "XX1" })])) ?? "";
    expect(xml).toContain('<failure type="error" message="`x` names nothing."></failure>');
  });

  it("passes when there is nothing to tell", () => {
    const xml = formats.junit?.(reportOf([])) ?? "";
    expect(xml).toContain('tests="1" failures="0"');
    expect(tagsOf(xml)).toEqual([]);
  });

  it("stays well formed whatever strangers write", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (message, file) => {
        const xml = formats.junit?.(reportOf([at(1, 1, { message, file })])) ?? "";
        expect(tagsOf(xml)).toEqual([]);
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
      }),
    );
    const hostile = formats.junit?.(reportOf([at(1, 1, { message: '"/><script>&' })])) ?? "";
    expect(hostile).toContain("&quot;/&gt;&lt;script&gt;&amp;");
  });
});

describe("rule-lint --format", () => {
  const bad = join(root, "test/tools/lint/RL204/bad.yaml");

  it.each(["sarif", "junit"])("%s prints the findings of a run, with the usual status", (format) => {
    const { status, out, err } = runCommand([bad, "--format", format], false);
    expect({ status, err }).toEqual({ status: 1, err: "" });
    expect(out).toContain("RL204");
    expect(out.endsWith("\n")).toBe(true);
  });
});

/** Gives tags that are still open at the end, or that close another tag. Text and attributes must not hold a bare < or &. */
function tagsOf(xml: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const body = xml.replace(/^<\?xml[^>]*\?>/, "");
  for (const [whole, close, name, empty] of body.matchAll(/<(\/?)([a-z-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (close === "/") {
      if (open.pop() !== name) wrong.push(whole);
    } else if (empty !== "/") open.push(name as string);
  }
  const rest = body.replace(/<\/?[a-z-]+(?:\s[^<>]*?)?\/?>/g, "");
  return [...open, ...wrong, ...(/[<>]|&(?!(?:amp|lt|gt|quot|#9);)/.test(rest) ? [rest] : [])];
}
