import { describe, expect, it } from "vitest";
import { program } from "../../../src/tools/cli/command-line.ts";
import { ruleLint } from "../../../src/tools/lint/program.ts";
import { helpFor } from "../../../src/tools/terminal/command-table.ts";

/** What --help of a command says, on one line. */
const help = (...words: string[]) => helpFor(program, words).replaceAll(/\s+/g, " ");
const taking = (option: string) =>
  Object.entries(program.commands)
    .filter(([, { options }]) => Object.hasOwn(options, option))
    .map(([name]) => name);

describe("what --help says of an option", () => {
  it.each(taking("json"))("names for --json of %s the path whose bytes it prints, if there is one", (command) => {
    const paths: Record<string, string> = { explain: "/explain", replay: "/explain", preview: "/preview" };
    const [, path] = /the bytes of POST (\S+)/.exec(help(command)) ?? [];
    expect(path).toBe(paths[command]);
  });

  it.each(taking("rpc"))("names recordings for --rpc of %s only where it may read them", (command) => {
    expect(help(command).includes("instead of the recordings and RPC_URLS")).toBe(command === "explain");
  });

  it("promises one example of a draft, which is what is written", () => {
    const text = helpFor(ruleLint, ["new"]).replaceAll(/\s+/g, " ");
    expect(text).toContain("one rule with what it showed, and the transaction as its example.");
  });
});
