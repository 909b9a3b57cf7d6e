import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../support/shared.ts";

interface Step {
  name?: string;
  if?: string;
  env?: Record<string, string>;
  run?: string;
  uses?: string;
  with?: Record<string, string>;
}

const read = (path: string) => parse(readFileSync(join(root, path), "utf8"));
const action = read("action.yml") as {
  inputs: Record<string, { default: string; description: string }>;
  runs: { using: string; steps: Step[] };
};
const example = "docs/examples/private-rules";
const workflow = read(`${example}/.github/workflows/rules.yml`) as { jobs: { rules: { steps: Step[] } } };
const [given = {}] = workflow.jobs.rules.steps
  .filter(({ uses }) => uses?.startsWith("txgloss/"))
  .map((step) => step.with ?? {});
const hook = read(".pre-commit-hooks.yaml")[0] as { id: string; entry: string; files: string };

/** An expression of GitHub: also after a step that failed. */
const always = ["$", "{{ !cancelled() }}"].join("");

/** A clone of the example, and `rule-lint` linked as npm does it. */
const home = mkdtempSync(join(tmpdir(), "txgloss-private-"));
const repository = join(home, "repository");
const bin = join(home, "bin");
mkdirSync(bin);
writeFileSync(
  join(bin, "rule-lint"),
  `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/rule-lint.js")}" "$@"\n`,
);
chmodSync(join(bin, "rule-lint"), 0o755);
afterAll(() => rmSync(home, { recursive: true }));
beforeEach(() => {
  rmSync(repository, { recursive: true, force: true });
  cpSync(join(root, example), repository, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: repository });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "rules");
});

/** Runs a command line as a job of GitHub does. */
function bash(script: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: repository,
    encoding: "utf8",
    env: { ...process.env, GITHUB_STEP_SUMMARY: join(home, "summary.md"), ...env, PATH: `${bin}:${process.env.PATH}` },
  });
  return { status, out: stdout, err: stderr };
}

/** Runs a step of the action with the inputs of the example's workflow. */
function runStep(name: string, more: Record<string, string> = {}) {
  const step = action.runs.steps.find((one) => one.name === name) as Step;
  const inputs: Record<string, string> = { ...given, since: "HEAD", ...more };
  const value = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_all, input) => inputs[input] ?? action.inputs[input]?.default ?? "",
    );
  const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, text]) => [key, value(text)]));
  return bash(step.run ?? "exit 99", env);
}

function edit(change: (text: string) => string): void {
  const path = join(repository, "rules/acme-vault.yaml");
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

const sarif = () => JSON.parse(readFileSync(join(repository, "rule-lint.sarif"), "utf8")).runs[0].results;

describe("the action in a private repository", { timeout: 300_000 }, () => {
  it("passes for good rules, every step of it", () => {
    const steps = action.runs.steps.filter(({ run }) => run !== undefined);
    const ended = steps.map(({ name = "" }) => ({ name, ...runStep(name) }));
    expect(ended.map(({ name, status, err }) => [name, status, err])).toEqual(steps.map(({ name }) => [name, 0, ""]));
    expect(ended.map(({ out }) => out).join("")).toMatch(/^\d+\.\d+\.\d+\n[\s\S]*all +100\.0 %[\s\S]*0 changed/);
    expect(sarif()).toEqual([]);
  });

  it("shows a mistake at its line, in the pull request and as SARIF", () => {
    edit((text) => text.replace("action: vault_deposit", "action: vault_depositt"));
    const { status, out } = runStep("Findings");
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/^::error file=rules\/acme-vault\.yaml,line=13,.+vault_deposit/),
    ]);
    expect(sarif()).toMatchObject([{ ruleId: "RL204", level: "error" }]);
  });

  it("forges examples unless it is told not to, and fails where that cannot be done", () => {
    edit((text) => text.replace("protocol: acme-vault", "protocl: acme-vault"));
    expect(runStep("Forged examples")).toMatchObject({ status: 2, err: expect.stringContaining("1 mistake") });
    expect(runStep("Forged examples", { mutate: "false" })).toEqual({ status: 0, out: "", err: "" });
  });

  it("tells which recorded answers change, and fails until they are recorded", () => {
    edit((text) => text.replace('"deposit {gives} into {protocol}"', '"park {gives} at {protocol}"'));
    const { status, out } = runStep("Recorded answers");
    expect(status).toBe(1);
    expect(out).toContain("- 0x398C…5c24 deposited 250 USDC into Acme Vault.");
    expect(out).toContain("+ 0x398C…5c24 parked 250 USDC at Acme Vault.");
    const [, advice = ""] = /^::error::.+, then: (.+)$/m.exec(out) ?? [];
    expect(bash(advice).status).toBe(0);
    // Changes since the base commit are told and are no failure any more.
    expect(runStep("Recorded answers")).toMatchObject({ status: 0, out: expect.stringContaining("parked 250 USDC") });
    expect(readFileSync(join(home, "summary.md"), "utf8")).toContain("parked 250 USDC");
  });

  it("goes on after a step that failed, and knows the inputs that the workflow gives", () => {
    const [, ...later] = action.runs.steps.filter(({ run }) => run !== undefined).slice(1);
    expect(later.map((step) => step.if)).toEqual(later.map(() => always));
    expect(Object.keys(given).filter((name) => !(name in action.inputs))).toEqual([]);
    for (const { env = {}, run = "" } of action.runs.steps) {
      for (const text of Object.values(env))
        expect(action.inputs).toHaveProperty(/inputs\.([\w-]+)/.exec(text)?.[1] ?? "");
      // Inputs of a caller reach the shell as variables, never as text of the script.
      expect(run).not.toContain("${{");
    }
  });
});

describe("the hook for pre-commit", { timeout: 300_000 }, () => {
  const committed = ["rules/acme-vault.yaml", "recordings/a.json"].filter((path) => new RegExp(hook.files).test(path));

  it("checks the files that are committed", () => {
    expect(committed).toEqual(["rules/acme-vault.yaml"]);
    expect(bash(`${hook.entry} --recordings recordings ${committed.join(" ")}`)).toMatchObject({ status: 0, err: "" });
    edit((text) => text.replace("protocol: acme-vault", "protocl: acme-vault"));
    expect(bash(`${hook.entry} ${committed.join(" ")}`)).toMatchObject({
      status: 1,
      out: expect.stringContaining("protocl"),
    });
  });

  it("is the one that the example asks for, and its README's commands are right", () => {
    const { repos } = read(`${example}/.pre-commit-config.yaml`);
    expect(repos[0].hooks[0].id).toBe(hook.id);
    const page = readFileSync(join(root, example, "README.md"), "utf8");
    const commands = [...page.matchAll(/^\$ npx (rule-lint .+)$/gm)].map(([, line = ""]) => line);
    expect(commands.length).toBe(3);
    for (const command of commands) expect([command, bash(command).status]).toEqual([command, 0]);
  });
});
