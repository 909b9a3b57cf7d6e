import { describe, expect, it } from "vitest";
import { castOf } from "../../../src/serve/picture/cast.ts";
import { layOut } from "../../../src/serve/picture/lanes.ts";
import { wideSize } from "../../../src/serve/picture/picture.ts";
import { labelOf } from "../../../src/serve/picture/row-labels.ts";
import { type PicturedSample, picturedOf } from "./sample.ts";

/** The text above each row, when at most this many accounts have a lane. */
function words(sample: PicturedSample, lanesMax = 9): string[] {
  const pictured = picturedOf(sample);
  const cast = castOf(pictured);
  const { rows } = layOut(pictured, cast, { ...wideSize, lanesMax });
  return rows.map((row) => labelOf({ pictured, cast } as never, row));
}

describe("what stands above a row", () => {
  it.each<[string, PicturedSample, string]>([
    ["nothing that moved", {}, "Nothing moved"],
    ["nothing that was seen", { partial: true }, "No movement was seen"],
    ["nothing that would move", { planned: true }, "Nothing would move"],
    ["nothing that is known to move", { planned: true, partial: true }, "What would move is not known"],
    ["six digits", { moves: ["S A 1.2345678 USDC"] }, "1.23457 USDC"],
    ["seven whole digits", { moves: ["S A 1234567.8 USDC"] }, "1,234,568 USDC"],
    ["an NFT with a short number", { moves: ["S A 1 USDC #1"] }, "NFT USDC #1"],
    ["several of one NFT", { moves: ["S A 2 USDC #1"] }, "2 × NFT USDC #1"],
    ["a reason that just fits", { failures: [{ reason: "a".repeat(76) }] }, `failed: ${"a".repeat(76)}`],
    ["a reason that does not", { failures: [{ reason: "a".repeat(77) }] }, `failed: ${"a".repeat(74)}…`],
  ])("is for %s", (_what, sample, expected) => {
    expect(words(sample)).toEqual([expected]);
  });

  it("is a count for those without a lane among them, and an amount where one of the two has a lane", () => {
    const moves = ["S A 1 USDC", "A B 2 USDC", "B C 3 USDC", "C B 4 USDC", "B A 5 USDC"];
    expect(words({ moves }, 3)).toEqual(["1 USDC", "2 USDC", "2 among them", "5 USDC"]);
  });
});
