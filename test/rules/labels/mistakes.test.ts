import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { labelCodes } from "../../../src/rules/labels/code.ts";
import { compileLabels, loadLabels } from "../../../src/rules/labels/load.ts";
import { mistakes, name, names, token, tokens, usdc, weth } from "./mistakes.ts";

describe("a mistake is found at its exact place, once", () => {
  test.each(mistakes)("%s %s", (code, message, marked, suggest) => {
    const { text, range } = unmark(marked);
    const { diagnostics } = compileLabels([{ path: "labels/x.yaml", text }], []);
    expect(diagnostics.map((found) => found.code)).toEqual([code]);
    const [found] = diagnostics as [Diagnostic];
    expect(found.message).toMatch(message);
    expect({ file: found.file, level: found.level, range: found.range }).toEqual({
      file: "labels/x.yaml",
      level: labelCodes[code as keyof typeof labelCodes].level,
      range,
    });
    expect(found.suggest).toBe(suggest);
  });

  test("and every code is provoked", () => {
    const provoked = new Set(["LB100", ...mistakes.map(([code]) => code)]);
    expect([...provoked].sort()).toEqual(Object.keys(labelCodes));
  });
});

describe("one run", () => {
  test("finds every mistake, in file, line and column order, and keeps what is right", () => {
    const files = [
      { path: "labels/b.yaml", text: tokens(token(usdc, "USDC"), token(`"${weth}"`, "WETH")) },
      {
        path: "labels/a.yaml",
        text: names(`{ address: "0x12", label: A, category: bridge, source: list }`, name(`"${weth}"`, "B ")),
      },
      { path: "labels/c.yaml", text: ": [" },
    ];
    files[1]!.text = files[1]!.text.replace("label: B ,", 'label: "B ",');
    const { labels, diagnostics } = compileLabels(files, []);
    const places = diagnostics.map((found) => `${found.file}:${found.range.start.line} ${found.code}`);
    expect(places).toEqual([
      "labels/a.yaml:4 LB106",
      "labels/a.yaml:5 LB109",
      "labels/b.yaml:4 LB103",
      "labels/c.yaml:1 LB101",
    ]);
    expect(labels.token(usdc.toLowerCase())?.symbol).toBe("USDC");
    expect(labels.token(weth)?.symbol).toBe("WETH");
    expect(labels.name(usdc.toLowerCase())).toBeUndefined();
  });

  test("points at both places of one address in two files, whatever order the files come in", () => {
    const a = { path: "labels/a.yaml", text: names(name(`"${usdc}"`, "A")) };
    const b = { path: "labels/b.yaml", text: names(name(`"${weth}"`, "C"), name(`"${usdc}"`, "B")) };
    const [forward, backward] = [compileLabels([a, b], []), compileLabels([b, a], [])];
    expect(forward.diagnostics).toEqual(backward.diagnostics);
    expect(forward.diagnostics).toMatchObject([
      {
        code: "LB110",
        file: "labels/b.yaml",
        related: [{ file: "labels/a.yaml", range: { start: { line: 4, column: 16 } } }],
      },
    ]);
    expect(forward.labels.name(usdc.toLowerCase())).toEqual(backward.labels.name(usdc.toLowerCase()));
  });
});

describe("loading a folder", () => {
  test("says which folder cannot be read", () => {
    const { labels, diagnostics } = loadLabels("/nowhere/labels", []);
    const start = { line: 1, column: 1 };
    expect(diagnostics).toEqual([
      {
        ...{ code: "LB100", level: "error", file: "/nowhere/labels", range: { start, end: start } },
        ...{ message: "`/nowhere/labels` cannot be read.", help: expect.stringContaining("ENOENT") },
      },
    ]);
    expect(labels.tokens()).toEqual([]);
  });

  test("says so when there is no YAML in it", () => {
    const dir = mkdtempSync(join(tmpdir(), "labels-"));
    expect(loadLabels(dir, []).diagnostics).toMatchObject([{ code: "LB100", help: "there is no YAML file in it" }]);
  });

  test("reads folders in it, names files by their path, and goes on after one that cannot be read", () => {
    const dir = mkdtempSync(join(tmpdir(), "labels-"));
    mkdirSync(join(dir, "names"));
    mkdirSync(join(dir, "odd.yaml"));
    writeFileSync(join(dir, "names", "a.yml"), names(name(`"${usdc}"`, '"A "')));
    writeFileSync(join(dir, "notes.txt"), "not a label file");
    const { labels, diagnostics } = loadLabels(dir, []);
    expect(diagnostics.map((found) => `${found.file} ${found.code}`)).toEqual([
      `${dir}/names/a.yml LB109`,
      `${dir}/odd.yaml LB100`,
    ]);
    expect(labels.name(usdc.toLowerCase())?.category).toBe("bridge");
  });
});

/** Takes the marks out and says which range they held. */
function unmark(marked: string): { text: string; range: Diagnostic["range"] } {
  const before = marked.slice(0, marked.indexOf("⟦"));
  const held = marked.slice(before.length + 1, marked.indexOf("⟧"));
  const at = (text: string) => ({ line: text.split("\n").length, column: text.length - text.lastIndexOf("\n") });
  return { text: marked.replace("⟦", "").replace("⟧", ""), range: { start: at(before), end: at(before + held) } };
}
