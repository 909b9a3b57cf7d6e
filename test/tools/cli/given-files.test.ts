import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { draftRuleFile } from "../../../src/tools/cli/new-rule.ts";
import { hashOf } from "../../support/sample.ts";
import { runHere } from "./run-here.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-given-"));
mkdirSync(join(dir, "rules", "dex"), { recursive: true });
afterAll(() => rmSync(dir, { recursive: true }));
vi.mock("../../../src/tools/lint/sources.ts", async (original) => ({
  ...(await original<object>()),
  defaultPaths: () => [join(dir, "rules")],
  findSources: () => ({ rules: [] }),
}));

describe("a file that is given to `rule-lint new`", () => {
  const told = (sentence: string) => ({
    status: 2,
    out: "",
    err: `rule-lint: ${sentence}\nrule-lint new --help says more.\n`,
  });
  const tx = ["--tx", hashOf(1)];

  it.each<[string, string[]]>([
    ["--message", []],
    ["--abi", tx],
  ])("is told in a sentence where %s cannot be read", async (option, more) => {
    const draft = (path: string) => draftRuleFile(["shop", option, path, ...more], () => {});
    const none = join(dir, "none.json");
    expect(await draft(none)).toEqual(told(`there is no ${none}`));
    expect(await draft(dir)).toEqual(told(`${dir} is a folder, and a file was expected`));
  });
});

describe("a folder that is given to `txgloss` instead of a file", () => {
  it.each([["replay"], ["audit"], ["preview"]])("is named by %s", async (command) => {
    const err = `txgloss: ${dir} is a folder, and a file was expected\n`;
    expect(await runHere(command, dir)).toEqual({ out: "", err, status: 2 });
  });
});
