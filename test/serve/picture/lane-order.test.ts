import { describe, expect, it } from "vitest";
import { orderLanes } from "../../../src/serve/picture/lanes.ts";

/** Lanes are given by letters. For each arrow: where it begins and ends, `-` for nowhere. */
function order(lanes: string, arrows: string): string {
  const ends = arrows === "" ? [] : arrows.split(" ");
  const end = (letter: string | undefined) => (letter === "-" ? null : (letter as string));
  const rows = ends.map(([from, to]) => ({ from: end(from), to: end(to) }));
  return orderLanes([...lanes], rows, "S").join("");
}

it.each([
  ["no lane", "", "", ""],
  ["one lane", "A", "", "A"],
  ["no arrow: the subject first", "ABDCS", "", "SABDC"],
  ["no arrow and no subject", "AB", "", "AB"],
  ["arrows to nowhere", "ASDBC", "-B", "SADBC"],
  ["an arrow from nowhere to nowhere", "ACDB", "D- AC", "ACDB"],
  ["one arrow that is short already", "ABS", "AS", "SAB"],
  ["arrows along a way, in its order", "SBA", "SA AB", "SAB"],
  ["arrows along a long way", "SDCBA", "SA AB BC CD", "SABCD"],
  ["an arrow of others", "DCBAS", "DC", "SDCBA"],
  ["an arrow twice", "CAB", "AB AB", "CAB"],
  ["arrows to itself", "CBAS", "SS SS AC", "SBCA"],
  ["arrows to itself of one that appeared", "SAB", "BA BB BA", "SAB"],
  ["an arrow from nowhere between others", "BACS", "CC -C CA", "SBCA"],
  ["who meets three of them in the middle", "CBDSA", "DA CA CS", "SDACB"],
  ["who appears later further right", "CBADS", "AS AD BA", "SABDC"],
])("lanes with %s: %s by %j are %s", (_how, lanes, arrows, expected) => {
  expect(order(lanes, arrows)).toBe(expected);
});

describe("lanes", () => {
  it.each([
    ["the subject is first", ["A", "S"], ["A>S"], "S", "S A"],
    ["without the subject they stay as they came where nothing is better", ["B", "A"], ["A>B"], "S", "B A"],
    ["who appears later stands further right", ["A", "B", "C"], ["B>C", "B>C", "C>A"], "S", "B C A"],
    ["arrows are short", ["S", "A", "B", "C"], ["S>C", "C>A", "A>B"], "S", "S C A B"],
    ["what is left to the table has no say", ["S", "A", "B"], ["S>A", "->B", "B>-"], "S", "S A B"],
    ["one lane stays", ["S"], ["S>S"], "S", "S"],
  ])("%s", (_case, lanes, rows, subject, order) => {
    const ends = rows.map((row) => {
      const [from, to] = row.split(">").map((end) => (end === "-" ? null : end)) as [string | null, string | null];
      return { from, to };
    });
    expect(orderLanes(lanes, ends, subject).join(" ")).toBe(order);
  });
});
