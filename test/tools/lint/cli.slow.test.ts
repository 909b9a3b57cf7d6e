import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { root } from "../../support/shared.ts";

/** In a process of its own. */
function spawnLint(args: string[], cwd = root): { status: number | null; out: string; err: string } {
  const run = spawnSync(process.execPath, [join(root, "src/tools/cli/rule-lint.ts"), ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status: run.status, out: run.stdout, err: run.stderr };
}

function runLint(args: string[]) {
  return runCommand(args, false);
}

const bad = "test/tools/lint/RL204/bad.yaml";
const good = "test/tools/lint/RL204/good.yaml";
const warned = "test/tools/lint/RL206/bad.yaml";

describe("exit status", () => {
  it("is 0 without findings", () => {
    const { status, out, err } = spawnLint([good]);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toMatch(/^The examples are told as\n {2}supply {2}.*\n\n0 errors, 0 warnings in 1 file\n$/);
  });

  it("is 1 with an error, which is shown at its place", () => {
    const { status, out, err } = spawnLint([good, bad]);
    expect({ status, err }).toEqual({ status: 1, err: "" });
    expect(out).toContain(
      `${bad}:11:13  error  RL204  \`lending_suply\` is no action type. Did you mean \`lending_supply\`?`,
    );
    expect(out).toMatch(/\n1 error, 0 warnings in 2 files\n$/);
  });

  it("is 1 with a warning only when that is asked", () => {
    expect(runLint([warned]).status).toBe(0);
    expect(runLint([warned, "--fail-on", "warning"]).status).toBe(1);
  });

  it.each([
    [["no/such/folder"], /there is no file or folder no\/such\/folder/],
    [["--format", "xml", good], /--format is one of pretty, json, github/],
    [["--fail-on", "never", good], /--fail-on is one of error, warning, not "never"/],
    [["--nonsense"], /--nonsense/],
    [["--explain", "RL30"], /there is no code or forgery RL30; did you mean RL30\d\?/],
    [["--recordings", "no/such", good], /there is no folder no\/such/],
    [["order", bad], /the rules have 1 mistake;/],
    [["bench"], /there is no YAML file in bench/],
  ])("is 2 when it cannot run: %j", (args, message) => {
    const { status, out, err } = runLint(args);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(message);
  });

  it("is 2 for the shell too, with one line and no stack", () => {
    expect(spawnLint(["no/such/folder"])).toEqual({
      status: 2,
      out: "",
      err: "rule-lint: there is no file or folder no/such/folder\n",
    });
  });

  it("does not change when nobody reads to the end", () => {
    const shell = `"${process.execPath}" src/tools/cli/rule-lint.ts order | head -n 1; exit "\${PIPESTATUS[0]}"`;
    const run = spawnSync("bash", ["-c", shell], { cwd: root, encoding: "utf8" });
    expect({ status: run.status, err: run.stderr }).toEqual({ status: 0, err: "" });
  });
});

describe("formats", () => {
  it("json is one document, also when there are findings", () => {
    const { status, out } = runLint([bad, "--format", "json"]);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      summary: { files: 1, errors: 1 },
      diagnostics: [{ code: "RL204", file: bad }],
    });
  });

  it("github names the file and the place", () => {
    expect(runLint([bad, "--format=github"]).out).toMatch(
      /^::error file=test\/tools\/lint\/RL204\/bad\.yaml,line=11,endLine=11,col=13,endColumn=26,title=RL204::/,
    );
  });
});

describe("--explain", () => {
  it.each(["RL305", "rl610", "LB108"])("tells what %s is and what to do", (code) => {
    const { status, out } = runLint(["--explain", code]);
    expect(status).toBe(0);
    expect(out).toMatch(
      new RegExp(`^${code.toUpperCase()} \\((?:error|warning)[^)]*\\)\n\nFinds: .+\\.\n\n.+\\.\n\nBad:\n`),
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
    'schema: tokens/v1\nsources:\n  list: ex/list@0123456:A.md\ntokens:\n  - { address: "0x12", symbol: A, name: A, decimals: 18, well_known: false, source: list }\n',
  );
  const text = readFileSync(join(root, good), "utf8");
  writeFileSync(join(folder, "rules/dex/good.yaml"), text.replace("at: pool", "at: pol"));
  writeFileSync(
    join(folder, "rules/other.yaml"),
    text.replace("protocol: good", "protocol: another").replace("kind: protocol", "kind: protocl"),
  );

  it("shows every mistake of rules and labels in one order, with paths from where it was started", () => {
    const { status, out } = spawnLint([], folder);
    expect(status).toBe(1);
    expect(
      out
        .split("\n")
        .filter((line) => /^\S+:\d/.test(line))
        .map((line) => line.split("  ").slice(0, 3).join(" ")),
    ).toEqual([
      "labels/tokens.yaml:5:16 error LB106",
      "rules/dex/good.yaml:13:9 error RL302",
      "rules/other.yaml:3:7 error RL202",
    ]);
  });

  it("tells only what it was asked for, though the whole set is read", () => {
    const { out } = spawnLint(["rules/other.yaml"], folder);
    expect(out).toContain("rules/other.yaml:3:7");
    expect(out).not.toContain("good.yaml");
  });
});

describe("order", () => {
  it("prints each rule below its action, the stronger first", () => {
    const { status, out } = runLint(["order", good]);
    expect(status).toBe(0);
    expect(out).toBe("lending_supply (tier protocol, rank 3)\n  320  good/supply: event Supply at pool\n");
  });

  it("prints the rules that those of one protocol stand before, level with and behind", () => {
    const { out } = runLint(["order", "rules", "--of", "highlight"]);
    const [heading, rule, ...notes] = out.split("\n");
    expect([heading, rule]).toEqual(["nft_mint (tier flow, rank 0)", expect.stringContaining("  highlight/")]);
    expect(notes.join("\n")).toMatch(/^ {7}before .*flow\/nft-mint.*\n {7}level with .*layer3\/mint.*\n {7}behind /m);
    expect(runLint(["order", "--of", "nobody"]).err).toMatch(/^rule-lint: there is no protocol nobody\n/);
  });
});
