import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { root } from "../../support/shared.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-docs-"));
afterAll(() => rmSync(dir, { recursive: true }));

describe("rule-lint docs", () => {
  it("has a line for every rule file, with actions, contracts and examples", () => {
    const rows = runCommand(["docs", join(root, "rules")], false).out.split("\n");
    const row = rows.find((line) => line.startsWith("| [Degen](https://www.degen.tips)"));
    expect(row).toMatch(/^\| \[Degen\]\(\S+\) \| `claim` \| airdrop × 3, token \| \d+ \(1 recorded\) \|$/);
    expect(rows.some((line) => /\(proven\)/.test(line))).toBe(true);
    expect(rows).toContain("## bridges");
  });

  it("writes where it is told, folders included", () => {
    const out = join(dir, "deep/list.md");
    expect(runCommand(["docs", join(root, "rules/rewards"), "--out", out], false).status).toBe(0);
    expect(readFileSync(out, "utf8")).toBe(runCommand(["docs", join(root, "rules")], false).out);
  });

  it("writes nothing from rules with mistakes, or where it cannot", () => {
    const out = join(dir, "none.md");
    const broken = runCommand(["docs", join(root, "test/tools/lint/RL204/bad.yaml"), "--out", out], false);
    expect(broken).toMatchObject({ status: 2, out: "", err: expect.stringContaining("1 mistake") });
    expect(existsSync(out)).toBe(false);
    writeFileSync(join(dir, "file"), "");
    expect(runCommand(["docs", join(root, "rules"), "--out", join(dir, "file/list.md")], false).status).toBe(2);
  });
});
