import { describe, expect, it } from "vitest";
import { castOf } from "../../../src/serve/picture/cast.ts";
import { addressOf, letterIn, type PicturedSample, picturedOf } from "./sample.ts";

const tokensOf = (...moves: string[]) => [...castOf(picturedOf({ moves })).tokens.values()];

describe("the tokens of a picture", () => {
  const plain = { key: addressOf("A"), scale: 0, nft: false, raw: false };
  it.each<[string, string[], object[]]>([
    ["a short name", ["S A 1 AA"], [{ ...plain, name: "AA" }]],
    ["a name that just fits", [`S A 1 ${"A".repeat(12)}`], [{ ...plain, name: "A".repeat(12) }]],
    ["a name that does not fit", [`S A 1 ${"A".repeat(13)}`], [{ ...plain, name: `${"A".repeat(11)}…` }]],
    ["a stranger's name", ["S A 1 AA untrusted"], [{ ...plain, name: "“AA”" }]],
    [
      "the places of its longest amount",
      ["S A 1.5 AA", "S A 1.25 AA", "S A 7 AA"],
      [{ ...plain, name: "AA", scale: 2 }],
    ],
    ["raw amounts", ["S A 1 AA raw"], [{ ...plain, name: "AA", raw: true }]],
    [
      "NFTs of a collection together",
      ["S A 1 AA #1", "S A 1 AA #2"],
      [{ ...plain, key: `${addressOf("A")} nft`, name: "AA", nft: true }],
    ],
    [
      "NFTs beside tokens",
      ["S A 1 AA #1", "S A 1 AA"],
      [
        { ...plain, key: `${addressOf("A")} nft`, name: "AA", nft: true },
        { ...plain, name: "AA" },
      ],
    ],
  ])("%s", (_what, moves, tokens) => {
    expect(tokensOf(...moves)).toEqual(tokens);
  });

  it("are no raw ones and no fees where nothing is known of a movement", () => {
    const pictured = picturedOf({ moves: ["S A 1 AA raw fee"] });
    const cast = castOf({ ...pictured, facts: { ...pictured.facts, legs: [] } });
    expect([...cast.tokens.values()].map(({ raw }) => raw)).toEqual([false]);
    expect(cast.legs.map(({ fee }) => fee)).toEqual([false]);
    expect(castOf(pictured).legs.map(({ fee, number, units }) => [fee, number, units])).toEqual([[true, 1, 1n]]);
  });
});

describe("the accounts of a picture", () => {
  const accounts = (sample: PicturedSample) =>
    [...castOf(picturedOf(sample)).accounts.values()].map(({ address, label, net }) => [
      letterIn(address),
      label,
      [...net].map(([token, units]) => `${units} ${letterIn(token)}`).join(" "),
    ]);

  it.each<[string, PicturedSample, unknown[]]>([
    [
      "givers and receivers",
      { moves: ["S A 1.5 USDC"] },
      [
        ["S", null, "-15 U"],
        ["A", null, "15 U"],
      ],
    ],
    [
      "with nothing where as much came as went",
      { moves: ["S A 1 USDC", "A S 1 USDC"] },
      [
        ["S", null, ""],
        ["A", null, ""],
      ],
    ],
    [
      "the sum of each token",
      { moves: ["S A 1 USDC", "S A 2 ETH", "A S 3 USDC"] },
      [
        ["S", null, "2 U -2 native"],
        ["A", null, "-2 U 2 native"],
      ],
    ],
    ["with themselves", { moves: ["S S 1 USDC"] }, [["S", null, ""]]],
    [
      "of rights",
      { grants: [{ owner: addressOf("B"), spender: addressOf("C") }] },
      [
        ["B", null, ""],
        ["C", null, ""],
      ],
    ],
    [
      "of failures",
      { failures: [{ from: addressOf("B"), to: addressOf("C") }] },
      [
        ["B", null, ""],
        ["C", null, ""],
      ],
    ],
    ["of a creation that failed", { failures: [{ from: addressOf("B"), to: null }] }, [["B", null, ""]]],
    ["the subject alone", {}, [["S", null, ""]]],
    [
      "the subject and whom it called",
      { target: "A" },
      [
        ["S", null, ""],
        ["A", null, ""],
      ],
    ],
    [
      "not whom it called where anything moved",
      { target: "B", moves: ["S A 1 USDC"] },
      [
        ["S", null, "-1 U"],
        ["A", null, "1 U"],
      ],
    ],
    [
      "with the names of the answer, else ours",
      { moves: ["S A 1 USDC"], parties: { A: "Party", S: null }, labels: { A: "Ours", S: "Me" } },
      [
        ["S", "Me", "-1 U"],
        ["A", "Party", "1 U"],
      ],
    ],
    [
      "without a name of which nothing is seen",
      { moves: ["S A 1 USDC"], parties: { A: "\u200b" } },
      [
        ["S", null, "-1 U"],
        ["A", null, "1 U"],
      ],
    ],
  ])("%s", (_what, sample, expected) => {
    expect(accounts(sample)).toEqual(expected);
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
