import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { createReporter, sortDiagnostics } from "../../../src/rules/documents/reporter.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";

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

  it("tell where a value is written that the file takes over, behind what else is related", () => {
    const document = readDocument("x.yaml", "a: one\nb: two\n", ruleDocumentCodes);
    const origin = { file: "z.yaml", range: range(7, 7), message: "taken over" };
    const into: Diagnostic[] = [];
    const originOf = ([first]: readonly (string | number)[]) => (first === "a" ? origin : undefined);
    const { report } = createReporter({ ...document, originOf }, into);
    const related = [{ file: "y.yaml", range: range(3, 3), message: "there" }];
    report("RL1", ["a"], "taken");
    report("RL2", ["a"], "both", { related });
    report("RL3", ["b"], "own");
    expect(into.map((one) => one.related)).toEqual([[origin], [...related, origin], undefined]);
  });

  it("are of a file that was checked where the document says so", () => {
    const document = readDocument("x.yaml", "a: one\n", ruleDocumentCodes);
    expect(createReporter(document, [])).toEqual({ file: "x.yaml", report: expect.any(Function) });
    expect(createReporter({ ...document, checked: true }, []).checked).toBe(true);
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
