import { describe, expect, it } from "vitest";
import type { Program } from "../../src/terminal/command-table.ts";
import { completionHelp, completionScript, type Shell } from "../../src/terminal/completion.ts";

const program: Program = {
  ...{ name: "tool", about: "tool does things.", fallback: "check", closing: "" },
  commands: {
    check: {
      usage: "<file.json> [--format json|text] [--to FILE] [--dir DIR] [--depth N] [--all]",
      help: "look [at] files",
      options: { all: "each: one, it's all" },
    },
    list: { usage: "all|none [--rpc URL]…", help: "what there is" },
    walk: { usage: "<dir>", help: "a folder" },
    one: { usage: "only", help: "one word" },
    stop: { usage: "[--odd] [--into FOLDER] [--map NAME=DIR]", help: "end" },
  },
  options: { format: "how", to: "where", dir: "in", depth: "how deep", rpc: "whom" },
};
const { fallback: _, ...plain } = program;
/** The lines of a script that match, without the text around them. */
const lines = (shell: Shell, wanted: RegExp, of: Program = program) =>
  completionScript(of, shell)
    .split("\n")
    .filter((line) => wanted.test(line))
    .map((line) => line.trim());

describe("the completion of a program", () => {
  it("in bash knows words, paths and options of each command", () => {
    expect(lines("bash", /paths=|\*\) command=|complete -F/)).toEqual([
      "local words= paths=none options=",
      "*) command=check ;;",
      "'check --format') words='json text' paths=none options= ;;",
      "'check --to') words='' paths=files options= ;;",
      "'check --dir') words='' paths=folders options= ;;",
      "'check --depth') words='' paths=none options= ;;",
      "'list --rpc') words='' paths=none options= ;;",
      "'stop --into') words='' paths=folders options= ;;",
      "'stop --map') words='' paths=files options= ;;",
      "check) words='' paths=files options='--format --to --dir --depth --all --help' ;;",
      "list) words='all none' paths=none options='--rpc --help' ;;",
      "walk) words='' paths=folders options='--help' ;;",
      "one) words='only' paths=none options='--help' ;;",
      "stop) words='' paths=none options='--odd --into --map --help' ;;",
      "[[ $current == -* ]] && words=$options paths=none",
      "complete -F _tool tool",
    ]);
    expect(lines("bash", /\*\) command=/, plain)).toEqual(["*) command=none ;;"]);
  });

  it("in zsh tells what options mean", () => {
    const check =
      "_arguments '--format[how]:json|text:(json text)' '--to[where]:FILE:_files' '--dir[in]:DIR:_files -/' '--depth[how deep]:N: ' '--all[each\\: one, it'\\''s all]' '--help[what the command takes]' '*:path:_files'";
    expect(lines("zsh", /_arguments|local command|commands=/)).toEqual([
      "commands=('check:look [at] files' 'list:what there is' 'walk:a folder' 'one:one word' 'stop:end')",
      check,
      "local command=check",
      `check) ${check} ;;`,
      "list) _arguments '*--rpc[whom]:URL: ' '--help[what the command takes]' '1:word:(all none)' ;;",
      "walk) _arguments '--help[what the command takes]' '*:path:_files -/' ;;",
      "one) _arguments '--help[what the command takes]' '1:word:(only)' ;;",
      "stop) _arguments '--odd[]' '--into[]:FOLDER:_files -/' '--map[]:NAME=DIR:_files' '--help[what the command takes]' ;;",
    ]);
    expect(lines("zsh", /^ {4}_arguments|local command=/, plain)).toEqual([
      "_arguments '--help[how to use it]' '--version'",
      "local command=none",
    ]);
  });

  it("in fish tells the same", () => {
    const check = "complete -c tool -n '__fish_seen_subcommand_from check; or __fish_use_subcommand'";
    const of = (command: string) => `complete -c tool -n '__fish_seen_subcommand_from ${command}'`;
    const help = "-l help -d 'what the command takes'";
    expect(lines("fish", /complete -c tool -n '/)).toEqual([
      `${check} -l format -x -a 'json text' -d 'how'`,
      `${check} -l to -r -F -d 'where'`,
      `${check} -l dir -r -a '(__fish_complete_directories)' -d 'in'`,
      `${check} -l depth -x -d 'how deep'`,
      `${check} -l all -d 'each: one, it\\'s all'`,
      `${check} ${help}`,
      `${check} -F`,
      `${of("list")} -l rpc -x -d 'whom'`,
      `${of("list")} ${help}`,
      `${of("list")} -a 'all none'`,
      `${of("walk")} ${help}`,
      `${of("walk")} -a '(__fish_complete_directories)'`,
      `${of("one")} ${help}`,
      `${of("one")} -a 'only'`,
      `${of("stop")} -l odd -d ''`,
      `${of("stop")} -l into -r -a '(__fish_complete_directories)' -d ''`,
      `${of("stop")} -l map -r -F -d ''`,
      `${of("stop")} ${help}`,
    ]);
    expect(lines("fish", /from check/, plain)[0]).toBe(`${of("check")} -l format -x -a 'json text' -d 'how'`);
  });
});

it("the help on completion tells how each shell learns it", () => {
  expect(completionHelp("tool")).toBe(`  bash   source <(tool completion bash)      in ~/.bashrc
  zsh    source <(tool completion zsh)       in ~/.zshrc, after compinit
  fish   tool completion fish > ~/.config/fish/completions/tool.fish
`);
});
