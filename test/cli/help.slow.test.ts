import { describe, expect, it } from "vitest";
import { program, readCommandLine } from "../../src/cli/command-line.ts";
import { runCommand } from "../../src/lint/command.ts";
import { ruleLint } from "../../src/lint/program.ts";
import {
  oneOf,
  operandsOf,
  optionsOf,
  type Program,
  readOptions,
  UsageError,
} from "../../src/terminal/command-table.ts";
import { helpFor } from "../../src/terminal/help-text.ts";
import { wrapText } from "../../src/terminal/table.ts";
import { runRuleLint } from "../lint/rule-lint-process.ts";
import { runTxgloss } from "./txgloss-process.ts";

const commands = [program, ruleLint].flatMap((one) =>
  Object.entries(one.commands).map(([name, entry]) => ({ one, name, entry, title: `${one.name} ${name}` })),
);

/** What the programs do with a command line, without a process. */
function help(one: Program, args: string[]): string {
  if (one === program) {
    const command = readCommandLine(args);
    return command.name === "help" ? helpFor(program, command.words) : "";
  }
  const { status, out, err } = runCommand(args, false);
  expect([status, err]).toEqual([0, ""]);
  return out;
}

describe("--help", { timeout: 120_000 }, () => {
  it.each([program, ruleLint])("of a program lists its commands: $name", (one) => {
    for (const args of [["--help"], ["-h"], ["help"]]) {
      const text = help(one, args);
      for (const [name, { help: line }] of Object.entries(one.commands)) {
        expect(text).toMatch(new RegExp(`^  ${name} `, "m"));
        expect(text.replaceAll(/\s+/g, " ")).toContain(line);
      }
      expect(text).toContain(one.closing);
    }
  });

  it.each(commands)("of $title prints its usage and every option, with what it means", ({ one, name, entry }) => {
    for (const args of [
      [name, "--help"],
      ["help", name],
    ]) {
      const text = help(one, args);
      expect(text).toMatch(new RegExp(`^usage:  ${one.name} \\[?${name}\\]?(?: |\\n)`));
      for (const word of operandsOf(entry.usage).words) expect(text).toContain(word);
      for (const { name: option } of optionsOf(entry.usage))
        expect(text).toMatch(new RegExp(`^  --${option}(?: [A-Z=…]+)?  +\\S`, "m"));
      for (const line of text.split("\n")) expect(line.length).toBeLessThan(132);
    }
  });

  it("is what the processes print, also where a command works outside of the linter", async () => {
    const expected = (one: Program, args: string[]) => ({ code: 0, stdout: helpFor(one, args), stderr: "" });
    for (const args of [["--help"], ["ledger", "export", "--help"]])
      expect(await runTxgloss(args)).toEqual(expected(program, args));
    for (const args of [
      ["new", "--help"],
      ["help", "verify-sources"],
    ])
      expect(await runRuleLint(args)).toEqual(expected(ruleLint, args));
  });

  it("says of each option of a program what it means, and of no other", () => {
    for (const one of [program, ruleLint]) {
      const all = Object.values(one.commands);
      const named = new Set(all.flatMap(({ usage }) => optionsOf(usage).map((option) => option.name)));
      expect(Object.keys(one.options).filter((option) => !named.has(option))).toEqual([]);
      const untold = all.flatMap(({ usage, options: own }) =>
        optionsOf(usage).filter((option) => !own?.[option.name] && !one.options[option.name]),
      );
      expect(untold).toEqual([]);
    }
  });

  it("goes with the version", async () => {
    for (const run of [runTxgloss, runRuleLint])
      expect(await run(["--version"])).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: "",
      });
  });
});

describe("a usage line", () => {
  it("tells options, words and paths", () => {
    expect(optionsOf("<hash>… [--json] [--rpc URL]… [--format a|b] [--write | --cases NAME=DIR]")).toEqual([
      { name: "json", value: null, many: false },
      { name: "rpc", value: "URL", many: true },
      { name: "format", value: "a|b", many: false },
      { name: "write", value: null, many: false },
      { name: "cases", value: "NAME=DIR", many: false },
    ]);
    expect(operandsOf("[list | drop FILE] [--json]")).toEqual({ words: ["list", "drop"], paths: "files" });
    expect(operandsOf("<hash> [--dir DIR]")).toEqual({ words: [], paths: null });
    expect(operandsOf("<dir> [--json]")).toEqual({ words: [], paths: "folders" });
    expect(operandsOf("[paths…] [--out FILE]")).toEqual({ words: [], paths: "files" });
  });

  it.each([
    [["--jsno"], "there is no option --jsno here; did you mean --json?"],
    [["--colour"], "there is no option --colour here; this command takes --json, --rpc"],
    [["-x"], "there is no option -x here; this command takes --json, --rpc"],
    [["--rpc"], "--rpc needs a value: --rpc URL"],
    [["--json=1"], "--json takes no value"],
  ])("refuses %j with a way out", (args, message) => {
    expect(() => readOptions(args, "<hash> [--json] [--rpc URL]…")).toThrow(new UsageError(message));
  });

  it("reads what it names, lists where more than one may be given", () => {
    expect(readOptions(["a", "--json", "--rpc", "u", "--rpc=v", "b"], "<hash> [--json] [--rpc URL]…")).toEqual({
      values: { json: true, rpc: ["u", "v"] },
      positionals: ["a", "b"],
    });
    expect(() => readOptions(["--json"], "")).toThrow("this command takes none");
  });

  it("knows a word that is nearly one of its own", () => {
    expect(oneOf("zsh", ["bash", "zsh"], "the shell")).toBe("zsh");
    expect(() => oneOf("bsh", ["bash", "zsh"], "the shell")).toThrow(
      new UsageError('the shell is one of bash, zsh, not "bsh"; did you mean bash?'),
    );
    expect(() => oneOf("tcl-shell", ["bash"], "the shell")).toThrow(/not "tcl-shell"$/);
  });
});

describe("wrapText", () => {
  it("breaks at blanks, keeps indents, and leaves words whole", () => {
    expect(wrapText("one two three", 7)).toBe("one two\nthree");
    expect(wrapText("  one two three\nfour", 9)).toBe("  one two\n  three\nfour");
    expect(wrapText("0123456789 a", 4)).toBe("0123456789\na");
    expect(wrapText("a  b", 80)).toBe("a  b");
  });
});
