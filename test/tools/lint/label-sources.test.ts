import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../../src/tools/lint/lint.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { noRecordings, placeOf } from "./lint-text.ts";

/** The findings for a file of names that has only this source. */
function told(source: string): string[] {
  const path = join(mkdtempSync(join(tmpdir(), "txgloss-labels-")), "names.yaml");
  const name = `{ address: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", label: A name, category: bridge, source: list }`;
  writeFileSync(path, `schema: names/v1\nsources: { list: ${source} }\nnames:\n  - ${name}\n`);
  return lint(findSources([path]), noRecordings).diagnostics.map((one) => `${one.level} ${placeOf(one)}`);
}

describe("sources of label files", () => {
  it("are checked for their form, each of a list", () => {
    expect(told("ex/book@0123456:A.md")).toEqual([]);
    expect(told("public lists")).toEqual(["error RL213 2:18-2:30"]);
    expect(told("[ex/book@0123456:A.md, public lists]")).toEqual(["error RL213 2:41-2:53"]);
  });

  it("are noted when nobody can check them", () => {
    expect(told('"unverified: told by a user"')).toEqual(["note RL214 2:18-2:46"]);
    expect(told('["unverified: told by a user", ex/book@0123456:A.md]')).toEqual([]);
  });
});
