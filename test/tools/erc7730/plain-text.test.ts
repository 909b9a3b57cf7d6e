import { describe, expect, it } from "vitest";
import { UnsupportedError } from "../../../src/tools/erc7730/descriptor/part.ts";
import { lowerWords, readPlain, requirePlain, slugOf } from "../../../src/tools/erc7730/descriptor/plain-text.ts";

describe("a text of a descriptor", () => {
  it.each([
    ["  Do   it.", "Do it"],
    ["Do it?!;:,", "Do it"],
    ["(a) Do it", "(a) Do it"],
    ["Do", "Do"],
    ["D", undefined],
    ["12", undefined],
    ["-Do", undefined],
    ["", undefined],
    [5, undefined],
    [null, undefined],
    [["Do it"], undefined],
    ["pay 0x1234567", "pay 0x1234567"],
    ["pay 0x12345678", undefined],
    ["see x://y", undefined],
    ["see www.evil", undefined],
    ["Do {it}", undefined],
    ['Do "it"', undefined],
  ])("%j is read as %j", (text, plain) => {
    expect(readPlain(text, "intent")).toBe(plain);
  });

  it.each([
    ["intent", 60, "an intent"],
    ["sentence", 140, "an interpolated intent"],
    ["label", 32, "a label"],
    ["constant", 100, "a constant"],
    ["enumName", 32, "a name"],
    ["contractName", 60, "a name"],
  ] as const)("of the kind %s has at most %i characters", (kind, most, noun) => {
    const longest = "a".repeat(most);
    expect(requirePlain(longest, kind)).toBe(longest);
    expect(() => requirePlain(`${longest}a`, kind)).toThrow(
      new UnsupportedError(`${noun} that is not short, plain, printable ASCII text`),
    );
  });

  it.each([
    ["MC_USD0", "MC_USD0"],
    ["ETH --> WETH", "ETH --> WETH"],
    ["_MC", undefined],
    ["MC__USD", undefined],
    ["<b>", undefined],
    ["b>", undefined],
    ["a ->b", undefined],
  ])("%j is read as %j where it is a value", (text, plain) => {
    expect([readPlain(text, "constant"), readPlain(text, "enumName")]).toEqual([plain, plain]);
    expect([readPlain(text, "label"), readPlain(text, "intent")]).toEqual([undefined, undefined]);
  });

  it("is measured without blanks around it, but not without end", () => {
    expect(readPlain("Do it".padEnd(400), "intent")).toBe("Do it");
    expect(readPlain("Do it".padEnd(401), "intent")).toBeUndefined();
  });
});

it.each([
  ["Deposit ETH Into stETH", "deposit ETH into stETH"],
  ["APPROVE A USDC", "approve a USDC"],
  ["UNISWAP NFTPOS", "uniswap NFTPOS"],
  ["Round2 A1B", "Round2 A1B"],
])("%s stands inside of a sentence as %s", (text, lower) => {
  expect(lowerWords(text)).toBe(lower);
});

it.each([
  ["setRound", "set-round"],
  ["ERC20 vault", "erc20-vault"],
  ["round2Set", "round2-set"],
  ["__init__", "init"],
  ["///", "unnamed"],
  ["a".repeat(60), "a".repeat(48)],
  [`${"a".repeat(47)}-b`, "a".repeat(47)],
])("%s is named %s in ids", (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});
