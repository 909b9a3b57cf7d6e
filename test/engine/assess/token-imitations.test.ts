import { describe, expect, it } from "vitest";
import { judgeTokenNames } from "../../../src/engine/assess/tokens/token-names.ts";
import { type Address, checksum, toAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { labelsOf, nameOf, tokenOf } from "../../support/labels.ts";
import { move, moved } from "../../support/movements.ts";

const uni = toAddress(`0x${"1f".repeat(20)}`);
const bee = toAddress(`0x${"b3".repeat(20)}`);
const labels = labelsOf({
  tokens: [
    tokenOf(usdc, "USDC", { name: "USD Coin", wellKnown: true }),
    tokenOf(uni, "UNI", { name: "Uniswap", wellKnown: true, versioned: true }),
    tokenOf(bee, "B3", { name: "Bee", wellKnown: true }),
    tokenOf(bob, "OWL", { name: "Owl Money" }),
  ],
  names: [nameOf(vault, "Vault")],
  confusables: { С: "C" },
});

interface Shown {
  symbol?: string | null;
  name?: string | null;
  standard?: string | null;
  moves?: Movement[];
}

/** What is found about tokens that all are called so. */
function judged(tokens: Address[], { symbol = "FOO", name = "Some Money", standard = null, moves = [] }: Shown = {}) {
  const shown = Object.fromEntries(tokens.map((one) => [one, { symbol, name, standard }]));
  return judgeTokenNames(tokens, { tx: moved(moves), labels, file: { tokens: shown } } as never);
}
const imitated = (shown: Shown) => {
  const found = judged([token], shown).filter(({ flag }) => flag === "impersonated_token");
  return found.map(({ basis, statement }) => [basis, (statement.fill as { symbol: string }).symbol]);
};
const nft = move(token, alice, carol, 1n, { standard: "erc721", tokenId: 0n });

describe("what a stranger's token imitates", () => {
  it.each<[string, Shown, [string, string] | null]>([
    ["nothing", {}, null],
    ["nothing, without symbol and name", { symbol: null, name: null }, null],
    ["nothing, of blank ones", { symbol: " ", name: "" }, null],
    ["a symbol", { symbol: "USDC" }, ["exact", "USDC"]],
    ["a symbol among blanks", { symbol: " USDC " }, ["exact", "USDC"]],
    ["a symbol in another case", { symbol: "usdC" }, ["casefold", "USDC"]],
    ["a symbol in other letters", { symbol: "USDС" }, ["confusable", "USDC"]],
    ["a symbol rather than a name", { symbol: "UNI", name: "USD Coin" }, ["exact", "UNI"]],
    ["no symbol that is not well known", { symbol: "OWL" }, null],
    ["a name", { name: "usd coin" }, ["name", "USDC"]],
    ["a name, without a symbol", { symbol: null, name: "USD Coin" }, ["name", "USDC"]],
    ["a name by its symbol", { symbol: "USD-Coin" }, ["name", "USDC"]],
    ["a name by its symbol, without a name", { symbol: "Usd._ coin", name: null }, ["name", "USDC"]],
    ["no name that is not well known", { name: "Owl Money" }, null],
    ["a name joined", { name: "USDCoin" }, ["name", "USDC"]],
    ["a name with signs", { name: "✅ USD-Coin ™" }, ["name", "USDC"]],
    ["a symbol with a sign", { symbol: "$USDC" }, ["decorated", "USDC"]],
    ["a symbol with a number", { symbol: "USDC2" }, ["decorated", "USDC"]],
    ["a symbol with a version", { symbol: "USDC v2" }, ["decorated", "USDC"]],
    ["a symbol with a dot", { symbol: "USDC." }, ["decorated", "USDC"]],
    ["a symbol between signs", { symbol: "✅USDC™" }, ["decorated", "USDC"]],
    ["a symbol of parts", { symbol: "U.S_D C" }, ["decorated", "USDC"]],
    ["no symbol with a plus, which makes another name", { symbol: "USDC+" }, null],
    ["digits for letters", { symbol: "U5DC" }, ["confusable", "USDC"]],
    ["a dollar sign for a letter", { symbol: "U$DC" }, ["confusable", "USDC"]],
    ["no letters for a digit of a well-known symbol", { symbol: "BE" }, null],
    ["no symbol within another", { symbol: "XUSDC" }, null],
    ["no version of a token with versions", { symbol: "UNI-V2" }, null],
    ["a number behind a token with versions", { symbol: "UNI2" }, ["decorated", "UNI"]],
    ["a sign before a token with versions", { symbol: "$UNI" }, ["decorated", "UNI"]],
  ])("is %s", (_what, shown, expected) => expect(imitated(shown)).toEqual(expected === null ? [] : [expected]));

  it.each<[string, Shown, [string, string] | null]>([
    ["not a symbol", { symbol: "USDC" }, null],
    ["not a name", { name: "USD Coin" }, null],
    ["a version", { symbol: "USDC V3 Positions" }, ["decorated", "USDC"]],
    ["a version of one with versions", { symbol: "UNI-V3-POS" }, ["decorated", "UNI"]],
    ["no version without a symbol", { symbol: null }, null],
    ["no symbol among blanks", { symbol: " USDC " }, null],
  ])("of a collection is %s", (_what, shown, expected) => {
    const all = expected === null ? [] : [expected];
    expect(imitated({ ...shown, standard: "erc721" })).toEqual(all);
    expect(imitated({ ...shown, moves: [move(token, alice, carol, 1n), nft] })).toEqual(all);
  });

  it("is reported for a fungible token, no matter what else moved", () => {
    const moves = [{ ...nft, token: carol }, move(token, alice, carol, 1n)];
    expect(imitated({ symbol: "USDC", moves })).toEqual([["exact", "USDC"]]);
  });
});

describe("the address that a stranger's token imitates", () => {
  const apple = "0xb200000000000000000000c2e324d24d7eecd1fb" as Address;
  const known = labelsOf({
    tokens: [
      tokenOf(apple, "AAPLc", { name: "Apple", wellKnown: true }),
      tokenOf(toAddress(`0x4444${"00".repeat(16)}abcd`), "FOUR", { wellKnown: true }),
      tokenOf(toAddress(`0x1234${"00".repeat(16)}5678`), "OWL"),
    ],
  });
  const likeOf = (address: string, tokens: object = {}) =>
    judgeTokenNames([toAddress(address)], { tx: moved([]), labels: known, file: { tokens } } as never).map(
      ({ flag, basis, statement }) => [flag, basis, (statement.fill as { genuine: Address }).genuine],
    );
  const vanity = `0xb200${"7e".repeat(16)}d1fb`;
  const twin = [["impersonated_token", "address", apple]];

  it.each([
    ["where it is shortened", vanity, twin],
    ["of the same form", "0xb20000000000000000000177777777777777d1fb", twin],
    ["and is none of three digits", `0xb200${"7e".repeat(16)}a1fb`, []],
    ["and is none where it begins otherwise", `0xb201${"7e".repeat(16)}d1fb`, []],
    ["and is the genuine one", apple, []],
    ["and is none of one digit many times", `0x4444${"7e".repeat(16)}abcd`, []],
    ["and is none of a token that is not well known", `0x1234${"7e".repeat(16)}5678`, []],
  ])("is found %s", (_name, address, found) => {
    expect(likeOf(address)).toEqual(found);
  });

  it("is told where its symbol and name imitate nothing", () => {
    const shown = (symbol: string) => ({ [vanity]: { symbol, name: "Some Money", standard: null } });
    expect(likeOf(vanity, shown("FOO"))).toEqual(twin);
    expect(likeOf(vanity, shown("aaplC"))).toEqual([["impersonated_token", "casefold", apple]]);
  });
});

describe("what is told of a stranger's token", () => {
  const party = state("role.token", { address: token });
  const common = { address: token, role: "token", evidence: [`token ${checksum(token)}`] };
  const fill = {
    token: party,
    likeness: state("likeness.confusable", { symbol: "USDC" }),
    symbol: "USDC",
    genuine: usdc,
  };
  const odd = state("flag.odd_text", {
    token: party,
    reasons: ["mixed_script", "whole_script_confusable"].map((one) => state(`odd_text.${one}` as never, {} as never)),
  });
  const imitation = {
    flag: "impersonated_token",
    statement: state("flag.imitation", fill),
    basis: "confusable",
    ...common,
  };

  it("is an odd text, then what it imitates", () => {
    expect(judged([token], { symbol: "USDС" })).toEqual([
      { flag: "nonstandard_token_symbol", statement: odd, basis: "mixed_script whole_script_confusable", ...common },
      imitation,
    ]);
  });

  it("is told of each token, and of none that is listed or has a name", () => {
    const found = judged([carol, usdc, vault, token, bob], { symbol: "usdc" });
    expect(found.map(({ address }) => address)).toEqual([carol, token]);
    expect(judged([])).toEqual([]);
  });

  it("is nothing where it did not answer", () => {
    expect(judgeTokenNames([token], { tx: moved([]), labels, file: { tokens: {} } } as never)).toEqual([]);
  });

  it("is that a fungible token has no symbol, and not of a collection", () => {
    expect(judged([token], { symbol: "" }).map(({ basis }) => basis)).toEqual(["empty"]);
    expect(judged([token], { symbol: "", standard: "erc1155" })).toEqual([]);
    expect(judged([token], { symbol: "", moves: [nft] })).toEqual([]);
  });
});
