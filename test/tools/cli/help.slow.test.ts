import { describe, expect, it } from "vitest";
import { program, readCommandLine } from "../../../src/tools/cli/command-line.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { ruleLint } from "../../../src/tools/lint/program.ts";
import { helpFor, type Program } from "../../../src/tools/terminal/command-table.ts";
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
      expect(text).toContain(entry.operands);
      for (const option of Object.keys(entry.options))
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

  it("goes with the version", async () => {
    for (const run of [runTxgloss, runRuleLint])
      expect(await run(["--version"])).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: "",
      });
  });
});
