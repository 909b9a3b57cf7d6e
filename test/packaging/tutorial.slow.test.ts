import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCodes } from "../../src/tools/lint/codes/codes.ts";
import { offline } from "../support/main-process.ts";
import { root } from "../support/shared.ts";

const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** The commands after `$ ` with the lines that they print, and the rule files that the reader writes, in the order of the page. */
type Step = { command: string; prints: string } | { file: string; text: string };

function stepsOf(page: string): Step[] {
  return [...page.matchAll(/^```(console|yaml)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, body = ""]): Step[] => {
    if (kind === "yaml") return [{ file: "rules/nft/rodeo.yaml", text: body }];
    return body
      .split(/^\$ /m)
      .slice(1)
      .map((one) => {
        const [command = "", ...prints] = one.split("\n");
        return { command, prints: prints.join("\n") };
      });
  });
}

const [, practice = ""] = /### Practise it\n([\s\S]*?)\n### /.exec(guide) ?? [];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "txgloss-tutorial-"));
  for (const part of [
    "src",
    "rules",
    "labels",
    "schemas",
    "docs",
    "package.json",
    "test/transactions",
    "test/rules/order",
  ]) {
    mkdirSync(dirname(join(copy, part)), { recursive: true });
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

/** The command that npm would run, without npm: `npm run -s name -- args`. */
function withoutNpm(command: string): string {
  return command.replace(/^npm run -s ([\w:-]+)(?: --(?= ))?/, (_, name: string) => {
    expect(Object.keys(scripts)).toContain(name);
    return scripts[name] as string;
  });
}

function runInCopy(command: string): { status: number | null; stdout: string; stderr: string } {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return spawnSync("sh", ["-c", withoutNpm(command)], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, ...offline, PATH },
  });
}

/** A line `…` in the page stands for lines that are left out. */
function patternOf(prints: string): RegExp {
  const parts = prints.split(/^…\n/m).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`);
}

describe("CONTRIBUTING.md", { timeout: 120_000 }, () => {
  const steps = stepsOf(practice);

  it("can be practised word for word", () => {
    expect(steps.filter((step) => "command" in step).length).toBeGreaterThan(7);
    for (const step of steps) {
      if ("file" in step) {
        writeFileSync(join(copy, step.file), step.text);
        continue;
      }
      const { status, stdout, stderr } = runInCopy(step.command);
      expect({ command: step.command, status, stderr }).toEqual({ command: step.command, status: 0, stderr: "" });
      expect(stdout, step.command).toMatch(patternOf(step.prints));
    }
  });

  it("ends the practice with a whole set without a mistake, and its place in the order of rules", () => {
    const { status, stdout } = runInCopy("npm run -s lint:rules");
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^0 errors, 0 warnings(?:, \d+ notes)? in \d+ files$/m),
    ]);
    expect(readFileSync(join(copy, "test/rules/order/nft/rodeo.txt"), "utf8")).toContain("rodeo/mint: call mintFrom");
  });

  it("names scripts, codes, files and folders that there are", () => {
    const others = ["rule-language", "rules/paths", "rules/sources", "rules/tools", "rules/old-words"];
    const pages = [guide, ...others.map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8"))].join("\n");
    const named = (pattern: RegExp) => [...pages.matchAll(pattern)].map(([, name]) => name as string);
    const known = ["ci", "test", ...Object.keys(scripts)];
    expect(named(/`npm (?:run (?:-s )?)?([\w:-]+)/g).filter((name) => !known.includes(name))).toEqual([]);
    expect(named(/\b((?:RL|LB)\d{3})\b/g).filter((code) => !allCodes().includes(code))).toEqual([]);
    for (const path of named(/`((?:docs|schemas|test|rules|labels|src)\/[\w./-]+)`/g)) readFileOrFolder(path);
  });
});

function readFileOrFolder(path: string): void {
  expect(spawnSync("ls", [join(root, path)]).status, path).toBe(0);
}
