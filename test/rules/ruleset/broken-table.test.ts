import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { root } from "../../support/shared.ts";

const tableOf = (name: string, text = readFileSync(join(root, "rules", name), "utf8")) => ({
  file: `rules/${name}`,
  text,
});

describe("a table that cannot be read", () => {
  it.each(["actions.yaml", "verbs.yaml"])("is told at its place, and nothing falls over it: %s", (broken) => {
    const sources = ["actions.yaml", "verbs.yaml"].map((name) => tableOf(name, name === broken ? "a: [\n" : undefined));
    const { diagnostics } = compileSources(sources);
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toContain(`RL101 rules/${broken}`);
  });
});
