import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileSources, listYaml, withoutExamples } from "../../../src/rules/ruleset/load.ts";
import { root } from "../../support/shared.ts";

describe("rule files without their examples", () => {
  const sources = listYaml(join(root, "rules")).map((file) => ({ file, text: readFileSync(file, "utf8") }));

  it("give the same rules", () => {
    const [whole, bare] = [sources, sources.map(({ file, text }) => ({ file, text: withoutExamples(text) }))].map(
      (files) => compileSources(files),
    );
    expect(bare?.diagnostics).toEqual([]);
    expect(bare?.ruleset.fingerprint).toBe(whole?.ruleset.fingerprint);
    const examples = (bare?.files ?? []).flatMap(({ document }) => document?.examples ?? []);
    expect(examples).toEqual([]);
  });

  it("keep every other line, in its order", () => {
    const text =
      "rules:\n  - id: a\n    example:\n      to: b\n\n      call: c\n    at: d\nexamples:\n  - e\nfees: f\n";
    expect(withoutExamples(text)).toBe("rules:\n  - id: a\n    at: d\nfees: f\n");
  });
});
