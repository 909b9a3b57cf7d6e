import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileLabels } from "../../src/labels/load.ts";
import { allCodes, ruleCodes, sampleOf } from "../../src/lint/codes/codes.ts";
import { explainCode } from "../../src/lint/codes/explain-code.ts";
import { root } from "../support/shared.ts";

/** The stretches of a sample between gaps; remarks are left out. */
function stretchesOf(text = ""): string[][] {
  const lines = text.split("\n").filter((line) => !line.startsWith("("));
  const gaps = [-1, ...lines.flatMap((line, i) => (line.trim() === "…" ? [i] : [])), lines.length];
  return gaps.slice(1).map((end, i) => lines.slice((gaps[i] as number) + 1, end));
}

function fixture(code: string, kind: "bad" | "good"): string[] {
  const file = join(root, "test/lint", code, `${kind}.yaml`);
  const folder = join(root, "test/lint", code, kind);
  const path = existsSync(file) ? file : join(folder, readdirSync(folder)[0] ?? "");
  return readFileSync(path, "utf8").split("\n");
}

/** Whether the stretches stand in the file, in this order. */
function holds(file: readonly string[], stretches: readonly string[][]): boolean {
  let from = 0;
  for (const stretch of stretches) {
    const found = file.findIndex((_, i) => i >= from && stretch.every((line, k) => file[i + k] === line));
    if (found < 0) return false;
    from = found + stretch.length;
  }
  return true;
}

/** Entries of a label file as a whole one. */
function wholeLabels(sample: string): string {
  if (sample.startsWith("schema:")) return `${sample}\n`;
  const kind = sample.includes("symbol:") ? "tokens" : "names";
  return `schema: ${kind}/v1\nsources: { list: "https://example.org/list" }\n${kind}:\n${sample}\n`;
}

describe("--explain", () => {
  it.each(allCodes())("%s shows how it looks when it is bad, and when it is good", (code) => {
    const text = explainCode(code.toLowerCase()) ?? "";
    expect(text).toMatch(/\nFinds: .+\.\n\n.+\n\nBad:\n\n(?: {4}.+\n)+\nGood:\n\n(?: {4}.+\n)+$/);
    const { bad, good } = sampleOf(code) ?? {};
    expect(bad).not.toBe(good);
    for (const line of [bad, good].flatMap((one) => one?.trim().split("\n").at(-1) ?? []))
      expect(text).toContain(line.trim());
  });

  it.each(Object.keys(ruleCodes()))("%s shows lines of files that are checked", (code) => {
    const { bad, good } = sampleOf(code) ?? {};
    const [wrong, right] = [stretchesOf(bad), stretchesOf(good)];
    expect(wrong.flat().length).toBeGreaterThan(0);
    expect([holds(fixture(code, "bad"), wrong), holds(fixture(code, "good"), right)]).toEqual([true, true]);
    // What is wrong with those is told by a remark.
    if (!bad?.includes("\n(")) expect(holds(fixture(code, "good"), wrong)).toBe(false);
  });

  it.each(allCodes().filter((code) => code.startsWith("LB") && code !== "LB100"))(
    "%s is found in its bad lines only",
    (code) => {
      const found = (text = "") =>
        compileLabels([{ path: "labels/x.yaml", text: wholeLabels(text) }], []).diagnostics.map((one) => one.code);
      expect([found(sampleOf(code)?.bad), found(sampleOf(code)?.good)]).toEqual([[code], []]);
    },
  );

  it("knows no other code", () => {
    expect(explainCode("RL999")).toBeUndefined();
    expect(explainCode("toString")).toBeUndefined();
    expect(sampleOf("toString")).toBeUndefined();
  });
});
