import { describe, expect, it } from "vitest";
import type { PictureSize } from "../../../src/serve/picture/lanes.ts";
import { narrowSize, wideSize } from "../../../src/serve/picture/picture.ts";
import { laid, small } from "./laid-out.ts";
import { addressOf, type PicturedSample } from "./sample.ts";

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
