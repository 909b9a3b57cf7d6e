import { describe, expect, it } from "vitest";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { rolesOf, trimRole } from "../../../src/rules/ruleset/document/needed-roles.ts";
import { fileName, ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";
import { WrittenPlaces } from "../../../src/rules/ruleset/document/written-places.ts";

describe("a places", () => {
  const places = new WrittenPlaces();
  places.mark(["rules", 0], { path: ["rules", 2], inherited: true });
  places.mark(["rules", 0, "does"], { path: ["rules", 1, "does"] });
  places.mark(["contracts", "pool", 0], { path: ["contracts", "pool", "0x1"], key: true });
  places.mark(["tables"], { path: [] });

  it.each<[(string | number)[], object]>([
    [["rules", 0], { path: ["rules", 2], inherited: true }],
    [["rules", 0, "at", 1], { path: ["rules", 2, "at", 1], inherited: true }],
    [["rules", 0, "does"], { path: ["rules", 1, "does"] }],
    [["rules", 1], { path: ["rules", 1] }],
    [["rules"], { path: ["rules"] }],
    [[], { path: [] }],
    // A key says all that stands below.
    [["contracts", "pool", 0], { path: ["contracts", "pool", "0x1"], key: true }],
    [["contracts", "pool", 0, "address"], { path: ["contracts", "pool", "0x1"], key: true }],
    [["tables", "a"], { path: ["a"] }],
  ])("leads from %j to %j", (path, place) => {
    expect(places.placeOf(path)).toEqual(place);
  });

  it("leads to lines, of what is taken over to `like` and to the other file", () => {
    const text = "like: other\nrules: [{ id: a }, { does: b }]\ncontracts: { pool: { 0x1: c } }\n";
    const source = readDocument("a.yaml", text, ruleDocumentCodes);
    const original = readDocument("b.yaml", "rules:\n  - a\n  - b\n  - { id: c }\n", ruleDocumentCodes);
    const { rangeOf, originOf, file } = places.translate(source, original);
    const at = (path: (string | number)[], options?: { key?: boolean }) => {
      const { start, end } = rangeOf(path, options);
      return `${start.line}:${start.column}-${end.line}:${end.column}`;
    };
    expect([at(["rules", 0, "id"]), at(["rules", 0, "does"]), at(["contracts", "pool", 0])]).toEqual([
      ...["1:7-1:12", "2:28-2:29", "3:22-3:25"],
    ]);
    expect([at(["rules", 1, "does"], { key: true }), at(["rules", 1, "does"])]).toEqual(["2:22-2:26", "2:28-2:29"]);
    expect(originOf?.(["rules", 0, "id"])).toEqual({
      file: "b.yaml",
      range: { start: { line: 4, column: 11 }, end: { line: 4, column: 12 } },
      message: "It is taken over from here",
    });
    expect([originOf?.(["rules", 0, "does"]), file]).toEqual([undefined, "a.yaml"]);
    expect(places.translate(source, undefined).originOf?.(["rules", 0, "id"])).toBeUndefined();
  });
});

describe("the roles of an entry", () => {
  const entry = {
    at: ["pool", "any"],
    call_at: "desk",
    registry: { contract: "maker", deployer: "Nobody" },
    legs: { a: { from: "vault", to: "args.to" }, b: { to: "zero" } },
    who: "contracts.keeper",
    other: ["contracts.keeper", "pool2", "contracts.x.y", 5, null],
    example: { to: "hidden", at: "hidden" },
  };

  it("are its places and parties, and those of paths", () => {
    expect(rolesOf(entry, undefined)).toEqual(["pool", "desk", "maker", "vault", "keeper"]);
    expect(rolesOf("contracts.a_1", undefined)).toEqual(["a_1"]);
    expect(rolesOf("pool", undefined)).toEqual([]);
    for (const name of ["any", "moved", "zero", "subject", "native", "emitter", "target"])
      expect(rolesOf({ at: name }, undefined)).toEqual([]);
  });

  it("are only those of the original, where they are known", () => {
    const asked = new Set(["pool", "args.to", "keeper", "Nobody"]);
    expect(rolesOf(entry, { asked })).toEqual(["pool", "Nobody", "args.to", "keeper"]);
  });
});

describe("an entry without a role", () => {
  const left = new Set(["pool", "desk"]);
  const trim = (entry: unknown) => trimRole(entry, { left });

  it.each<[unknown, unknown]>([
    [
      { at: ["pool", "vault"], id: "a" },
      { at: ["vault"], id: "a" },
    ],
    [
      { at: "vault", says: "pool" },
      { at: "vault", says: "pool" },
    ],
    [{ at: ["pool", "desk"] }, undefined],
    [{ at: "pool" }, undefined],
    [{ legs: { a: { from: "pool" } } }, undefined],
    [{ legs: { a: { from: "vault", to: ["desk", "b"] } } }, { legs: { a: { from: "vault", to: ["b"] } } }],
    [{ transfer: { from: "desk" } }, undefined],
    [
      { example: { at: "pool" }, call_at: "vault" },
      { example: { at: "pool" }, call_at: "vault" },
    ],
    [
      { list: ["pool"], none: null, n: 1 },
      { list: ["pool"], none: null, n: 1 },
    ],
    ["pool", "pool"],
    [null, null],
  ])("%j is %j", (entry, expected) => {
    expect(trim(entry)).toEqual(expected);
  });

  it("is itself where nothing is left out", () => {
    const entry = { at: "pool" };
    expect(trimRole(entry, { left: new Set() })).toBe(entry);
  });
});

describe("the name of a file", () => {
  it.each([
    ["rules/a.yaml", "a.yaml"],
    ["C:\\rules\\a.yaml", "a.yaml"],
    ["C:\\rules/nft\\a.yaml", "a.yaml"],
    ["a.yaml", "a.yaml"],
  ])("%s is %s", (path, name) => {
    expect(fileName(path)).toBe(name);
  });
});
