import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/documents/document.ts";
import { createReporter, sortDiagnostics } from "../../src/documents/reporter.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { ruleDocumentCodes } from "../../src/ruleset/document/rule-schemas.ts";

const range = (line: number, column: number) => ({ start: { line, column }, end: { line, column } });
const one = (file: string, line: number, column: number, code: string, message: string): Diagnostic => ({
  ...{ code, level: "error", file, message },
  range: range(line, column),
});

describe("diagnostics", () => {
  it("are sorted by file, line, column, code and message", () => {
    const sorted = [
      one("a", 1, 1, "B", "x"),
      one("a", 1, 2, "A", "x"),
      one("a", 1, 2, "B", "x"),
      one("a", 1, 2, "B", "y"),
      one("a", 2, 1, "A", "x"),
      one("a", 10, 1, "A", "x"),
      one("b", 1, 1, "A", "x"),
    ];
    expect(sortDiagnostics([...sorted].reverse())).toEqual(sorted);
    expect(sortDiagnostics(sorted)).toEqual(sorted);
  });

  it("have their place, and only what is known besides", () => {
    const document = readDocument("x.yaml", "a: one\n", ruleDocumentCodes);
    const into: Diagnostic[] = [];
    const { file, report } = createReporter(document, into);
    expect(file).toBe("x.yaml");
    report("RL1", ["a"], "plain");
    const related = [{ file: "y.yaml", range: range(3, 3), message: "there" }];
    report("RL2", ["a"], "all", { level: "note", suggest: () => "two", help: "do", key: true, related });
    report("RL3", ["a"], "inside", { inside: { offset: 1, length: 2 }, suggest: () => undefined, related: [] });
    report("RL4", ["a"], "elsewhere", { range: range(9, 9), suggest: "six" });
    const base = { file: "x.yaml", level: "error" };
    const at = (from: number, to: number) => ({ start: { line: 1, column: from }, end: { line: 1, column: to } });
    expect(into).toEqual([
      { ...base, code: "RL1", range: at(4, 7), message: "plain" },
      { ...base, code: "RL2", level: "note", range: at(1, 2), message: "all", suggest: "two", help: "do", related },
      { ...base, code: "RL3", range: at(5, 7), message: "inside" },
      { ...base, code: "RL4", range: range(9, 9), message: "elsewhere", suggest: "six" },
    ]);
  });
});
