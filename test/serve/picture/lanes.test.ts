import { describe, expect, it } from "vitest";
import { castOf, type Pictured } from "../../../src/serve/picture/cast.ts";
import { layOut } from "../../../src/serve/picture/lanes.ts";
import { wideSize } from "../../../src/serve/picture/picture.ts";
import { others, rowsOf } from "../../../src/serve/picture/rows.ts";
import { addressOf, letterIn, picturedOf } from "./sample.ts";

interface Parts {
  moves?: string[];
  /** The accounts of the answer. An upper-case letter has a name. */
  named?: string;
  /** Of each right its owner and who may use it. */
  grants?: string;
  /** For each call: who made it and who was called, `-` for nobody. */
  failures?: string;
  target?: string;
}

const pairs = (text: string) => (text === "" ? [] : text.split(" ").map((pair) => [...pair] as [string, string]));

function pictured({ moves = [], named = "", grants = "", failures = "", target }: Parts): Pictured {
  const parties = [...named].map((one) => [one.toUpperCase(), one === one.toUpperCase() ? `name ${one}` : null]);
  return picturedOf({
    ...{ moves, parties: Object.fromEntries(parties), ...(target !== undefined && { target }) },
    grants: pairs(grants).map(([owner, spender]) => ({ owner: addressOf(owner), spender: addressOf(spender) })),
    failures: pairs(failures).map(([from, to]) => ({ from: addressOf(from), to: to === "-" ? null : addressOf(to) })),
  });
}

describe("who has a lane", () => {
  it.each<[Parts, lanesMax: number, rowsMax: number, expected: string]>([
    [{ moves: ["E A 2 VSD", "E A 2 VSD", "S S 1 USD", "S C 2 VSD"], named: "ABCDEf", target: "G" }, 5, 5, "SCEA  3"],
    [
      { moves: ["S A 1 USD", "A S 1 USD", "A S 1 USD", "B S 1 USD"], grants: "SB", failures: "B-", target: "B" },
      2,
      2,
      "Sothers BA 4",
    ],
    [{ moves: ["A A 1 USD", "B B 1 USD"], grants: "AA AA AA", target: "S" }, 2, 4, "AB  5"],
    [{ moves: ["C B 1 USD", "S D 1 USD"], named: "a" }, 3, 6, "SDothers CB 2"],
    [
      { moves: ["E A 1 USD", "A S 1 USD", "A C 1 USD", "E D 1 VSD", "F F 2 USD"], grants: "CA SS" },
      2,
      3,
      "Sothers ACEDF 5",
    ],
    [{ moves: ["C F 1 USD", "C G 1 USD", "S A 1 USD", "S F 2 USD"] }, 4, 4, "SAFothers CG 4"],
    [{}, 5, 4, "S  1"],
    [{ grants: "FF FF AE" }, 2, 5, "Fothers AE 3"],
    [{ moves: ["A A 1 VSD", "C C 2 USD", "S S 1 VSD", "D B 1 USD"], target: "S" }, 2, 5, "Sothers DBAC 3"],
    [{ moves: ["F S 2 VSD", "B A 1 USD", "S B 2 VSD"], grants: "FE FF CD", target: "E" }, 2, 6, "Sothers FECDBA 6"],
    [{ named: "AB", grants: "DC BD" }, 2, 4, "Dothers BC 2"],
    [
      { moves: ["A S 1 USD", "C B 1 USD", "B B 2 VSD", "A A 2 VSD", "A A 2 VSD"], named: "ABC", grants: "AA AA" },
      3,
      4,
      "SAothers BC 5",
    ],
    [{ moves: ["S C 2 VSD", "F A 2 VSD"], named: "F", grants: "BE CE SE FC" }, 3, 2, "SothersE CBFA 6"],
    [
      { moves: ["S S 1 USD", "S S 2 VSD", "D D 1 USD", "D D 1 VSD"], named: "AbDEFG", failures: "EE D-", target: "D" },
      2,
      4,
      "Sothers ED 5",
    ],
    [{ moves: ["C B 2 VSD", "D D 2 VSD", "D S 2 VSD"], named: "AEF", target: "S" }, 2, 2, "Sothers DCB 2"],
    [{ moves: ["C D 1 USD", "A A 1 USD"], failures: "D-", target: "S" }, 2, 6, "othersD CA 3"],
    [
      { moves: ["D S 2 VSD", "D C 2 USD", "S S 1 VSD", "E A 1 USD"], failures: "C- F-", target: "S" },
      2,
      6,
      "Sothers CDEAF 6",
    ],
    [{ moves: ["S C 2 VSD", "C F 1 USD", "E S 1 VSD"], named: "DE" }, 3, 4, "SCothers EF 3"],
    [{ grants: "AF SE SC CC", failures: "FE D-", target: "D" }, 2, 2, "Sothers FEACD 6"],
    [
      { moves: ["A A 2 VSD", "A A 1 USD", "S S 2 VSD", "C S 1 USD", "S C 2 VSD"], failures: "BA", target: "S" },
      2,
      6,
      "Sothers ABC 5",
    ],
  ])(
    "%j: %i lanes and %i rows give %j (lanes, those without one, and how many rows)",
    (parts, lanesMax, rowsMax, expected) => {
      const page = pictured(parts);
      const { lanes, folded, rows } = layOut(page, castOf(page), { ...wideSize, lanesMax, rowsMax });
      expect([lanes.map(letterIn).join(""), [...folded].map(letterIn).join(""), rows.length].join(" ")).toBe(expected);
    },
  );
});

describe("what is one row", () => {
  it.each<[Parts, kept: string, rowsMax: number, expected: string]>([
    [
      {
        moves: [
          "E A 2 VSD",
          "A E 2 USD fee",
          "S S 1 VSD",
          "C G 2 VSD",
          "G C 2 VSD",
          "C G 2 USD",
          "B E 1 VSD",
          "G C 1 VSD",
        ],
        named: "Ae",
      },
      "SAB",
      3,
      "moves:othersA1 moves:SS3 rest:--2+4+5+6+8+7",
    ],
    [
      { moves: ["A C 2 VSD fee", "S S 1 USD", "S B 1 VSD", "S S 1 USD"], failures: "S-", target: "S" },
      "S",
      5,
      "moves:othersothers1 moves:SS2 moves:Sothers3 moves:SS4 failure:SS",
    ],
    [
      {
        moves: ["S S 1 USD fee", "S A 1 USD", "S S 1 USD", "S S 1 USD", "S A 2 VSD"],
        named: "A",
        failures: "AA",
        target: "S",
      },
      "S",
      5,
      "moves:SS1 moves:Sothers2 moves:SS3+4 moves:Sothers5 failure:othersothers",
    ],
    [
      { moves: ["S A 2 VSD", "S S 1 USD", "S S 1 VSD", "S S 1 USD", "S A 1 USD"], named: "A", grants: "AA AA AA SS" },
      "SA",
      2,
      "moves:SA1 rest:--2+4+3+5 grant:AA grant:AA grant:AA grant:SS",
    ],
    [
      {
        moves: ["B A 1 USD", "S S 1 USD", "B B 2 VSD", "A S 2 VSD", "A S 1 USD", "A B 1 USD", "S B 1 USD"],
        named: "A",
        grants: "BB AS SB",
      },
      "S",
      4,
      "moves:SS2 moves:othersS4 moves:othersS5 rest:--1+3+6+7 grant:othersothers grant:othersS grant:Sothers",
    ],
    [
      { moves: ["S S 1 USD", "A A 2 VSD", "S S 2 VSD", "A A 2 VSD", "S S 1 USD fee", "A A 1 USD", "A A 2 VSD"] },
      "S",
      3,
      "moves:SS1 moves:SS3 rest:--2+4+6+7+5",
    ],
    [
      { moves: ["F A 2 VSD", "A E 2 VSD", "E D 1 USD", "C G 2 USD", "A S 1 USD", "G D 1 VSD", "F F 1 USD"] },
      "SABC",
      6,
      "moves:othersA1 moves:Aothers2 moves:othersothers3 moves:Cothers4 moves:AS5 moves:othersothers6+7",
    ],
    [
      { moves: ["S S 1 VSD", "A A 2 USD", "S S 1 USD", "S S 1 USD fee"], grants: "SS SS SS" },
      "SA",
      3,
      "moves:SS1 moves:SS3 rest:--2+4 grant:SS grant:SS grant:SS",
    ],
    [
      {
        moves: ["S S 1 USD fee", "S S 1 USD", "S A 2 VSD fee", "S A 1 USD", "A A 1 USD fee"],
        grants: "SS SS",
        target: "S",
      },
      "S",
      5,
      "moves:SS1 moves:SS2 moves:Sothers3 moves:Sothers4 moves:othersothers5 grant:SS grant:SS",
    ],
    [
      {
        moves: ["F F 2 VSD", "E A 1 USD", "S S 2 VSD", "G C 2 VSD", "C G 1 USD", "G C 2 VSD", "B E 2 USD", "C E 1 USD"],
        named: "AbG",
      },
      "SABCDE",
      4,
      "moves:EA2 moves:SS3 moves:BE7 rest:--1+4+6+5+8",
    ],
    [
      {
        moves: ["C C 2 VSD", "S C 1 USD", "E A 1 USD", "B E 2 USD fee", "E C 1 USD", "C S 2 VSD"],
        named: "ABCDEF",
        failures: "FS EF",
      },
      "S",
      2,
      "moves:Sothers2 rest:--1+3+4+5+6 failure:othersS failure:othersothers",
    ],
    [
      { moves: ["S D 2 VSD", "C E 2 VSD fee", "S B 1 USD", "B A 2 VSD"], grants: "SB", failures: "S- D-", target: "D" },
      "S",
      1,
      "rest:--1+2+4+3 grant:Sothers failure:SS failure:othersothers",
    ],
    [
      {
        moves: ["B B 2 VSD", "S S 1 USD fee", "S S 1 VSD", "C B 1 VSD", "A S 1 VSD", "C C 2 VSD"],
        named: "aC",
        target: "S",
      },
      "S",
      4,
      "moves:othersothers1+4+6 moves:SS2 moves:SS3 moves:othersS5",
    ],
    [
      { moves: ["A S 1 USD", "S A 2 VSD", "A A 1 USD fee", "S A 2 VSD", "A A 2 VSD", "S S 1 USD"], grants: "AA AA AA" },
      "SA",
      4,
      "moves:AS1 moves:SA2+4 moves:SS6 rest:AA3+5 grant:AA grant:AA grant:AA",
    ],
  ])("%j, with lanes for %s and %i rows: %s", (parts, kept, rowsMax, expected) => {
    const page = pictured(parts);
    const { grants, failures } = page.facts;
    const laneOf = (address: string) => (kept.includes(letterIn(address)) ? address : others);
    const rows = rowsOf({ cast: castOf(page), grants, failures, laneOf, rowsMax }).map((row) => {
      const what = "legs" in row ? row.legs.map(({ number }) => number).join("+") : "count" in row ? row.count : "";
      return `${row.kind}:${letterIn(row.from)}${letterIn(row.to)}${what}`;
    });
    expect(rows.join(" ")).toBe(expected);
  });
});
