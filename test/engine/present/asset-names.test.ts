import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { cleanText } from "../../../src/engine/present/phrase.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { TokenLookup } from "../../../src/model/case-file.ts";
import { caseOf, metadata, token } from "../../support/case-of.ts";
import { labelsOf, nameOf, tokenOf } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const usdc = toAddress(`0x${"cd".repeat(20)}`);
const labels = labelsOf({
  tokens: [tokenOf(usdc, "USDC", { decimals: 6, wellKnown: true })],
  names: [nameOf(`0x${"ef".repeat(20)}`, "Position NFT")],
});

function namesWith(lookup?: TokenLookup, suspects = new Set<Address>()): AssetNames {
  const file = caseOf({ tokens: lookup === undefined ? {} : { [token]: lookup } });
  const policy = { wellKnown: new Set(["eth", "usdc"]), suspects, unlimited: new Set([(1n << 160n) - 1n]) };
  return new AssetNames(file, labels, policy, shippedTeller());
}

describe("names of tokens", () => {
  it("are our own for ether and listed tokens", () => {
    expect(namesWith().name(null)).toEqual({ text: "ETH", untrusted: false });
    expect(namesWith().name(usdc)).toEqual({ text: "USDC", untrusted: false });
  });

  it.each(["FOO", "vAMM-WETH", "a1.2+b_c/d", "$DEGEN", "0xBitcoin", "USD₮0", "币", "variableDebtBasUSDC"])(
    "stand in quotes with the short address when a stranger says %s",
    (symbol) => {
      expect(namesWith(metadata(symbol, 18)).name(token)).toEqual({
        text: `"${symbol}" (0x7070…7070)`,
        untrusted: true,
      });
    },
  );

  it("are the address if symbol or name of the token mislead", () => {
    expect(namesWith(metadata("FOO", 18), new Set([token])).name(token)).toEqual({
      text: "token 0x7070…7070",
      untrusted: false,
    });
  });

  it.each([
    "USDC",
    "usdc",
    "eTh",
    "",
    " ",
    "a b",
    'x"y',
    "<b>",
    "[x](y)",
    "`x`",
    "\u202eCDSU",
    "U\u0000",
    "ＵＳＤＣ",
    "x".repeat(25),
    "-x",
  ])("are the address when a stranger says %j", (symbol) => {
    const { text, untrusted } = namesWith(metadata(symbol, 18)).name(token);
    // Invisible characters are removed. The rest may be plain text; then it is quoted.
    if (untrusted) expect(text).toMatch(/^"(?:CDSU|U)" \(0x7070…7070\)$/);
    else expect(text).toBe("token 0x7070…7070");
  });

  it("are the address if the token did not answer", () => {
    expect(namesWith().name(token)).toEqual({ text: "token 0x7070…7070", untrusted: false });
    expect(namesWith(metadata(null, null)).name(token)).toEqual({ text: "token 0x7070…7070", untrusted: false });
  });
});

describe("amounts of tokens", () => {
  const amount = (units: bigint, lookup?: TokenLookup, of: Address | null = token) =>
    namesWith(lookup).amount(of, units).text;

  it("have the token's own decimals", () => {
    expect(amount(1_250_500_000n, undefined, usdc)).toBe("1,250.5 USDC");
    expect(amount(5n * 10n ** 17n, undefined, null)).toBe("0.5 ETH");
    expect(amount(1_234_567n, metadata("FOO", 3))).toBe('1,234.57 "FOO" (0x7070…7070)');
    expect(amount(7n, metadata("FOO", 0))).toBe('7 "FOO" (0x7070…7070)');
  });

  it("are raw, and say so, if the decimals are unknown: there is no default of 18", () => {
    expect(amount(1_234_567n, metadata("FOO", null))).toBe('1,234,567 raw units of "FOO" (0x7070…7070)');
    expect(amount(10n ** 18n)).toBe("1,000,000,000,000,000,000 raw units of token 0x7070…7070");
    expect(namesWith().exact(token, 10n ** 18n)).toBe("1000000000000000000");
  });

  it("are raw if a token says more decimals than any real token has, so that zeros fill no sentence", () => {
    const of = (decimals: number) => namesWith(metadata("FOO", decimals)).amount(token, 10n ** 36n).text;
    expect([of(36), of(37), of(255)]).toEqual([
      '1 "FOO" (0x7070…7070)',
      ...[1, 2].map(() => '1,000,000,000,000,000,000 × 10^18 raw units of "FOO" (0x7070…7070)'),
    ]);
  });

  it.each([2n ** 256n - 1n, 2n ** 255n, 2n ** 160n - 1n])("are unlimited at %s if they are allowances", (units) => {
    expect(namesWith().allowance(usdc, units).text).toBe("unlimited USDC");
    expect(amount(units, undefined, usdc)).toMatch(/^[\d,]+ USDC$/);
  });

  it("are unlimited from 10 ^ 24 whole tokens, but not just below", () => {
    expect(namesWith().allowance(usdc, 10n ** 30n).text).toBe("unlimited USDC");
    expect(namesWith().allowance(usdc, 10n ** 30n - 1n).text).toMatch(/^[\d,]+ USDC$/);
    expect(amount(2n ** 160n, undefined, usdc)).toMatch(/^[\d,]+ USDC$/);
  });
});

it("told amounts are recorded until they are taken back", () => {
  const names = namesWith(metadata("FOO", 3));
  const recorded = names.record();
  expect(names.mark()).toBe(0);
  names.amount(usdc, -5n);
  names.amount(null, 0n);
  const mark = names.mark();
  names.nft(token, 7n, 2n);
  names.tally([{ key: "x", amount: 9n } as never, { key: "y", amount: 8n } as never]);
  const first = [
    { key: usdc, amount: 5n },
    { key: "native", amount: 0n },
  ];
  expect([mark, names.mark()]).toEqual([2, 5]);
  expect(recorded).toEqual([
    ...first,
    ...[
      { key: `${token}:7`, amount: 2n },
      { key: "x", amount: 9n },
      { key: "y", amount: 8n },
    ],
  ]);
  names.rewind(mark);
  expect(recorded).toEqual(first);
  names.record();
  names.amount(usdc, 1n);
  expect(recorded).toEqual(first);
});

describe("NFTs", () => {
  const nft = (of: Address, id: bigint, count = 1n, lookup?: TokenLookup) => namesWith(lookup).nft(of, id, count).text;

  it("are named by our label, by the collection's plain symbol in quotes, or by its address", () => {
    expect(nft(toAddress(`0x${"ef".repeat(20)}`), 12n)).toBe("Position NFT #12");
    expect(nft(token, 12n, 1n, metadata("PUNK", null))).toBe('"PUNK" #12 (0x7070…7070)');
    expect(nft(token, 12n)).toBe("NFT #12 of 0x7070…7070");
    expect(nft(token, 12n, 1n, metadata("<b>", null))).toBe("NFT #12 of 0x7070…7070");
  });

  it.each<[string, Address, TokenLookup | undefined, boolean]>([
    ["our label", toAddress(`0x${"ef".repeat(20)}`), undefined, false],
    ["our label, whatever its contract says", toAddress(`0x${"ef".repeat(20)}`), metadata("PUNK", null), false],
    ["its address", token, undefined, false],
    ["our symbol", usdc, undefined, false],
    ["a stranger's symbol", token, metadata("PUNK", null), true],
  ])("are a stranger's word or not, named by %s: %j", (_how, of, lookup, untrusted) => {
    const file = caseOf({ tokens: lookup === undefined ? {} : { [of]: lookup } });
    const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
    expect(new AssetNames(file, labels, policy, shippedTeller()).nft(of, 12n, 1n).untrusted).toBe(untrusted);
  });

  it("have long ids shortened, and copies counted", () => {
    expect(nft(token, 2n ** 256n - 1n)).toBe("NFT #115792…9935 of 0x7070…7070");
    expect(nft(token, 3n, 1_500n)).toBe("1,500 × NFT #3 of 0x7070…7070");
  });
});

describe("cleanText", () => {
  it.each<[string | null, string | null]>([
    [null, null],
    ["", null],
    ["\u200b\u2060\ufeff", null],
    [" A\u0000B\u202e\nC ", "ABC"],
    ["e\u0301", "é"],
    ["\ud800x", "x"],
    ["1234567890", "1234567890"],
    ["12345678901", "123456789…"],
    ["éééééééééé", "éééééééééé"],
    ["ééééééééééé", "ééééééééé…"],
    ["🦊".repeat(10), "🦊".repeat(10)],
    ["🦊".repeat(11), `${"🦊".repeat(9)}…`],
  ])("makes %j into %j", (text, expected) => {
    expect(cleanText(text, 10)).toBe(expected);
  });
});
