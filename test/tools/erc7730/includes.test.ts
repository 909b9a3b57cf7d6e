import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDescriptor } from "../../../src/tools/erc7730/descriptor.ts";
import { importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { descriptorOf, noRules, reasonsOf, writeFolder } from "./descriptor-folder.ts";

/** The content of the first of these files with its includes, and what is reported. */
function read(files: Record<string, unknown>, name = "a.json"): { found: unknown; reported: string[] } {
  const dir = writeFolder(files);
  const reported: string[] = [];
  const found = readDescriptor(join(dir, name), dir, (place, reason) => reported.push(`${place}: ${reason}`));
  return { found, reported };
}

describe("a descriptor with an include", () => {
  const merged = (included: object, including: object) =>
    read({ "a.json": { ...including, includes: "b.json" }, "b.json": included }).found;

  it("has what either says; the including one decides", () => {
    const below = { only: 1, both: { kept: 1, changed: 2, deep: { a: 1 } }, list: [1], kind: { a: 1 } };
    const above = { more: 2, both: { changed: 3, deep: { b: 2 } }, list: [2], kind: 5 };
    expect(merged(below, above)).toEqual({
      ...{ only: 1, both: { kept: 1, changed: 3, deep: { a: 1, b: 2 } }, list: [2], kind: 5, more: 2 },
      includes: "b.json",
    });
  });

  it("joins fields by their paths, and appends the others", () => {
    const below = { fields: [{ path: "a", label: "A" }, { path: "b", label: "B" }, { label: "None" }, 5] };
    const above = { fields: [{ path: "c" }, { path: "b", label: "Bee", format: "raw" }, { value: 1 }, { path: "a" }] };
    expect(merged({ x: below }, { x: above })).toMatchObject({
      x: {
        fields: [
          { path: "a", label: "A" },
          { path: "b", label: "Bee", format: "raw" },
          { label: "None" },
          5,
          { path: "c" },
          { value: 1 },
        ],
      },
    });
    expect(merged({ fields: [{ path: "a" }] }, { fields: {} })).toMatchObject({ fields: {} });
    expect(merged({ fields: { a: 1 } }, { fields: [1] })).toMatchObject({ fields: [1] });
    expect(merged({ others: [{ path: "a", x: 1 }] }, { others: [{ path: "a" }] })).toEqual({
      others: [{ path: "a" }],
      includes: "b.json",
    });
  });

  it("follows eight at most", () => {
    const chain = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count + 1 }, (_, i) => [
          `${String.fromCharCode(97 + i)}.json`,
          { [`of${i}`]: i, ...(i < count && { includes: `./${String.fromCharCode(98 + i)}.json` }) },
        ]),
      );
    const eight = read(chain(8));
    expect([(eight.found as { of8?: number }).of8, eight.reported]).toEqual([8, []]);
    const nine = read(chain(9));
    const { of8, of9 } = nine.found as { of8?: number; of9?: number };
    expect([of8, of9, nine.reported]).toEqual([8, undefined, ["/includes: more than 8 includes follow one another"]]);
  });

  it.each([
    [5, "an include that is no path"],
    ["a\0b", "an include that is no path"],
    ["a".repeat(501), "an include that is no path"],
    [`${"./".repeat(247)}b.json`, null],
    ["https://example.org/x.json", "an include from elsewhere is not fetched"],
    ["HTTPS:x", "an include from elsewhere is not fetched"],
    ["//example.org/x.json", "an include from elsewhere is not fetched"],
    ["/etc/passwd", "an include outside of the folder is not read: import the folder that holds both"],
    ["../b.json", "an include outside of the folder is not read: import the folder that holds both"],
    ["gone.json", "the included file is not there"],
    ["a.json", "includes go in a circle"],
    ["folder", "not a file"],
    ["list.json", "the file is not a JSON object"],
    ["text.json", "the file is not JSON"],
  ])("%j is followed, or not: %s", (includes, reason) => {
    const dir = writeFolder({ "a.json": { includes }, "b.json": { b: 1 }, "list.json": [], "text.json": "{" });
    mkdirSync(join(dir, "folder"));
    const reported: string[] = [];
    const found = readDescriptor(join(dir, "a.json"), dir, (place, why) => reported.push(`${place}: ${why}`));
    expect(reported).toEqual(reason === null ? [] : [`/includes: ${reason}`]);
    expect(found).toEqual(reason === null ? { includes, b: 1 } : { includes });
  });
});

describe("a file", () => {
  it("is read up to its limits", () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
    expect(read({ "a.json": nested(48) }).reported).toEqual([]);
    expect(read({ "a.json": nested(49) })).toEqual({
      found: undefined,
      reported: [": the file nests deeper than 48 levels"],
    });
    expect(read({ "a.json": "{}".padEnd(2_000_000) })).toEqual({ found: {}, reported: [] });
    expect(read({ "a.json": "{}".padEnd(2_000_001) }).reported).toEqual([": the file has more than 2000000 bytes"]);
  });
});

describe("an import", () => {
  it("reads includes from all of the folder that is imported, and from its own folder when one file is", () => {
    const files = {
      "registry/acme/vault.json": { ...descriptorOf({}), includes: "../../shared/base.json" },
      "shared/base.json": { display: { formats: { "burn()": { intent: "Burn" } } } },
    };
    const dir = writeFolder(files);
    const all = importDescriptors(dir, noRules);
    expect(all.files.map(({ slug }) => slug)).toEqual(["erc7730-vault"]);
    expect(all.findings).toEqual([
      { file: "shared/base.json", place: "", reason: "no contract: a file that others include" },
    ]);
    const one = importDescriptors(join(dir, "registry/acme/vault.json"), noRules);
    expect(one.files).toEqual([]);
    expect(reasonsOf(one)).toEqual([
      "/includes: an include outside of the folder is not read: import the folder that holds both",
      "/display/formats: no functions",
    ]);
  });
});
