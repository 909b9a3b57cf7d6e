import { describe, expect, it } from "vitest";
import { drawPicture, narrowSize, pictureFile, wideSize } from "../../../src/serve/picture/picture.ts";
import { addressOf, type PicturedSample, picturedOf } from "./sample.ts";
import { textBoxes } from "./text-boxes.ts";

const someone = (letter: string) => ({ owner: addressOf("S"), spender: addressOf(letter) });

const everyKind: PicturedSample = {
  moves: [
    "S A 2043495.674885 USDC",
    "S A 10 USDC",
    "A 0 1 V untrusted",
    "0 S 1 W #77",
    "0 A 2500 W #1234567890123456789",
    "0 B 1 W #1",
    "0 B 3 W #2",
    "A S 123456 raw raw",
    "S S 1 ETH",
    "B S 0.5 ETH",
    "S B 0.000123 ETH fee",
    "A B 1 Z",
  ],
  grants: [
    { ...someone("A"), unlimited: true, amount: "1" },
    { ...someone("B"), token: "Punks", kind: "operator", amount: null },
    { ...someone("B"), token: "Punks", kind: "nft", amount: null, untrusted: true },
    { ...someone("S"), uncertain: true },
    { ...someone("A"), raw: true, owner: addressOf("B") },
    { ...someone("A"), uncertain: true, unlimited: true },
    { ...someone("A") },
  ],
  failures: [
    {},
    { to: addressOf("B"), reason: '"Too late"', untrusted: true },
    { to: addressOf("S"), reason: "out of gas" },
  ],
  parties: { A: "A market with a name of several words", B: null },
  labels: { B: "Bob & sons", S: "never shown" },
};

const crowd: PicturedSample = {
  moves: [
    ..."PQRTUVXYZ".split("").map((token) => `S A 1 ${token}oken`),
    ..."abcdefg".split("").map((token) => `B S 2 ${token}oken`),
    ..."ABCDEFGHIJKLMN".split("").flatMap((to) => [`S ${to} 1.5 ETH`, `${to} ${to}x 1 Dai`]),
  ],
};

const strange: PicturedSample = {
  failures: [{ from: addressOf("S"), reason: `it is written with ${"m".repeat(60)}` }],
  moves: ["S A 1 测试代币测试代币测试代币 untrusted", "A S 5 مرحبا untrusted"],
  parties: { A: "مرحبا بالعالم" },
};

/** A person checks these drawings: open them in a browser when one changes, then run `npx vitest -u test/serve/picture`. */
describe("a drawing of each kind", () => {
  it.each([
    ["every-kind", everyKind, wideSize],
    ["every-kind-narrow", everyKind, narrowSize],
    ["crowd", crowd, wideSize],
    ["crowd-narrow", crowd, narrowSize],
    ["strange-glyphs", strange, wideSize],
    ["strange-glyphs-narrow", strange, narrowSize],
  ] as const)("%s is as it was looked at", async (name, sample, size) => {
    const lines = pictureFile(picturedOf(sample), size).replace(/(<g|<\/g>|<title|<path|<rect|<circle|<text)/g, "\n$1");
    await expect(lines).toMatchFileSnapshot(`drawings/${name}.svg`);
  });
});

describe("what is said of nothing", () => {
  it.each([
    [{}, "Nothing moved"],
    [{ partial: true }, "No movement was seen"],
    [{ planned: true }, "Nothing would move"],
    [{ planned: true, partial: true }, "What would move is not known"],
  ])("%j: %s", (sample, words) => {
    expect(textBoxes(drawPicture(picturedOf(sample), wideSize)).map(({ text }) => text)).toEqual([
      "Subject",
      "0xSSSS…SSSS",
      "",
      words,
    ]);
    expect(drawPicture(picturedOf(sample), wideSize).match(/<g class="\w+">/g)).toEqual(['<g class="mid">']);
  });
});

describe("the words for a screen reader", () => {
  const failing = { failures: [{}], moves: ["S A 1 X"] };
  it.each<[PicturedSample, string]>([
    [
      { moves: ["S A 1 X"] },
      "S did &amp; said. 2 columns for accounts; 1 row for 1 movement, from top to bottom in the order in which they happened.",
    ],
    [
      { moves: ["S S 1 X", "S S 1 Y"], grants: [someone("S")], planned: true },
      "S did &amp; said. 1 column for accounts; 3 rows for 2 movements, from top to bottom in the order in which they would happen. 1 right over tokens would stay.",
    ],
    [
      { ...failing, grants: [someone("A")] },
      "S did &amp; said. 2 columns for accounts; 3 rows for 1 movement, from top to bottom in the order in which they happened. 1 right over tokens stays. 1 call failed.",
    ],
    [
      { ...failing, grants: [someone("A"), someone("A")], failures: [{}, {}], planned: true },
      "S did &amp; said. 2 columns for accounts; 5 rows for 1 movement, from top to bottom in the order in which they would happen. 2 rights over tokens would stay. 2 calls would fail.",
    ],
    [
      { grants: [someone("A"), someone("A")] },
      "S did &amp; said. 2 columns for accounts; 2 rows for 0 movements, from top to bottom in the order in which they happened. 2 rights over tokens stay.",
    ],
    [
      { moves: ["S A 1 X", "S B 1 X", "S C 1 X", "S D 1 X", "S E 1 X"] },
      "S did &amp; said. 3 columns for accounts, 3 more folded into one or left to the table; 3 rows for 5 movements, from top to bottom in the order in which they happened.",
    ],
  ])("%j", (sample, words) => {
    const [, said] = /<desc id="d-narrow">(.*)<\/desc>/.exec(drawPicture(picturedOf(sample), narrowSize)) ?? [];
    expect(said).toBe(words);
  });

  it.each([
    [wideSize, {}, 'class="pic wide"', "Who moved what to whom"],
    [narrowSize, { planned: true }, 'class="pic narrow plan"', "Who would move what to whom"],
  ])("are named by a title", (size, sample, classes, title) => {
    const drawn = drawPicture(picturedOf(sample), size);
    expect(
      drawn.startsWith(`<svg ${classes} role="img" aria-labelledby="t-${size.id} d-${size.id}" viewBox="0 0 `),
    ).toBe(true);
    expect(drawn).toContain(`<title id="t-${size.id}">${title}</title><desc`);
  });
});
