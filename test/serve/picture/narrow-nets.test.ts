import { describe, expect, it } from "vitest";
import { drawPicture, wideSize } from "../../../src/serve/picture/picture.ts";
import { widthOf } from "../../../src/serve/picture/text.ts";
import { picturedOf } from "./sample.ts";
import { textBoxes } from "./text-boxes.ts";

/** The subject's net changes, when the lines of a lane have this width in pixels. */
function netIn(room: number, moves: string[]): string[] {
  const size = { ...wideSize, width: wideSize.gutter + 2 * (room + 4) };
  const texts = textBoxes(drawPicture(picturedOf({ moves }), size)).map(({ text }) => text);
  const net = texts.slice(texts.indexOf("Net") + 1);
  return net.slice(
    0,
    net.findIndex((text) => text.startsWith("+")),
  );
}

describe("what an account is left with", () => {
  const moves = ["S A 1.2345678 FOOBAR"];
  const [six, four, three] = ["−1.23457 FOOBAR", "−1.235 FOOBAR", "−1.23 FOOBAR"] as const;
  const wide = (text: string) => widthOf(text, 11);

  it.each<[string, number, string[]]>([
    ["six digits", wide(six), [six]],
    ["four digits, where six find no room", wide(six) - 0.1, [four]],
    ["four digits", wide(four), [four]],
    ["three digits, where four find no room", wide(four) - 0.1, [three]],
    ["three digits", wide(three), [three]],
    ["four digits and its token below, where nothing else fits", wide(three) - 0.1, ["−1.235", "FOOBAR"]],
  ])("has %s", (_what, room, lines) => {
    expect(netIn(room, moves)).toEqual(lines);
  });

  it("has NFTs and raw units below, too", () => {
    expect(netIn(90, ["S A 1234567 FOOBARS raw"])).toEqual(["−1.235M", "raw FOOBARS"]);
    expect(netIn(105, ["S A 3 FOOBARSES #7"])).toEqual(["−3", "NFT FOOBARSES"]);
  });
});
