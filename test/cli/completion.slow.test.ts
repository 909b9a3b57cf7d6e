import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { program } from "../../src/cli/command-line.ts";
import { ruleLint } from "../../src/lint/program.ts";
import { completionScript, type Shell } from "../../src/terminal/completion.ts";
import { runRuleLint } from "../lint/rule-lint-process.ts";
import { runTxgloss } from "./txgloss-process.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-completion-"));
mkdirSync(join(dir, "rules of mine"));
writeFileSync(join(dir, "case.json"), "{}");
for (const one of [program, ruleLint])
  for (const shell of ["bash", "zsh", "fish"] as const)
    writeFileSync(join(dir, `${one.name}.${shell}`), completionScript(one, shell));
afterAll(() => rmSync(dir, { recursive: true }));

/** What the shell offers for the last of these words, sorted. */
const offers: Record<Shell, (words: readonly string[]) => string[]> = {
  bash: (words) =>
    run(
      "bash",
      ["--noprofile", "--norc", "-c"],
      words,
      (name) => `
      source ${name}.bash
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _${name.replace("-", "_")}
      printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  fish: (words) =>
    run(
      "fish",
      ["--no-config", "-c"],
      words,
      (name) => `
      source ${name}.fish
      complete -C (string join ' ' -- $argv) | string split -f1 \\t`,
    ),
  // The functions of zsh need a terminal. So these stand-ins print what they were asked to offer.
  zsh: (words) =>
    run(
      "zsh",
      ["-f", "-c"],
      words,
      (name) => `
      compdef() { : }
      _describe() { print -rl -- \${(P)2%%:*} }
      _arguments() {
        local spec previous=$words[CURRENT-1]
        for spec in "$@"; do [[ $spec == (\\*|)--* ]] && print -r -- \${\${spec#\\*}%%\\[*}; done
        for spec in "$@"; do
          [[ $spec == (\\*|)$previous\\[* || $spec == [1*]:* ]] && print -rl -- \${=\${spec##*:}//[()]/}
        done
      }
      source ./${name}.zsh
      words=("$@") CURRENT=$#
      _${name.replace("-", "_")}`,
    ),
};

function run(shell: Shell, options: string[], words: readonly string[], script: (name: string) => string): string[] {
  const [name = ""] = words;
  const extra = shell === "fish" ? [] : ["-"];
  const { stdout, stderr } = spawnSync(shell, [...options, script(name), ...extra, ...words], {
    cwd: dir,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

describe.each(["bash", "zsh", "fish"] as const)("completion for %s", (shell) => {
  const missing = spawnSync(shell, ["--version"]).error !== undefined;
  const why = missing ? ` (skipped: ${shell} is not installed)` : "";

  it.skipIf(missing)(`offers the commands${why}`, () => {
    expect(offers[shell](["txgloss", ""])).toEqual(expect.arrayContaining(Object.keys(program.commands)));
    expect(offers[shell](["rule-lint", ""])).toEqual(expect.arrayContaining(Object.keys(ruleLint.commands)));
  });

  it.skipIf(missing)(`offers a command's options and no others${why}`, () => {
    const found = offers[shell](["txgloss", "record", "--"]);
    expect(found).toEqual(expect.arrayContaining(["--dir", "--help", "--rpc"]));
    expect(found).not.toContain("--why");
    expect(offers[shell](["rule-lint", "golden", "--"])).toEqual(expect.arrayContaining(["--since", "--write"]));
    expect(offers[shell](["rule-lint", "--"])).toContain("--format");
  });

  it.skipIf(missing)(`offers the words that an option or a command takes${why}`, () => {
    expect(offers[shell](["rule-lint", "check", "--format", ""])).toEqual(expect.arrayContaining(["sarif", "pretty"]));
    expect(offers[shell](["rule-lint", "--format", ""])).toEqual(expect.arrayContaining(["sarif", "pretty"]));
    expect(offers[shell](["txgloss", "ledger", ""])).toEqual(expect.arrayContaining(["export", "import", "reconcile"]));
    expect(offers[shell](["txgloss", "completion", ""])).toEqual(expect.arrayContaining(["bash", "fish", "zsh"]));
  });
});

describe("paths", () => {
  it("are offered by bash where a command takes them, blanks and all", () => {
    expect(offers.bash(["txgloss", "replay", "c"])).toEqual(["case.json"]);
    expect(offers.bash(["txgloss", "coverage", ""])).toEqual(["rules of mine"]);
    expect(offers.bash(["rule-lint", "golden", "--recordings", "r"])).toEqual(["rules of mine"]);
    expect(offers.bash(["txgloss", "explain", ""])).toEqual([]);
  });
});

describe("the command completion", () => {
  it.each([
    [program, runTxgloss],
    [ruleLint, runRuleLint],
  ] as const)("prints the script of $name, and says which shells there are", async (one, run) => {
    const { code, stdout } = await run(["completion", "bash"]);
    expect([code, stdout]).toEqual([0, completionScript(one, "bash")]);
    const { code: failed, stderr } = await run(["completion", "bsh"]);
    expect([failed, stderr]).toEqual([
      2,
      `${one.name}: the shell is one of bash, zsh, fish, not "bsh"; did you mean bash?\n${one.name} completion --help says more.\n`,
    ]);
  });
});
