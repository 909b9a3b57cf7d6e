import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { offline } from "../support/main-process.ts";
import { root } from "../support/shared.ts";

/**
 * Two protocols that are next to each other: in the alphabet, in their family and, with the same action and specificity, in the order of
 * rules.
 */
const family = "nft";
const [first, second] = ["highlight", "layer3"] as const;

/** The parts of the working tree that writing, checking and listing rules need. Recordings are separate files anyway. */
const copied = [
  "src",
  "rules",
  "labels",
  "schemas",
  "docs",
  "test/rules/order",
  "test/golden",
  "CHANGELOG.md",
  "package.json",
  ".gitignore",
];

/** Files that one protocol alone has beside its rule file. */
const ownFiles = (protocol: string) => [
  `test/rules/order/${family}/${protocol}.txt`,
  `test/golden/rules/${family}/${protocol}.txt`,
];

let repository: string;
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

function run(command: string, ...args: string[]): { status: number | null; stdout: string } {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const author = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  const env = {
    ...process.env,
    ...offline,
    ...author,
    PATH,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
  return spawnSync(command, args, { cwd: repository, encoding: "utf8", env });
}

function git(...args: string[]): string {
  const { status, stdout } = run("git", ...args);
  expect([args, status, stdout]).toEqual([args, 0, stdout]);
  return stdout;
}

/** Runs a script of package.json, or rule-lint, as a contributor does. */
function runScript(name: string, ...args: string[]): { status: number | null; stdout: string } {
  const [command = "", ...given] = (scripts[name] as string).split(" ");
  return run(command === "node" ? process.execPath : command, ...given, ...args);
}

/** Does what a contributor does for a protocol: the rule file, the lists, an entry for the changelog. */
function addProtocol(protocol: string): void {
  git("checkout", "-q", "-b", protocol, "base");
  cpSync(join(root, `rules/${family}/${protocol}.yaml`), join(repository, `rules/${family}/${protocol}.yaml`));
  for (const path of ownFiles(protocol))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(repository, path));
  expect(runScript("rules:order").status).toBe(0);
  writeFileSync(join(repository, `docs/changes/${protocol}.md`), `- Rules for ${protocol}.\n`);
  git("add", "-A");
  git("commit", "-q", "-m", `feat(rules): ${protocol}`);
}

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "txgloss-merge-"));
  for (const part of copied.filter((path) => existsSync(join(root, path)))) {
    mkdirSync(dirname(join(repository, part)), { recursive: true });
    cpSync(join(root, part), join(repository, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(repository, "node_modules"));
  writeFileSync(join(repository, ".gitignore"), `${readFileSync(join(root, ".gitignore"), "utf8")}\nnode_modules\n`);
  for (const protocol of [first, second])
    for (const path of [`rules/${family}/${protocol}.yaml`, ...ownFiles(protocol)])
      rmSync(join(repository, path), { force: true });
  git("init", "-q", "-b", "base");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
});
afterAll(() => rmSync(repository, { recursive: true }));

describe("two branches that each add a protocol", { timeout: 300_000 }, () => {
  it("touch files of their own, and merge without a conflict into lists that are right", () => {
    addProtocol(first);
    addProtocol(second);
    const touched = (branch: string) => git("diff", "--name-status", "base", branch).trim().split("\n");
    for (const protocol of [first, second])
      expect(touched(protocol)).toEqual(
        [`docs/changes/${protocol}.md`, `rules/${family}/${protocol}.yaml`, ...ownFiles(protocol)]
          .filter((path) => path.startsWith("docs/changes/") || existsSync(join(root, path)))
          .sort()
          .map((path) => `A\t${path}`),
      );

    expect(git("check-ignore", "docs/protocols.md")).toBe("docs/protocols.md\n");
    git("merge", "-q", "--no-edit", first);
    expect(runScript("rules:order").status).toBe(0);
    expect(git("status", "--porcelain")).toBe("");
    for (const protocol of [first, second])
      for (const path of ownFiles(protocol).filter((one) => existsSync(join(root, one))))
        expect(readFileSync(join(repository, path), "utf8")).toBe(readFileSync(join(root, path), "utf8"));
    const lines = runScript("changes").stdout.split("\n");
    expect(lines).toEqual(expect.arrayContaining([`- Rules for ${first}.`, `- Rules for ${second}.`]));
    const files = [first, second].map((protocol) => `rules/${family}/${protocol}.yaml`);
    expect(runScript("rule-lint", ...files).stdout).toMatch(/^0 errors, 0 warnings(?:, \d+ notes?)? in 2 files$/m);
  });
});
