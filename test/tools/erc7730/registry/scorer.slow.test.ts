import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { findShared, root } from "../../../support/shared.ts";

const scorer = findShared("tools", "score-7730.ts");
const registry = findShared("clear-signing");

describe("what a scorer of descriptors imports", () => {
  it.each([
    ["src/decide.ts", ["decide"]],
    ["src/tools/erc7730/import.ts", ["importDescriptors"]],
    ["src/tools/erc7730/descriptor.ts", ["readDescriptor"]],
    ["src/tools/erc7730/function-text.ts", ["readAbi", "readFunction"]],
    ["src/tools/erc7730/known-call.ts", ["tellsCall"]],
    ["src/rules/ruleset/load.ts", ["loadRuleset"]],
    ["src/rules/labels/load.ts", ["loadLabels"]],
    ["src/kernel/amount.ts", ["readableAmount", "decimalText"]],
    ["node_modules/viem/_esm/index.js", ["parseTransaction", "recoverTransactionAddress"]],
  ])("lies in %s", async (path, names) => {
    const module = await import(pathToFileURL(join(root, path)).href);
    for (const name of names) expect(module[name], name).toBeTypeOf("function");
  });
});

/** The scorer with the modules where they lie now, as it asks for. It was written when these were folders of src/ themselves. */
function movedScorer(): string {
  const text = readFileSync(scorer as string, "utf8");
  const moved = text
    .replaceAll(/(?<=[" ])erc7730\/(?=[\w-]+[" ])/g, "tools/erc7730/")
    .replace(" ruleset/load labels/load ", " rules/ruleset/load rules/labels/load ");
  const path = join(mkdtempSync(join(tmpdir(), "txgloss-scorer-")), "score-7730.ts");
  writeFileSync(path, moved);
  return path;
}

/** What the scorer prints of all tests, as numbers. */
async function scoreWith(rules: "import" | "shipped") {
  const args = [movedScorer(), "--registry", registry as string, "--rules", rules];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  const all = stdout.slice(stdout.indexOf("\nall:"));
  const numbers = (pattern: RegExp) => (pattern.exec(all)?.slice(1) ?? []).map(Number);
  const [own = 0, tests = 0] = numbers(/descriptor stands (\d+)\/(\d+)/);
  const [none = 0] = numbers(/another typed rule \d+, none (\d+)/);
  const [told = 0, values = 0] = numbers(/values told (\d+)\/(\d+)/);
  const [whole = 0, counted = 0] = numbers(/all told (\d+)\/(\d+)/);
  return { tests, own: own / tests, none: none / tests, told: told / values, whole: whole / counted };
}

describe.skipIf(scorer === undefined || registry === undefined)("the shared scorer of descriptors", () => {
  it("finds every call told by the imported rules, and nearly all values", async () => {
    const { tests, own, told, whole } = await scoreWith("import");
    expect(tests).toBeGreaterThan(150);
    expect(own).toBe(1);
    // The scorer does not know an amount that is told in wei.
    expect(told).toBeGreaterThanOrEqual(0.943);
    expect(whole).toBeGreaterThanOrEqual(0.89);
  }, 240_000);

  it("finds few calls that only rules without a type tell beside the shipped ones", async () => {
    const { none, own, told, whole } = await scoreWith("shipped");
    expect(none).toBeLessThanOrEqual(0.05);
    expect(own).toBeGreaterThanOrEqual(0.79);
    expect(told).toBeGreaterThanOrEqual(0.912);
    expect(whole).toBeGreaterThanOrEqual(0.88);
  }, 240_000);
});
