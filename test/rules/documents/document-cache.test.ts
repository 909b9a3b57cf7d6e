import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DocumentCache } from "../../../src/rules/documents/kept-file.ts";
import { preparedDocument } from "../../../src/rules/documents/source-document.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-kept-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

type Kept = { n: number };
const cacheOf = (kind: string, ...dependsOn: string[]) => new DocumentCache<Kept>(join(dir, "made"), kind, dependsOn);
const whole = ({ n }: Partial<Kept>) => n !== undefined;
const names = () => readdirSync(join(dir, "made")).sort();

describe("a cache of documents", () => {
  it("gives what was kept of the same texts, where it is whole", () => {
    const cache = cacheOf("rules", "a", "b");
    expect(cache.read(whole)).toBeUndefined();
    cache.write({ n: 5 });
    expect(names()).toEqual([expect.stringMatching(/^rules-[0-9a-f]{32}\.json$/)]);
    expect(JSON.parse(readFileSync(join(dir, "made", names()[0] as string), "utf8"))).toEqual({ n: 5 });
    expect([cacheOf("rules", "a", "b").read(whole), cache.read(() => false)]).toEqual([{ n: 5 }, undefined]);
    for (const other of [["ab"], ["a", "b", ""], ["b", "a"], ["a"], ["", "ab"]])
      expect(cacheOf("rules", ...other).read(whole)).toBeUndefined();
    expect(cacheOf("labels", "a", "b").read(whole)).toBeUndefined();
  });

  it("keeps the eight of a kind that were used last, and drops nothing else", () => {
    cacheOf("labels", "a").write({ n: 1 });
    const [labels] = names();
    const others = ["notes.json", `rules-${"0".repeat(31)}.json`, `rules-${"0".repeat(32)}.json.5.tmp`, "rules-x.json"];
    for (const name of others) writeFileSync(join(dir, "made", name), "{}");
    const before = new Set(names());
    for (let n = 0; n < 8; n++) {
      cacheOf("rules", `${n}`).write({ n });
      // Files of one moment would have no order.
      const [written = ""] = names().filter((name) => !before.has(name));
      before.add(written);
      utimesSync(join(dir, "made", written), n, n);
    }
    const read = (n: number) => cacheOf("rules", `${n}`).read(whole);
    expect(read(0)).toEqual({ n: 0 });
    cacheOf("rules", "8").write({ n: 8 });
    expect([0, 1, 2, 7, 8].map(read)).toEqual([{ n: 0 }, undefined, { n: 2 }, { n: 7 }, { n: 8 }]);
    expect(names()).toHaveLength(others.length + 1 + 8);
    expect(names()).toEqual(expect.arrayContaining([...others, labels]));
    expect(cacheOf("labels", "a").read(whole)).toEqual({ n: 1 });
  });

  it("costs only time where it cannot be written or read", () => {
    writeFileSync(join(dir, "made"), "a file where the folder would be");
    const cache = cacheOf("rules", "a");
    cache.write({ n: 1 });
    expect(cache.read(whole)).toBeUndefined();
    rmSync(join(dir, "made"));
    mkdirSync(join(dir, "made"));
    cache.write({ n: 1 });
    writeFileSync(join(dir, "made", names()[0] as string), "{");
    expect(cache.read(whole)).toBeUndefined();
  });
});

describe("a document that was prepared", () => {
  it("has its value, and no places", () => {
    const { rangeOf, ...rest } = preparedDocument("a.yaml", ruleDocumentCodes, { a: 1 });
    expect(rest).toEqual({
      ...{ file: "a.yaml", text: "", codes: ruleDocumentCodes, value: { a: 1 }, diagnostics: [], checked: true },
    });
    expect(rangeOf(["a"])).toEqual({ start: { line: 1, column: 1 }, end: { line: 1, column: 1 } });
  });
});
