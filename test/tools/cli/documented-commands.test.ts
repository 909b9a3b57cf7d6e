import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../../../src/tools/cli/command-line.ts";
import { ruleLint } from "../../../src/tools/lint/program.ts";
import { root } from "../../support/shared.ts";

const read = (page: string) => readFileSync(join(root, "docs", page), "utf8");
const page = read("command-line.md");
const [ofTxgloss = "", ofRuleLint = ""] = page.split("`npm run -s rule-lint -- <command>`");
const pages = `${page}${read("volume.md")}`;

describe("docs/command-line.md", () => {
  it.each(Object.entries(program.commands))(
    "tells of %s, its words and, with docs/volume.md, its options",
    (name, { operands, options }) => {
      expect(ofTxgloss).toContain(`\n    ${`${name} ${operands}`.trimEnd()} `);
      expect(Object.keys(options).filter((option) => !pages.includes(`--${option}`))).toEqual([]);
    },
  );

  it("tells of no command that there is not", () => {
    const unknown = namesIn(ofTxgloss).filter((name) => !Object.hasOwn(program.commands, name));
    expect(unknown).toEqual([]);
  });

  it("tells of each command of rule-lint, and of no other", () => {
    expect(namesIn(ofRuleLint).sort()).toEqual(Object.keys(ruleLint.commands).sort());
  });
});

function namesIn(text: string): string[] {
  return [...text.matchAll(/^ {4}([a-z][\w-]+)/gm)].map(([, name = ""]) => name);
}
