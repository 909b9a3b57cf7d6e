import { describe, expect, it } from "vitest";
import { findTrails, names, wordsOf } from "../../../../src/tools/lint/facts/trail.ts";

const pool = `0x${"a".repeat(40)}`;
const other = `0x${"B".repeat(40)}`;
const trails = (root: unknown, path = "x.json") => Object.fromEntries(findTrails(JSON.stringify(root), path));

describe("what stands around an address in JSON", () => {
  it("is its keys from the inside out, each with the short values beside it", () => {
    const inner = { pool, id: 7, on: true, list: [1, null], deep: {}, none: null };
    const beside = `pool="${pool}", id=7, on=true`;
    expect(trails({ chain: "base", v3: inner })).toEqual({
      [pool]: [["pool:", beside, "v3:", 'chain="base"', "x.json"]],
    });
  });

  it("is nothing of its own for an entry of a list, and a key counts as what is held", () => {
    expect(trails({ pools: [pool, { at: pool }] })).toEqual({
      [pool]: [
        ["pools:", "", "x.json"],
        ["at:", `at="${pool}"`, "pools:", "", "x.json"],
      ],
    });
    expect(trails({ base: { [pool]: 1 } })).toEqual({ [pool]: [[`${pool}=1`, "base:", "", "x.json"]] });
    expect(trails(pool)).toEqual({ [pool]: [["x.json"]] });
  });

  it("is found by lower case, several of one text each", () => {
    expect(trails([`${pool} ${other}`])).toEqual({ [pool]: [["x.json"]], [other.toLowerCase()]: [["x.json"]] });
    expect(trails([other, other.toLowerCase(), `${other}0`])).toEqual({
      [other.toLowerCase()]: [["x.json"], ["x.json"]],
    });
  });

  it("leaves out long values and more than 24", () => {
    const beside = (node: object) => trails({ ...node, at: pool })[pool]?.[0]?.[1];
    const last = `at="${pool}"`;
    expect(beside({ a: "x".repeat(64), b: "x".repeat(65) })).toBe(`a="${"x".repeat(64)}", ${last}`);
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i]));
    const shown = (count: number) => Object.entries(many(count)).map(([key, value]) => `${key}=${value}`);
    expect(beside(many(23))).toBe([...shown(23), last].join(", "));
    expect(beside(many(24))).toBe(shown(24).join(", "));
  });

  it("is read by lines in a file of another name", () => {
    expect(trails({ pool }, "x.jsonc")).toEqual({ [pool]: [[`{"pool":"${pool}"}`, "x.jsonc"]] });
    expect(trails({ pool }, "X.JSON")).toEqual({ [pool]: [["pool:", `pool="${pool}"`, "X.JSON"]] });
  });
});

describe("words", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["--", []],
    ["chainId", ["chain", "id"]],
    ["USDCPool2Base", ["usdc", "pool2", "base"]],
    ["a_b-c.d", ["a", "b", "c", "d"]],
    ["0xAB", ["0x", "ab"]],
  ])("of %j are %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each<[string, boolean]>([
    ["pool v3", true],
    ["PoolV3", true],
    ["v3 pool", false],
    ["pool v", false],
    ["base", true],
    ["v3 base", false],
  ])("%j stand together on one part of a trail: %s", (part, held) => {
    expect(names(["the Pool_V3:", "base"], part)).toBe(held);
  });
});
