import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

function ruleLint(args: string[], cwd = root): { status: number | null; stdout: string; stderr: string } {
  const run = spawnSync(process.execPath, [join(root, "src/cli/rule-lint.ts"), ...args], {
    cwd,
    encoding: "utf8",
    timeout: 15_000,
  });
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

const bad = "test/lint/RL204/bad.yaml";
const good = "test/lint/RL204/good.yaml";
const warned = "test/lint/RL206/bad.yaml";

describe("exit status", () => {
  it("is 0 without findings", () => {
    expect(ruleLint([good])).toEqual({ status: 0, stdout: "0 errors, 0 warnings in 1 file\n", stderr: "" });
  });

  it("is 1 with an error, which is shown at its place", () => {
    const { status, stdout, stderr } = ruleLint([good, bad]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain(
      `${bad}:13:13  error  RL204  \`lending_suply\` is no action type. Did you mean \`lending_supply\`?`,
    );
    expect(stdout).toMatch(/\n1 error, 0 warnings in 2 files\n$/);
  });

  it("is 1 with a warning only when that is asked", () => {
    expect(ruleLint([warned]).status).toBe(0);
    expect(ruleLint([warned, "--fail-on", "warning"]).status).toBe(1);
  });

  it.each([
    [["no/such/folder"], /there is no file or folder no\/such\/folder/],
    [["--format", "xml", good], /--format is one of pretty, json, github/],
    [["--fail-on", "never", good], /--fail-on is error or warning/],
    [["--nonsense"], /--nonsense/],
    [["--explain", "RL30"], /there is no code RL30; did you mean RL30\d\?/],
    [["--recordings", "no/such", good], /there is no folder no\/such/],
    [["order", bad], /the rules have 1 mistakes/],
    [["src"], /there is no YAML file in src/],
  ])("is 2 when it cannot run: %j", (args, message) => {
    const { status, stdout, stderr } = ruleLint(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("formats", () => {
  it("json is one document, also when there are findings", () => {
    const { status, stdout } = ruleLint([bad, "--format", "json"]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      summary: { files: 1, errors: 1 },
      diagnostics: [{ code: "RL204", file: bad }],
    });
  });

  it("github names the file and the place", () => {
    expect(ruleLint([bad, "--format=github"]).stdout).toMatch(
      /^::error file=test\/lint\/RL204\/bad\.yaml,line=13,endLine=13,col=13,endColumn=26,title=RL204::/,
    );
  });
});

describe("--explain", () => {
  it.each(["RL305", "rl610", "LB108"])("tells what %s is and what to do", (code) => {
    const { status, stdout } = ruleLint(["--explain", code]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^${code.toUpperCase()} \\((?:error|warning)[^)]*\\)\n\nFinds: .+\\.\n\n.+\\.\n$`),
    );
  });
});

describe("one run over a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "rule-lint-"));
  mkdirSync(join(folder, "rules/dex"), { recursive: true });
  mkdirSync(join(folder, "labels"));
  writeFileSync(join(folder, "rules/actions.yaml"), readFileSync(join(root, "rules/actions.yaml")));
  writeFileSync(
    join(folder, "labels/tokens.yaml"),
    'schema: tokens/v1\nsources:\n  list: https://example.org/list\ntokens:\n  - { address: "0x12", symbol: A, name: A, decimals: 18, well_known: false, source: list }\n',
  );
  const text = readFileSync(join(root, good), "utf8");
  writeFileSync(join(folder, "rules/dex/good.yaml"), text.replace("at: pool", "at: pol"));
  writeFileSync(
    join(folder, "rules/other.yaml"),
    text.replace("protocol: good", "protocol: another").replace("kind: protocol", "kind: protocl"),
  );

  it("shows every mistake of rules and labels in one order, with paths from where it was started", () => {
    const { status, stdout } = ruleLint([], folder);
    expect(status).toBe(1);
    expect(
      stdout
        .split("\n")
        .filter((line) => /^\S+:\d/.test(line))
        .map((line) => line.split("  ").slice(0, 3).join(" ")),
    ).toEqual([
      "labels/tokens.yaml:5:16 error LB106",
      "rules/dex/good.yaml:15:9 error RL302",
      "rules/other.yaml:3:7 error RL202",
    ]);
  });

  it("tells only what it was asked for, though the whole set is read", () => {
    const { stdout } = ruleLint(["rules/other.yaml"], folder);
    expect(stdout).toContain("rules/other.yaml:3:7");
    expect(stdout).not.toContain("good.yaml");
  });
});

describe("order", () => {
  it("prints each rule below its action, the stronger first", () => {
    const { status, stdout } = ruleLint(["order", good]);
    expect(status).toBe(0);
    expect(stdout).toBe("lending_supply (tier protocol, rank 2)\n  320  good/supply: event Supply at 1 address\n");
  });
});
