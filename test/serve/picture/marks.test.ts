import { describe, expect, it } from "vitest";
import { castOf } from "../../../src/serve/picture/cast.ts";
import { layOut, type PictureSize } from "../../../src/serve/picture/lanes.ts";
import { drawPicture, narrowSize, wideSize } from "../../../src/serve/picture/picture.ts";
import { labelOf } from "../../../src/serve/picture/row-labels.ts";
import { addressOf, type PicturedSample, picturedOf } from "./sample.ts";
import { textBoxes } from "./text-boxes.ts";

const small: PictureSize = { ...wideSize, lanesMax: 3, rowsMax: 3 };

/** What stands above each row. */
function labels(sample: PicturedSample, size = wideSize): string[] {
  const pictured = picturedOf(sample);
  const cast = castOf(pictured);
  const { rows } = layOut(pictured, cast, size);
  return rows.map((row) => labelOf({ pictured, cast } as never, row));
}

/** This many tokens, each with its own letter, moved between the two ends. */
const tokens = (count: number, ends: string, first = 0x61) =>
  Array.from({ length: count }, (_, i) => `${ends} 1 ${String.fromCharCode(first + i)}`);

describe("what stands above a row", () => {
  it.each<[string, string[], string]>([
    ["one movement", ["S A 1.5 USDC"], "1.5 USDC"],
    ["several", ["S A 1.5 USDC", "S A 1 USDC"], "2.5 USDC (sum of 2)"],
    ["gas", ["S A 1 ETH fee"], "gas: 1 ETH"],
    ["raw units", ["S A 7 X raw"], "7 raw X"],
    ["an NFT", ["0 S 1 W #77"], "NFT W #77"],
    ["an NFT with a long id", ["0 S 1 W #12345678901"], "NFT W #12345678…"],
    ["NFTs that are alike", ["0 S 1234 W #7"], "1,234 × NFT W #7"],
    ["several NFTs", ["0 S 1 W #7", "0 S 5 W #8"], "2 NFTs of W"],
    ["an NFT for gas", ["S 0 1 W #7 fee"], "gas: NFT W #7"],
  ])("%s", (_name, moves, label) => {
    expect(labels({ moves })).toEqual([label]);
  });

  it("is how many movements there are, where they are not shown one by one", () => {
    const folded = ["S A 1 X", "B C 1 X", "C D 1 Y", "A S 1 Y"];
    expect(labels({ moves: folded }, small)).toEqual(["1 X", "2 among them", "1 Y"]);
    expect(labels({ moves: tokens(26, "S A") }).at(-1)).toBe("11 more, in the table");
  });

  it.each<[object, string]>([
    [{}, "may spend 12.5 USDC"],
    [{ uncertain: true }, "perhaps may spend 12.5 USDC"],
    [{ unlimited: true }, "may spend unlimited USDC"],
    [{ unlimited: true, uncertain: true }, "perhaps may spend unlimited USDC"],
    [{ amount: null }, "may spend 0 USDC"],
    [{ raw: true, untrusted: true }, "may spend 12.5 raw “USDC”"],
    [{ kind: "operator" }, "may move all NFTs of USDC"],
    [{ kind: "nft" }, "may move an NFT of USDC"],
  ])("of a right %j", (grant, label) => {
    expect(labels({ grants: [grant] })).toEqual([label]);
  });

  it("counts rights beyond the sixth", () => {
    const last = (count: number) => labels({ grants: Array(count).fill({}) }).at(-1);
    expect([last(7), last(8)]).toEqual(["1 more right, in the table", "2 more rights, in the table"]);
  });

  it.each<[object, boolean, string]>([
    [{}, false, "failed"],
    [{}, true, "would fail"],
    [{ reason: "out of gas" }, false, "failed: out of gas"],
    [{ reason: '"Late"', untrusted: true }, false, "failed: “Late”"],
    [{ reason: '"Late"' }, true, 'would fail: "Late"'],
  ])("of a failure %j, planned %s", (failure, planned, label) => {
    expect(labels({ failures: [failure], planned })).toEqual([label]);
  });
});

describe("the numbers of a row", () => {
  const numbers = (moves: string[], size: PictureSize) => {
    const drawn = drawPicture(picturedOf({ moves }), size);
    return [...drawn.matchAll(/font-size="(\d+)" text-anchor="end" class="dim">([^<]*)</g)].map(
      ([, points, text]) => `${text} ${points}`,
    );
  };

  it("are one, the first and the last, or the first where others stand between", () => {
    expect(numbers(["S A 1 X", "S A 1 X", "A S 1 Y"], wideSize)).toEqual(["1–2 11", "3 11"]);
    const mixed = ["S A 1 X", "A S 1 Y", "S A 1 X", "A S 1 Y"];
    expect(numbers(mixed, small)).toEqual(["1… 11", "2… 11"]);
  });

  it("are smaller, or only the first, where there is no room", () => {
    const moves = ["S B 1 X", ...Array(11).fill("S A 1 X")];
    const shown = (gutter: number) => numbers(moves, { ...wideSize, gutter })[1];
    // The text is 2.44 em wide: 26.84 or 21.96 pixels. Eight pixels of the gutter stay free.
    expect([35, 34, 30, 29].map(shown)).toEqual(["2–12 11", "2–12 9", "2–12 9", "2… 9"]);
  });
});

describe("what a pointer shows", () => {
  const tips = (moves: string[], size: PictureSize) =>
    [...drawPicture(picturedOf({ moves }), size).matchAll(/<g class="out"><title>([^<]*)<\/title>/g)].map(
      ([, tip]) => tip,
    );

  it("is each movement, of three at most, in the wide drawing", () => {
    const [s, a] = [addressOf("S"), addressOf("A")];
    expect(tips(["S A 1.50 X", "S A 2 X"], wideSize)).toEqual([`1.50 X from ${s} to ${a}\n2 X from ${s} to ${a}`]);
    expect(tips(["S A 1 W #7"], wideSize)).toEqual([`1 W #7 from ${s} to ${a}`]);
    expect(tips(Array(3).fill("S A 1 X"), wideSize)).toHaveLength(1);
    expect(tips(Array(4).fill("S A 1 X"), wideSize)).toEqual([]);
    expect(tips(["S A 1 X"], narrowSize)).toEqual([]);
  });
});

describe("what each is left with", () => {
  const nets = (moves: string[], size = wideSize) => {
    const texts = textBoxes(drawPicture(picturedOf({ moves }), size)).map(({ text }) => text);
    return texts.slice(texts.indexOf("Net") + 1);
  };
  const lines = (count: number, sign: string, first = 0x61) =>
    Array.from({ length: count }, (_, i) => `${sign}1 ${String.fromCharCode(first + i)}`);

  it("is eight lines for the subject, and four for others", () => {
    expect(nets(tokens(4, "S A"))).toEqual([...lines(4, "−"), ...lines(4, "+")]);
    expect(nets(tokens(8, "S A"))).toEqual([...lines(8, "−"), ...lines(3, "+"), "5 more"]);
    expect(nets(tokens(9, "S A"))).toEqual([...lines(7, "−"), "2 more", ...lines(3, "+"), "6 more"]);
  });

  it("is what was given first, and never hides what was gotten", () => {
    const subject = (given: number, gotten: number) => {
      const found = nets([...tokens(given, "S 0"), ...tokens(gotten, "0 S", 0x4e00)]);
      return found.map((text) => (text.endsWith("more") ? text : text[0])).join("");
    };
    expect(subject(6, 6)).toBe("−−−−+++5 more");
    expect(subject(1, 9)).toBe("−++++++3 more");
    expect(subject(9, 1)).toBe("−−−−−−+3 more");
    expect(subject(4, 4)).toBe("−−−−++++");
  });

  it("is nothing for who passed it on, and is not told of the zero address", () => {
    expect(nets(["S A 1 X", "A B 1 X"])).toEqual(["−1 X", "±0", "+1 X"]);
    expect(nets(["0 S 1 X"])).toEqual(["+1 X"]);
  });

  it("is the sum of all accounts that share a lane", () => {
    const moves = ["S A 5 X", "S B 2 X", "S C 3 X", "C 0 1 X"];
    expect(nets(moves, small)).toEqual(["−10 X", "+5 X", "+4 X"]);
  });

  it("marks NFTs and raw units", () => {
    expect(nets(["0 S 2 W #7", "S A 5 raw raw"])).toEqual(["−5 raw raw", "+2 NFT W", "+5 raw raw"]);
  });
});

describe("the head of a lane", () => {
  const drawn = (moves: string[], size: PictureSize) => drawPicture(picturedOf({ moves }), size);
  const heads = (moves: string[], size: PictureSize) => textBoxes(drawn(moves, size)).map(({ text }) => text);

  it("counts the accounts that share it, and names twelve of them", () => {
    const many = (letters: string) => ["S A 1 X", ...[...letters].map((to) => `A ${to} 1 X`)];
    expect(heads(many("BCD"), small)).toEqual(expect.arrayContaining(["3 other", "accounts"]));
    const titles = (letters: string) =>
      /<title>(0x[^<]*)<\/title><path[^>]*\/><rect class="box fold"/.exec(drawn(many(letters), small))?.[1];
    expect(titles("BCD")).toBe(["B", "C", "D"].map(addressOf).join(" "));
    const thirteen = "BCDEFGHIJKLMN";
    expect(titles(thirteen.slice(0, 12))).toBe([...thirteen.slice(0, 12)].map(addressOf).join(" "));
    expect(titles(thirteen)).toBe(`${[...thirteen.slice(0, 12)].map(addressOf).join(" ")} and 1 more`);
  });

  it.each([
    [90, "11"],
    [89.5, "10"],
  ])("has addresses of a size that %d pixels hold: %s", (step, points) => {
    const size = { ...narrowSize, width: narrowSize.gutter + 2 * step };
    const sizes = [...drawn(["S A 1 X"], size).matchAll(/font-size="(\d+)"[^>]*>0x/g)].map(([, pixels]) => pixels);
    expect(new Set(sizes)).toEqual(new Set([points]));
  });
});
