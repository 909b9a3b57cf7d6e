import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseGolden } from "../../../src/tools/lint/golden/golden-answer.ts";
import { root } from "../../support/shared.ts";
import { runRuleLintHere } from "./rule-lint-here.ts";

const home = mkdtempSync(join(tmpdir(), "txgloss-golden-"));
afterAll(() => rmSync(home, { recursive: true }));

const file = "rules/names/token-names.yaml";
const rule = (words: string) => `protocol: token-names
name: Token Names
kind: protocol
site: https://example.org
contracts:
  registry:
    source: ex/book@0123456:A.md
    The contract: "0x1111111111111111111111111111111111111111"
abi:
  Registered: "event Registered(address indexed owner)"
rules:
  - id: register
    action: name_registration
    anchor: { event: Registered }
    at: registry
    subject: owner
    say: "${words} on {protocol}"
examples:
  - name: a name
    given: { from: alice, to: registry, logs: [{ Registered: { at: registry, owner: alice } }] }
    rule: register
`;

/** A folder of rules with one protocol. */
function makeRepository(): string {
  const dir = join(home, "first");
  mkdirSync(join(dir, "rules/names"), { recursive: true });
  mkdirSync(join(dir, "recorded"));
  for (const path of ["actions", "standards/envelope", "standards/erc20", "standards/flow"])
    cpSync(join(root, `rules/${path}.yaml`), join(dir, `rules/${path}.yaml`));
  const [recording = ""] = readdirSync(join(root, "test/transactions"));
  cpSync(join(root, "test/transactions", recording), join(dir, "recorded", recording));
  writeFileSync(join(dir, file), rule("take a name"));
  return dir;
}

function git(dir: string, ...args: string[]): void {
  const who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", dir, ...who, ...args], { stdio: "ignore" });
}

const golden = (dir: string, ...args: string[]) =>
  runRuleLintHere(["golden", "rules", "--recordings", "recorded", ...args], { cwd: dir });

describe("rule-lint golden", () => {
  let first = "";
  let dir = "";
  beforeAll(async () => {
    first = makeRepository();
    expect(await golden(first, "--write")).toMatchObject({ code: 0, stderr: "" });
    git(first, "init", "--quiet");
    git(first, "add", ".");
    git(first, "commit", "--quiet", "--message", "first");
  });
  beforeEach(() => {
    dir = mkdtempSync(join(home, "copy-"));
    cpSync(first, dir, { recursive: true });
  });

  it("finds nothing where nothing changed", async () => {
    expect(await golden(dir)).toMatchObject({
      code: 0,
      stdout: "Answers: 0 changed, 0 changed in their evidence only, 0 new, 0 gone.\n",
    });
  });

  it("keeps one file for each rule file, and one for the recordings", () => {
    expect(readFileSync(join(dir, "test/golden/rules/names/token-names.txt"), "utf8")).toMatch(
      /^a name\tname_registration\t[0-9a-f]{12}\t[0-9a-f]{12}\t0xA11C…11Ce took a name on Token Names\.\n$/,
    );
    expect(parseGolden(readFileSync(join(dir, "test/golden/recordings.txt"), "utf8"))).toHaveLength(1);
  });

  it("prints the sentences before and after, and fails until they are written", async () => {
    writeFileSync(join(dir, file), rule("register a name"));
    const changed = await golden(dir);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toBe(`rules/names/token-names.txt
  a name
    - 0xA11C…11Ce took a name on Token Names.
    + 0xA11C…11Ce registered a name on Token Names.
Answers: 1 changed, 0 changed in their evidence only, 0 new, 0 gone.
`);
    expect((await golden(dir, "--write")).code).toBe(0);
    expect((await golden(dir)).code).toBe(0);
    const since = await golden(dir, "--since", "HEAD");
    expect(since).toMatchObject({ code: 1, stdout: changed.stdout });
  });

  it("tells answers that are new and gone, and removes the file of rules that are gone", async () => {
    writeFileSync(join(dir, file), rule("take a name").replace("- name: a name", "- name: another"));
    expect((await golden(dir)).stdout).toMatch(
      /another\n {4}\+ .*\n {2}a name\n {4}- .*\nAnswers: 0 .* 1 new, 1 gone\.\n$/,
    );
    rmSync(join(dir, file));
    await golden(dir, "--write");
    expect(existsSync(join(dir, "test/golden/rules/names/token-names.txt"))).toBe(false);
  });

  it("says when only the evidence changed", async () => {
    const text = rule("take a name").replaceAll("id: register", "id: take").replace("rule: register", "rule: take");
    writeFileSync(join(dir, file), text);
    expect((await golden(dir)).stdout).toContain("the answer is the same, its evidence is not");
  });

  it("compares folders of case files by name", async () => {
    expect((await golden(dir, "--cases", "mine=recorded", "--write")).stdout).toContain("1 new");
    expect(existsSync(join(dir, "test/golden/mine.txt"))).toBe(true);
    expect((await golden(dir)).code).toBe(0);
  });

  it.each([
    [["--cases", "mine=nowhere"], "--cases expects NAME=DIR"],
    [["--since", "nosuch"], "git rev-parse failed"],
    [["--since=--output=x"], "git rev-parse failed"],
  ])("%s is refused with a reason", async (args, reason) => {
    const { code, stderr } = await golden(dir, ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
  });

  it("refuses a golden file that is not one, and rules with mistakes", async () => {
    writeFileSync(join(dir, "test/golden/recordings.txt"), "nonsense\n");
    expect(await golden(dir)).toMatchObject({ code: 2, stderr: expect.stringContaining("line 1") });
    rmSync(join(dir, "test/golden/recordings.txt"));
    writeFileSync(join(dir, file), rule("take a name").replace("subject: owner", "subject: nobody"));
    expect(await golden(dir)).toMatchObject({ code: 2, stderr: expect.stringContaining("mistake") });
  });
});
