import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-changes-"));
  mkdirSync(join(dir, "docs/changes"), { recursive: true });
  write("docs/changes/README.md", "# Changes\n");
  write("docs/changes/b.md", "- B is new.\n");
  write("docs/changes/a.md", "- A is new.\n- A is fast.\n");
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(dir, path), text);
const collect = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "docs/changes/collect.ts"), ...args], { cwd: dir, encoding: "utf8" });

describe("npm run changes", () => {
  it("prints the entries in the order of their names", () => {
    expect(collect().stdout).toBe("- A is new.\n- A is fast.\n- B is new.\n");
  });

  it("moves them to a new section on top", () => {
    write("CHANGELOG.md", "# Changelog\n\n## 0.1.0\n\n- First.\n");
    expect(collect("--release", "0.2.0").stdout).toBe("CHANGELOG.md: 2 entries in 0.2.0\n");
    expect(readFileSync(join(dir, "CHANGELOG.md"), "utf8")).toBe(
      "# Changelog\n\n## 0.2.0\n\n- A is new.\n- A is fast.\n- B is new.\n\n## 0.1.0\n\n- First.\n",
    );
    expect(readdirSync(join(dir, "docs/changes"))).toEqual(["README.md"]);
  });

  it("moves them to the end of a section that was begun, which is released by that", () => {
    write("CHANGELOG.md", "# Changelog\n\n## 0.2.0 (unreleased)\n\n- Begun.\n\n## 0.1.0\n\n- First.\n");
    collect("--release", "0.2.0");
    expect(readFileSync(join(dir, "CHANGELOG.md"), "utf8")).toBe(
      "# Changelog\n\n## 0.2.0\n\n- Begun.\n- A is new.\n- A is fast.\n- B is new.\n\n## 0.1.0\n\n- First.\n",
    );
  });

  it("refuses an entry that is no list item, and changes nothing", () => {
    write("docs/changes/c.md", "C is new.\n");
    const { status, stderr } = collect("--release", "0.2.0");
    expect([status, stderr]).toEqual([1, 'c.md: an entry starts with "- "\n']);
    expect(readdirSync(join(dir, "docs/changes")).length).toBe(4);
  });

  it("finds the entries of this checkout in order", () => {
    const { status, stdout } = spawnSync(process.execPath, ["docs/changes/collect.ts"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^(?:[ -] .*\n)*$/);
  });
});
