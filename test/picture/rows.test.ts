import { describe, expect, it } from "vitest";
import { castOf } from "../../src/picture/cast.ts";
import { orderLanes } from "../../src/picture/lane-order.ts";
import { layOut, type PictureSize } from "../../src/picture/lanes.ts";
import { narrowSize, wideSize } from "../../src/picture/picture.ts";
import { letterOf, type PictureRow } from "../../src/picture/rows.ts";
import { addressOf, letterIn, type PicturedSample, picturedOf } from "./sample.ts";

const small: PictureSize = { ...wideSize, lanesMax: 3, rowsMax: 3 };

/** Lanes, rows and folded accounts as letters; a row as its kind, its ends and the numbers of its movements. */
function laid(sample: PicturedSample, size: PictureSize = wideSize) {
  const pictured = picturedOf(sample);
  const { lanes, rows, folded } = layOut(pictured, castOf(pictured), size);
  return {
    lanes: lanes.map(letterIn).join(" "),
    rows: rows.map(rowText),
    folded: [...folded].map(letterIn).join(" "),
  };
}

function rowText(row: PictureRow): string {
  const what = row.kind === "moves" || row.kind === "rest" ? row.legs.map(({ number }) => number).join(",") : "";
  const more = row.kind === "grant" ? row.letter : row.kind === "more_grants" ? String(row.count) : what;
  return `${row.kind} ${letterIn(row.from)}>${letterIn(row.to)} ${more}`.trim();
}

/** So many movements, each of another token, from the subject to A. */
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

describe("who takes part", () => {
  it("is told with what each is left with", () => {
    const pictured = picturedOf({
      moves: [
        "S A 1.50 USDC fee",
        "A B 0.125 USDC untrusted",
        "0 S 1 V raw untrusted #7",
        "0 S 1 V #8",
        "A S 1.375 USDC",
      ],
      grants: [{ owner: addressOf("C"), spender: addressOf("D") }],
      failures: [{ from: addressOf("E"), to: null }, { to: addressOf("F") }],
      parties: { A: "a\n", B: null, C: "\u200b" },
      labels: { A: "told otherwise", B: "b" },
    });
    pictured.facts.legs.pop();
    const { accounts, tokens, legs } = castOf(pictured);
    expect(
      [...accounts.values()].map(({ address, label, net }) => [letterIn(address), label, Object.fromEntries(net)]),
    ).toEqual([
      ["S", null, { [`${addressOf("U")}`]: -125n, [`${addressOf("V")} nft`]: 2n }],
      ["A", "a", {}],
      ["B", "b", { [addressOf("U")]: 125n }],
      ["0", null, { [`${addressOf("V")} nft`]: -2n }],
      ["C", null, {}],
      ["D", null, {}],
      ["E", null, {}],
      ["F", null, {}],
    ]);
    expect([...tokens.values()]).toEqual([
      { key: addressOf("U"), name: "USDC", scale: 3, nft: false, raw: false },
      { key: `${addressOf("V")} nft`, name: "“V”", scale: 0, nft: true, raw: true },
    ]);
    expect(legs.map(({ number, units, fee }) => [number, units, fee])).toEqual([
      [1, 1500n, true],
      [2, 125n, false],
      [3, 1n, false],
      [4, 1n, false],
      [5, 1375n, false],
    ]);
  });

  it("is the subject and what was called where nothing else is known", () => {
    const castLetters = (sample: PicturedSample) => [...castOf(picturedOf(sample)).accounts.keys()].map(letterIn);
    expect([castLetters({}), castLetters({ target: "A" }), castLetters({ target: "A", failures: [{}] })]).toEqual([
      ["S"],
      ["S", "A"],
      ["S", "A"],
    ]);
    expect(castLetters({ target: "B", moves: ["S A 1 X"] })).toEqual(["S", "A"]);
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

describe("lanes", () => {
  const ring = ["S A 1 X", "A B 1 X", "B C 1 X", "C S 1 X"];

  it.each<[string, PicturedSample, PictureSize, ReturnType<typeof laid>]>([
    [
      "as many accounts as there are lanes have one each",
      { moves: ring.slice(0, 2) },
      small,
      { lanes: "S A B", rows: ["moves S>A 1", "moves A>B 2"], folded: "" },
    ],
    [
      "what folded accounts do among them is one row",
      { moves: ["S A 1 X", "B C 1 X", "C D 1 Y", "D B 1 Z", "A S 1 Y"] },
      small,
      { lanes: "S A others", rows: ["moves S>A 1", "moves others>others 2,3,4", "moves A>S 5"], folded: "B C D" },
    ],
    [
      "four on a phone",
      { moves: ring },
      narrowSize,
      { lanes: "S A B C", rows: ["moves S>A 1", "moves A>B 2", "moves B>C 3", "moves C>S 4"], folded: "" },
    ],
  ])("%s", (_case, sample, size, expected) => {
    expect(laid(sample, size)).toEqual(expected);
  });

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

  it("are fewer where that shows more movements one by one", () => {
    const moves = ["K", "L", "M", "N"].flatMap((token) => [..."ABCDEFGH"].map((to) => `S ${to} 1 ${token}`));
    expect(laid({ moves })).toMatchObject({ lanes: "S A B C D E others", folded: "F G H" });
  });

  const four: PictureSize = { ...wideSize, lanesMax: 4 };
  const to = (letter: string) => ({ spender: addressOf(letter) });
  const at = (letter: string) => ({ to: addressOf(letter) });
  it.each<[string, PicturedSample, string]>([
    [
      "who gets first from the subject before who has a name",
      { moves: ["S A 1 X", "S B 1 X", "S C 1 X", "S D 1 X"], parties: { B: "b" } },
      "C D",
    ],
    [
      "who may take before who gets first",
      { moves: ["S A 1 X", "S B 1 X", "S C 1 X"], grants: [to("C"), to("D")] },
      "A B",
    ],
    [
      "who owns what may be taken before who gets first",
      {
        moves: ["S A 1 X"],
        grants: [
          { owner: addressOf("B"), spender: addressOf("C") },
          { owner: addressOf("D"), spender: addressOf("C") },
        ],
      },
      "D A",
    ],
    [
      "the third right, not the fourth",
      { moves: ["S A 1 X", "S B 1 X"], grants: [to("C"), to("C"), to("C"), to("D")] },
      "B D",
    ],
    [
      "the third right before who gets first",
      { moves: ["S A 1 X", "S B 1 X"], grants: [to("C"), to("C"), to("D"), to("B")] },
      "A B",
    ],
    [
      "where a call failed before who gets first",
      { moves: ["S A 1 X", "S B 1 X", "S D 1 X"], failures: [at("C")], grants: [to("D")] },
      "A B",
    ],
    [
      "whose call failed, too",
      { moves: ["S A 1 X", "S B 1 X", "S D 1 X"], failures: [{ from: addressOf("C"), to: null }], grants: [to("D")] },
      "A B",
    ],
    ["the first failed call, not the second", { moves: ["S A 1 X", "S B 1 X"], failures: [at("C"), at("D")] }, "B D"],
    ["who gets before who gives", { moves: ["S A 1 X", "C S 1 X", "S B 1 X", "D A 1 X"] }, "C D"],
    ["who gives before who trades with others", { moves: ["S A 1 X", "D A 1 X", "B A 1 X", "C S 1 X"] }, "D B"],
    [
      "who gets before who only has a name",
      { moves: ["S A 1 X", "D A 1 X", "C A 1 X", "S B 1 X"], labels: { D: "d" } },
      "D C",
    ],
    [
      "who has a name before who gives",
      { moves: ["S A 1 X", "C S 1 X", "B A 1 X", "D A 1 X"], parties: { D: "d" } },
      "C B",
    ],
    [
      "who is left with something before who is not",
      { moves: ["S A 1 X", "S B 1 X", "B A 1 X", "S C 1 X", "C D 1 X", "D S 1 X"] },
      "C D",
    ],
    [
      "who is named earlier in the answer",
      { moves: ["S A 1 X", "S B 1 X", "S C 1 X", "S D 1 X"], parties: { D: null, C: null } },
      "C B",
    ],
    ["who appears first, of those alike", { moves: ["S A 1 X", "S B 1 X", "S C 1 X", "S D 1 X"] }, "C D"],
  ])("are for %s", (_case, sample, folded) => {
    expect(laid(sample, four).folded).toBe(folded);
  });
});
