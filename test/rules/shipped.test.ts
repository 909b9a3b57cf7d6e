import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../src/tools/lint/lint.ts";
import { precedenceFiles } from "../../src/tools/lint/lists/order.ts";
import { formatPretty } from "../../src/tools/lint/report/pretty.ts";
import { defaultRecordings, findSources } from "../../src/tools/lint/sources.ts";
import { root } from "../support/shared.ts";

const result = lint(findSources([join(root, "rules"), join(root, "labels")]), defaultRecordings());

describe("the shipped rules and labels", () => {
  it("have no mistake", () => {
    const errors = result.diagnostics.filter((one) => one.level === "error");
    expect(formatPretty({ diagnostics: errors, files: result.files, lines: () => undefined, colour: false })).toBe(
      `0 errors, 0 warnings in ${result.files} files\n`,
    );
  });

  it("are all of them looked at, with an example where each rule stands and one where it does not", () => {
    const documents = result.loaded.files.flatMap((file) => file.document ?? []);
    const rules = documents.flatMap((document) => document.rules ?? []);
    const examples = documents.flatMap((document) => document.examples ?? []);
    const told = result.loaded.files.filter(({ written }) => written?.kind !== "template");
    expect(documents.length).toBe(told.length);
    expect(rules.length).toBeGreaterThan(0);
    expect(examples.filter((example) => example.rule !== undefined).length).toBeGreaterThan(0);
    expect(examples.filter((example) => example.not !== undefined).length).toBeGreaterThan(0);
  });

  it("mean every action type but the one for what has none", () => {
    const used = new Set(result.loaded.ruleset.rules.map((rule) => rule.action));
    expect([...result.loaded.ruleset.actions.keys()].filter((action) => !used.has(action))).toEqual(["unknown"]);
  });

  // The files that this test compares show a reviewer which rules a new rule overtakes. `npm run rules:order` writes them again.
  it("stand in this order", () => {
    const folder = join(root, "test/rules/order");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    const stored = new Map(
      names
        .filter((name) => name.endsWith(".txt"))
        .map((name) => [name, readFileSync(join(folder, name), "utf8")] as const),
    );
    const made = precedenceFiles(result.loaded);
    expect([...stored.keys()].sort()).toEqual([...made.keys()].sort());
    expect([...stored].filter(([name, text]) => made.get(name) !== text).map(([name]) => name)).toEqual([]);
  });
});
