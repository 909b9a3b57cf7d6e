import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { labelCodes } from "../../../src/rules/labels/code.ts";
import { checks, loaderCodes, runCodes } from "../../../src/tools/lint/checks/table.ts";
import { ruleCodes as readRuleCodes } from "../../../src/tools/lint/codes/codes.ts";
import { lint } from "../../../src/tools/lint/lint.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";

const folder = join(root, "test/tools/lint");
/** Holds what all of them need, the labels above all. */
const cacheDir = mkdtempSync(join(tmpdir(), "txgloss-fixtures-"));
afterAll(() => rmSync(cacheDir, { recursive: true }));
const ruleCodes = readRuleCodes();
const codes = readdirSync(folder).filter((name) => /^RL\d{3}$/.test(name));

/** `bad.yaml`, or a folder named `bad` if one file cannot show it. */
function pathOf(code: string, kind: "bad" | "good"): string {
  const file = join(folder, code, `${kind}.yaml`);
  if (existsSync(file)) return file;
  const [table = ""] = readdirSync(join(folder, code, kind));
  return join(folder, code, kind, table);
}

function check(path: string, code: string): Diagnostic[] {
  return lint(findSources([path]), join(folder, code, "recordings"), { cacheDir }).diagnostics;
}

/** The comments at a file's end: code, exact place, suggestion. */
function expectedIn(text: string): string[] {
  return text.split("\n").flatMap((line) => /^# expect (.*)$/.exec(line)?.[1] ?? []);
}

function told({ code, range: { start, end }, suggest }: Diagnostic): string {
  const place = `${code} ${start.line}:${start.column}-${end.line}:${end.column}`;
  return suggest === undefined ? place : `${place} ${suggest}`;
}

describe("every code", () => {
  it("has a folder here, and every folder a code", () => {
    expect(codes).toEqual(Object.keys(ruleCodes));
  });

  it.each(codes)("%s is found at its exact place, with its level", (code) => {
    const path = pathOf(code, "bad");
    const found = check(path, code);
    const expected = expectedIn(readFileSync(path, "utf8"));
    expect(found.map(told)).toEqual(expected);
    expect(expected.filter((line) => line.startsWith(code)).length).toBeGreaterThan(0);
    for (const one of found)
      expect({ code: one.code, level: one.level }).toEqual({ code: one.code, level: ruleCodes[one.code]?.level });
  });

  it.each(codes)("%s is silent where all is well", (code) => {
    expect(check(pathOf(code, "good"), code)).toEqual([]);
  });

  it("that the sources report is in the table", () => {
    const reported = new Set<string>();
    for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }))
      if (name.endsWith(".ts"))
        for (const [, code] of readFileSync(join(root, "src", name), "utf8").matchAll(/"((?:RL|LB)\d{3})"/g))
          reported.add(code as string);
    const known = new Set([...Object.keys(ruleCodes), ...Object.keys(labelCodes)]);
    expect([...reported].filter((code) => !known.has(code))).toEqual([]);
    expect(reported.size).toBeGreaterThan(40);
  });

  it("is named by the table of checks, and found by the loader where the table says so", () => {
    const named = [...checks.flatMap((check) => check.codes), ...loaderCodes, ...runCodes];
    expect([...new Set(named)].sort()).toEqual(Object.keys(ruleCodes));
    const loader = readdirSync(join(root, "src/rules"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const texts = loader.map((name) => readFileSync(join(root, "src/rules", name), "utf8")).join("\n");
    expect([...new Set(texts.match(/(?<=")RL\d{3}(?=")/g))].sort()).toEqual(loaderCodes);
  });

  it("has words for --explain", () => {
    for (const entry of Object.values(ruleCodes)) {
      expect(entry.finds).toMatch(/^[a-zA-Z].*[^.]$/);
      expect(entry.help).toMatch(/[.`"]$/);
    }
  });

  it("that stops the loader is an error", () => {
    expect(Object.values(ruleCodes).filter((entry) => entry.blocks && entry.level !== "error")).toEqual([]);
  });
});
