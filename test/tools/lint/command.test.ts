import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../../src/engine/build-engine.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { root } from "../../support/shared.ts";
import { build } from "./given-example.ts";

const good = "test/tools/lint/RL204/good.yaml";
const warned = "test/tools/lint/RL206/bad.yaml";
const dir = mkdtempSync(join(tmpdir(), "txgloss-command-"));
mkdirSync(join(dir, "labels"));
writeFileSync(join(dir, "labels/tokens.yaml"), "schema: tokens/v1\nsources: {}\ntokens: []\n");
const run = (...args: string[]) => runCommand(args, false);

/** What a run with these arguments reports about its files, and its result. */
function heard(...args: string[]) {
  const told: number[][] = [];
  return { ...runCommand(args, false, (...one) => told.push(one)), told };
}

/** A folder with the rules of one protocol. `at` says which contracts may emit its event. */
function rulesWith(name: string, at: string): string {
  const folder = join(dir, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "actions.yaml"), readFileSync(join(root, "rules/actions.yaml")));
  const path = join(folder, "weak.yaml");
  writeFileSync(
    path,
    `protocol: weak
name: Weak
kind: protocol
site: https://example.org
contracts:
  pool: { source: ex/book@0123456:A.md, Weak pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
abi_source: ex/contracts@0123456:Pool.sol
abi:
  Paid: "event Paid(address indexed user, uint256 amount)"
  pay: "function pay(uint256 amount)"
rules:
  - { id: pay, action: payment, anchor: { event: Paid, within: pay, calls_at: pool }, at: ${at}, subject: user, say: "pay on {protocol}" }
examples:
  - name: a payment
    given: { to: pool, call: { pay: { amount: "5" } }, logs: [{ Paid: { at: pool, user: alice, amount: "5" } }] }
    rule: pay
`,
  );
  return path;
}

describe("words of the command line", () => {
  it("are answered without any file", () => {
    expect(run("--version")).toEqual({ status: 0, out: `${version}\n`, err: "" });
    for (const args of [["--help"], ["golden", "--help"]]) {
      const { status, out, err } = run(...args);
      expect([status, err]).toEqual([0, ""]);
      expect(out).toContain(args.length === 1 ? "rule-lint checks rule and label files" : "rule-lint golden [paths…]");
    }
  });

  it.each<[string[], RegExp]>([
    [["--explain", "Q"], /^rule-lint: there is no code or forgery Q\nrule-lint check --help says more\.\n$/],
    [
      ["--explain", "RL30"],
      /^rule-lint: there is no code or forgery RL30; did you mean RL30\d\?\nrule-lint check --help says more\.\n$/,
    ],
    [["order", "--format", "json"], /^rule-lint: .*--format.*\nrule-lint order --help says more\.\n$/],
    [["lnit"], /^rule-lint: there is no command, file or folder lnit\n$/],
    [["chekc"], /^rule-lint: there is no command, file or folder chekc; did you mean check\?\n$/],
    [["no/such/folder"], /^rule-lint: there is no file or folder no\/such\/folder\n$/],
  ])("%j are refused", (args, err) => {
    expect(run(...args)).toEqual({ status: 2, out: "", err: expect.stringMatching(err) });
  });

  it("are shown with their way when the mistake is the linter's", () => {
    const { status, out, err } = runCommand(null as never, false);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^rule-lint: TypeError: .*\n {4}at /);
  });
});

/** The sentence of its example, then the count of findings. */
const clean =
  "The examples are told as\n  supply  0xA11C…11Ce supplied 1 USDC to Example Lend.\n\n0 errors, 0 warnings in 1 file\n";

describe("a check", () => {
  it("is the command where none is named, and tells of each file", () => {
    const { told, ...result } = heard("check", good);
    expect([result, told]).toEqual([run(good), [[0, 1]]]);
    expect(result).toEqual({ status: 0, out: clean, err: "" });
  });

  it("is coloured where that is asked", () => {
    const [plain, coloured] = [false, true].map((colour) => runCommand([warned], colour).out) as [string, string];
    expect(plain).not.toContain("\u001b[");
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(plain);
    expect(coloured).not.toBe(plain);
  });

  it("shows the lines of rule and label files, whatever ends them", () => {
    const path = join(dir, "tokens.yaml");
    writeFileSync(path, "schema: tokens/v1\r\nsources: {}\r\ntokenz: []\r\ntokens: []\r\n");
    const { status, out } = run(path);
    expect(status).toBe(1);
    expect(out).toContain("     1 | schema: tokens/v1\n     2 | sources: {}\n >   3 | tokenz: []\n       | ^^^^^^\n");
    expect(run("test/tools/lint/RL204/bad.yaml").out).toMatch(/ > {2}13 | {5}action: lending_suply\n/);
  });
});

describe("answers and forgeries", () => {
  it("end with 1 while answers are not recorded as they are", () => {
    const [golden, recordings] = [join(dir, "golden"), join(dir, "recordings")];
    mkdirSync(recordings);
    writeFileSync(join(recordings, "0x1.json"), JSON.stringify(build({ to: "bob" })));
    const table = join(rulesWith("recorded", "pool"), "../actions.yaml");
    const answers = (...more: string[]) => {
      const { status, out } = run("golden", table, "--golden", golden, "--recordings", recordings, ...more);
      return [status, out.split("\n").at(-2)];
    };
    const counts = (count: number) => `Answers: 0 changed, 0 changed in their evidence only, ${count} new, 0 gone.`;
    expect([answers(), answers("--write"), answers()]).toEqual([
      [1, counts(1)],
      [0, counts(1)],
      [0, counts(0)],
    ]);
  });

  it("end with 1 where a rule believes a forgery", () => {
    const { status, out, told } = heard("--mutate", rulesWith("weak", "any"));
    expect([status, told]).toEqual([1, [[0, 1]]]);
    expect(out).toContain("Paid comes from an untrusted contract: the rule still stands; stands: weak/pay");
    expect(run("--mutate", rulesWith("strong", "pool")).status).toBe(0);
  });
});

describe("what is made from rules", () => {
  it("is printed, or written where it is asked for, folders included", () => {
    const path = rulesWith("made", "pool");
    const out = join(dir, "made/deep/rules.json");
    expect(run("compile", path, "--out", out)).toEqual({ status: 0, out: `${out}\n`, err: "" });
    const text = run("compile", path).out;
    expect(readFileSync(out, "utf8")).toBe(text);
    expect(Object.keys(JSON.parse(text)).length).toBeGreaterThan(1);
  });

  it("is told in a sentence where it cannot be written", () => {
    const path = rulesWith("unwritable", "pool");
    const told = (command: string, out: string) => run(command, path, "--out", out).err.split("\n")[0];
    expect(told("docs", dir)).toBe(`rule-lint: ${dir} is a folder, and a file was expected`);
    expect(told("docs", join(path, "a"))).toMatch(
      /^rule-lint: \S+ is (?:there already|a file, and a folder was expected)$/,
    );
    const golden = run("golden", path, "--write", "--golden", join(path, "a"));
    expect([golden.status, golden.err]).toEqual([2, expect.stringMatching(/^rule-lint: \S+ is [^\n]+\n$/)]);
    if (process.platform === "linux")
      expect(told("compile", "/dev/full")).toBe("rule-lint: /dev/full cannot be written: no space is left");
  });

  it("is nothing where rules have mistakes", () => {
    const path = rulesWith("broken", "pol");
    for (const command of ["order", "docs", "compile", "golden"]) {
      const { status, out, err } = run(command, path);
      expect([status, out]).toEqual([2, ""]);
      expect(err).toMatch(/^rule-lint: /);
    }
  });
});
