import { describe, expect, it } from "vitest";
import { openProgress, progressText } from "../../../src/tools/cli/progress.ts";
import {
  asksForHelp,
  commandHelp,
  commandNamed,
  flag,
  helpFor,
  helpHint,
  oneOf,
  type Program,
  programHelp,
  readOptions,
  repeated,
  UsageError,
  valued,
} from "../../../src/tools/terminal/command-table.ts";
import { formatFields, formatTable, wrapText } from "../../../src/tools/terminal/table.ts";

describe("fields", () => {
  it("stand below each other, lines of one value too, without those that are empty", () => {
    const fields = [
      ["type", "swap"],
      ["nothing", ""],
      ["moved", "a\nb"],
    ] as const;
    expect(formatFields(fields)).toBe("type   swap\nmoved  a\n       b\n");
    expect(formatFields([])).toBe("");
    expect(formatFields([["x", ""]])).toBe("");
    expect(formatFields([["", "x"]])).toBe("  x\n");
  });

  it("are broken at the columns, of which a value has 40 at least", () => {
    const words = "aaaa ".repeat(20).trim();
    const widths = (columns: number) =>
      formatFields([["name", words]], columns)
        .split("\n")
        .map(({ length }) => length);
    expect(widths(60)).toEqual([60, 50, 0]);
    expect(widths(59)).toEqual([55, 55, 0]);
    expect(widths(10)).toEqual([45, 45, 25, 0]);
    expect(formatFields([["name", `${"x".repeat(20)} ${"y".repeat(20)}`]], 10).split("\n")).toHaveLength(3);
    expect(formatFields([["name", `${"x".repeat(20)} ${"y".repeat(19)}`]], 10).split("\n")).toHaveLength(2);
  });
});

describe("lines", () => {
  it.each([
    ["one two", 7, "one two"],
    ["one two", 6, "one\ntwo"],
    ["one two three", 8, "one two\nthree"],
    ["  one two", 8, "  one\n  two"],
    ["toolongaword x", 5, "toolongaword\nx"],
    ["x toolongaword", 5, "x\ntoolongaword"],
    ["a b\nc d", 2, "a\nb\nc\nd"],
    ["", 5, ""],
    ["one  two", 8, "one  two"],
    ["  ", 2, "  "],
    ["    one two", 7, "    one\n    two"],
  ])("%j within %i columns", (text, columns, wrapped) => {
    expect(wrapText(text, columns)).toBe(wrapped);
  });
});

describe("tables", () => {
  it("have aligned columns", () => {
    const rows = [["a", "bbb", "1"], ["cccc", "d", "22"], ["e"]];
    expect(formatTable(rows)).toBe("a     bbb  1\ncccc  d    22\ne");
    expect(formatTable(rows, { rightAligned: [2] })).toBe("a     bbb   1\ncccc  d    22\ne");
    expect(formatTable([])).toBe("");
  });
});

const options = {
  format: valued(["json", "text"], "which form"),
  depth: valued("N", "how deep"),
  rpc: repeated("URL", "whom to ask"),
  all: flag("also what is fine"),
};

const program: Program = {
  name: "tool",
  about: "tool does things.",
  commands: {
    check: { operands: "[paths…]", options, help: "checks files", more: "It reads them twice.\n" },
    list: { operands: "", options: {}, help: "lists all" },
    copy: {
      operands: "[one | two FILE]",
      options: {
        quiet: flag("say nothing"),
        from: { ...valued("DIR", "where"), needed: true },
        url: { ...valued("URL", "or where"), needed: true },
      },
      help: "copies",
    },
  },
  fallback: "check",
  closing: "Exit status: 0.\n",
};

describe("a command", () => {
  it("takes the options that it declares", () => {
    expect(readOptions(["a", "--depth", "3", "--rpc", "x", "--rpc=y", "--all", "b"], options)).toEqual({
      values: { depth: "3", rpc: ["x", "y"], all: true },
      positionals: ["a", "b"],
    });
    expect(readOptions(["--depth=-1", "--", "--all"], options)).toEqual({
      values: { depth: "-1", rpc: [], all: false },
      positionals: ["--all"],
    });
  });

  it.each([
    [["--detph", "3"], "there is no option --detph here; did you mean --depth?"],
    [["--colour"], "there is no option --colour here; this command takes --format, --depth, --rpc, --all"],
    [["-x"], "there is no option -x here; this command takes --format, --depth, --rpc, --all"],
    [["--toString"], "there is no option --toString here; this command takes --format, --depth, --rpc, --all"],
    [["--depth"], "--depth needs a value: --depth N"],
    [["--depth="], "--depth needs a value: --depth N"],
    [["--rpc", "x", "--rpc", ""], "--rpc needs a value: --rpc URL"],
    [["--format"], "--format needs a value: --format json|text"],
    [["--all=yes"], "--all takes no value"],
    [["--rpc", "--all"], "--rpc needs a value: --rpc URL"],
  ])("refuses %j", (args, message) => {
    expect(() => readOptions(args, options)).toThrow(new UsageError(message));
  });

  it("without options takes none", () => {
    expect(() => readOptions(["--x"], {})).toThrow(
      new UsageError("there is no option --x here; this command takes none"),
    );
  });

  it("gets one of the words that it knows", () => {
    expect(oneOf("b", ["a", "b"], "--x")).toBe("b");
    expect(() => oneOf("jsn", ["json", "text"], "--format")).toThrow(
      new UsageError('--format is one of json, text, not "jsn"; did you mean json?'),
    );
    expect(() => oneOf("other", ["json"], "--format")).toThrow(new UsageError('--format is one of json, not "other"'));
  });
});

describe("help", () => {
  it("of a program lists its commands", () => {
    expect(programHelp(program)).toBe(`tool does things.

usage: tool <command> [words and options]
       tool [check] [paths and options]
       tool --help | --version

  check  checks files
  list   lists all
  copy   copies

\`tool <command> --help\` tells what a command takes.

Exit status: 0.
`);
    const { fallback: _, ...plain } = program;
    expect(programHelp(plain)).not.toContain("[check]");
  });

  it("of a command tells what it takes", () => {
    expect(
      commandHelp(program, "check"),
    ).toBe(`usage:  tool [check] [paths…] [--format json|text] [--depth N] [--rpc URL]… [--all]

Checks files.

It reads them twice.

  --format …  json|text: which form
  --depth N   how deep
  --rpc URL   whom to ask; may be given more than once
  --all       also what is fine
`);
    expect(commandHelp(program, "list")).toBe("usage:  tool list\n\nLists all.\n");
    expect(commandHelp(program, "copy")).toMatch(
      /^usage: {2}tool copy \[one \| two FILE\] \(--from DIR \| --url URL\) \[--quiet\]\n/,
    );
  });

  it("is asked for in many ways", () => {
    const asked = [["help"], ["x", "--help"], ["-h"], ["x", "help"], []];
    expect(asked.map(asksForHelp)).toEqual([true, true, true, false, false]);
    expect(helpFor(program, ["help", "list"])).toBe(commandHelp(program, "list"));
    expect(helpFor(program, ["list", "--help"])).toBe(commandHelp(program, "list"));
    expect(helpFor(program, ["--help"])).toBe(programHelp(program));
    expect(helpFor(program, ["toString", "-h"])).toBe(programHelp(program));
  });

  it("is named after a mistake", () => {
    const { fallback: _, ...plain } = program;
    expect([["list"], ["x"], []].map((args) => commandNamed(program, args))).toEqual(["list", "check", "check"]);
    expect(helpHint(program, ["list"])).toBe("tool list --help says more.");
    expect(helpHint(plain, ["x"])).toBe("tool --help says more.");
  });
});

describe("progress", () => {
  it.each([
    [1204, 6000, 13_377.8, "1,204 of 6,000, 90 a second, 54 s left"],
    [0, 5, 1000, "0 of 5"],
    [5, 5, 1000, "5 of 5, 5 a second, 0 s left"],
    [1, 3, 0, "1 of 3, 1000 a second, 1 s left"],
  ])("%i of %i after %d ms", (done, all, ms, text) => {
    expect(progressText({ done, all, ms })).toBe(text);
  });

  it("is written to a terminal only, each text over the one before", () => {
    const written: string[] = [];
    for (const isTTY of [true, false, undefined]) {
      const progress = openProgress({ ...(isTTY !== undefined && { isTTY }), write: (text) => written.push(text) });
      progress.show("a");
      progress.clear();
    }
    expect(written).toEqual(["\r\u001b[Ka", "\r\u001b[K"]);
  });
});
