import { describe, expect, it } from "vitest";
import { letterOf } from "../../../src/serve/picture/rows.ts";
import { laid, small } from "./laid-out.ts";
import type { PicturedSample } from "./sample.ts";

/** This many movements, each of another token, from the subject to A. */
const tokens = (count: number, from = "S", to = "A") =>
  Array.from({ length: count }, (_, i) => `${from} ${to} 1 ${String.fromCharCode(0x4e00 + i)}`);

describe("rows", () => {
  it.each<[string, PicturedSample, string[]]>([
    ["one token between the same two is one row", { moves: ["S A 1 X", "S A 2 X"] }, ["moves S>A 1,2"]],
    ["another token is another row", { moves: ["S A 1 X", "S A 2 Y"] }, ["moves S>A 1", "moves S>A 2"]],
    ["gas is another row", { moves: ["S A 1 X", "S A 2 X fee"] }, ["moves S>A 1", "moves S>A 2"]],
    ["another receiver is another row", { moves: ["S A 1 X", "S B 2 X"] }, ["moves S>A 1", "moves S>B 2"]],
    ["another giver is another row", { moves: ["S A 1 X", "B A 2 X"] }, ["moves S>A 1", "moves B>A 2"]],
    [
      "what comes back later is a row of its own as long as there is room",
      { moves: ["S A 1 X", "A S 1 Y", "S A 1 X"] },
      ["moves S>A 1", "moves A>S 2", "moves S>A 3"],
    ],
    ["nothing at all is a row, too", {}, ["quiet S>S"]],
    ["nothing at all goes to what was called", { target: "A" }, ["quiet S>A"]],
    ["a call that failed", { failures: [{}] }, ["failure S>A"]],
    ["a creation that failed", { failures: [{ to: null }] }, ["failure S>S"]],
    ["at most three calls that failed", { failures: [{}, {}, {}, {}] }, Array(3).fill("failure S>A")],
    [
      "six rights, and no word of more",
      { grants: Array(6).fill({}) },
      [..."ABCDEF"].map((letter) => `grant S>A ${letter}`),
    ],
    [
      "six rights of eight, and how many more",
      { grants: Array(8).fill({}) },
      [...[..."ABCDEF"].map((letter) => `grant S>A ${letter}`), "more_grants ->- 2"],
    ],
  ])("%s", (_case, sample, rows) => {
    expect(laid(sample).rows).toEqual(rows);
  });

  it("stay apart up to the limit, and repeat no longer above it", () => {
    const repeated = ["S A 1 X", "A S 1 Y", "S A 2 X"];
    expect(laid({ moves: repeated }, small).rows).toEqual(["moves S>A 1", "moves A>S 2", "moves S>A 3"]);
    expect(laid({ moves: [...repeated, "A S 1 Y"] }, small).rows).toEqual(["moves S>A 1,3", "moves A>S 2,4"]);
  });

  it("beyond the limit keep the fifteen most telling ones and count the rest", () => {
    const many = [...tokens(10, "A", "B"), ...tokens(15)];
    expect(laid({ moves: many }).rows).toEqual([
      ...Array.from({ length: 15 }, (_, i) => `moves S>A ${i + 11}`),
      "rest A>B 1,2,3,4,5,6,7,8,9,10",
    ]);
  });

  it("that are left to the table have ends only where all of them share both", () => {
    const rest = (more: string[]) => laid({ moves: [...tokens(24), ...more] }).rows.at(-1);
    expect(rest(["S A 1 Z"])).toMatch(/^rest S>A /);
    expect(rest(["A B 1 Z"])).toMatch(/^rest ->- /);
    expect(rest(["B A 1 Z"])).toMatch(/^rest ->- /);
  });
});

describe("letters of rights", () => {
  it.each([
    [0, "A"],
    [25, "Z"],
    [26, "AA"],
    [51, "AZ"],
    [52, "BA"],
    [702, "AAA"],
  ])("%i is %s", (place, letter) => {
    expect(letterOf(place)).toBe(letter);
  });
});
