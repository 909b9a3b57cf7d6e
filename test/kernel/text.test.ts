import { describe, expect, it } from "vitest";
import {
  checksum,
  deadAddress,
  isBurnAddress,
  isNativePlaceholder,
  readAddress,
  shorten,
  toAddress,
  zeroAddress,
} from "../../src/kernel/address.ts";
import {
  compareAmounts,
  decimalText,
  groupThousands,
  parseDecimal,
  readableAmount,
  sizeOf,
  unlimitedThreshold,
} from "../../src/kernel/amount.ts";
import { canonicalJson, compareText, sha256Hex } from "../../src/kernel/canonical.ts";
import { chain } from "../../src/kernel/chain-profile.ts";
import {
  byteLength,
  readHash,
  readHex,
  readPastedHash,
  readQuantity,
  selectorOf,
  shortHex,
  utf8Text,
} from "../../src/kernel/hex.ts";
import { withoutLinks } from "../../src/kernel/link-text.ts";
import { transferCall, transferFromCall } from "../../src/kernel/token-standards.ts";
import { addressOf, addressOfWord, isAddressWord } from "../../src/kernel/word.ts";

const hash = `0x${"ab".repeat(32)}`;
const small = toAddress(`0x${"5a".repeat(20)}`);

describe("a hash", () => {
  it.each([
    [hash, hash],
    [`0x${"AB".repeat(32)}`, hash],
    [`0X${"ab".repeat(32)}`, undefined],
    [hash.slice(0, -1), undefined],
    [`${hash}a`, undefined],
    [`0x${"ag".repeat(32)}`, undefined],
    [5, undefined],
    [undefined, undefined],
  ])("%# is read", (text, expected) => expect(readHash(text)).toBe(expected));

  const other = `0x${"cd".repeat(32)}`;
  it.each([
    [hash, hash],
    [` "${hash}" `, hash],
    ["AB".repeat(32), hash],
    [`https://basescan.org/tx/${hash}#eventlog`, hash],
    [`${hash} ${hash.toUpperCase()} ${"AB".repeat(32)}`, hash],
    [`${hash} ${other}`, undefined],
    [`${hash}a`, undefined],
    [`z${"ab".repeat(32)}`, undefined],
    ["", undefined],
    [`${hash}${" ".repeat(2_000 - 66)}`, hash],
    [`${hash}${" ".repeat(2_001 - 66)}`, undefined],
  ])("%# is found in what was pasted", (text, expected) => expect(readPastedHash(text)).toBe(expected));
});

describe("hex", () => {
  it.each([
    ["0x", "0x"],
    ["0xab", "0xab"],
    ["0xAB", "0xab"],
    ["0xabc", undefined],
    ["0xzz", undefined],
    ["ab", undefined],
    ["", undefined],
    [171, undefined],
  ])("%j is read as %j", (text, expected) => expect(readHex(text)).toBe(expected));

  it.each([
    ["0x0", 0n],
    ["0x9", 9n],
    ["0xa", 10n],
    ["0xf", 15n],
    ["0x1a", 26n],
    ["0x1A", 26n],
    ["0x007f", 127n],
    ["0xabcdef012345", 0xabcdef012345n],
    ["0xabcdef0123456", 0xabcdef0123456n],
    [`0x${"f".repeat(64)}`, (1n << 256n) - 1n],
    ["0", 0n],
    ["42", 42n],
    [7, 7n],
    [0, 0n],
    [Number.MAX_SAFE_INTEGER, 9007199254740991n],
    [Number.MAX_SAFE_INTEGER + 1, undefined],
    [-1, undefined],
    [1.5, undefined],
    ["0x", undefined],
    ["", undefined],
    ["0x1g", undefined],
    ["0x1`", undefined],
    ["0x1:", undefined],
    ["0x1/", undefined],
    ["0x1@", undefined],
    ["0X1a", undefined],
    ["-1", undefined],
    ["1a", undefined],
    [null, undefined],
    [5n, undefined],
  ])("a quantity is read, %#", (text, expected) => expect(readQuantity(text)).toBe(expected));

  it("is measured in bytes, shortened, and read as text", () => {
    expect([byteLength("0x"), byteLength("0xab"), byteLength("0xabcd")]).toEqual([0, 1, 2]);
    expect(shortHex("0x1234567890")).toBe("0x1234567890");
    expect(shortHex("0x12345678901")).toBe("0x1234…8901");
    expect(shortHex("0x1234567890ab")).toBe("0x1234…90ab");
    expect(utf8Text("c3a9")).toBe("é");
    expect(utf8Text("efbbbf41")).toBe("\ufeffA");
    expect(utf8Text("ff")).toBe("\ufffd");
    expect([selectorOf("0x"), selectorOf("0x1234567"), selectorOf("0x12345678"), selectorOf("0x123456789a")]).toEqual([
      undefined,
      undefined,
      "0x12345678",
      "0x12345678",
    ]);
  });
});

describe("an address", () => {
  it.each([
    [small, small],
    [small.replaceAll("a", "A"), small],
    [`0X${small.slice(2)}`, small],
    [`${small}0`, undefined],
    [small.slice(0, -1), undefined],
    [`0x${"5g".repeat(20)}`, undefined],
    [5, undefined],
  ])("%j is read as %j", (text, expected) => expect(readAddress(text)).toBe(expected));

  it("is nobody's where it is zero, or dead", () => {
    expect(zeroAddress).toBe("0x0000000000000000000000000000000000000000");
    expect(deadAddress).toBe("0x000000000000000000000000000000000000dead");
  });

  it("is wrong as our own mistake", () => {
    expect(() => toAddress("0x12")).toThrow("not an address: 0x12");
  });

  it("is shown in the form of EIP-55, and shortened", () => {
    const one = toAddress("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
    expect(checksum(one)).toBe("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
    expect(checksum(one)).toBe(checksum(one));
    expect(shorten(one)).toBe("0x5aAe…eAed");
  });

  it.each([
    [zeroAddress, true, true],
    [deadAddress, true, false],
    [`0x${"e".repeat(40)}`, false, true],
    [`0x${"e".repeat(41)}`, false, false],
    [`0x${"e".repeat(39)}d`, false, false],
    [small, false, false],
  ])("%s is one to burn at: %s; stands for ether: %s", (address, burns, stands) => {
    expect([isBurnAddress(address), isNativePlaceholder(address)]).toEqual([burns, stands]);
  });

  it("is the last twenty bytes of a word whose others are zero", () => {
    const word = `0x${"0".repeat(24)}${small.slice(2)}`;
    expect(isAddressWord(word)).toBe(true);
    expect(addressOfWord(word)).toBe(small);
    expect(addressOf(small.slice(2))).toBe(small);
    expect(
      [undefined, `${word}0`, word.slice(0, -1), `0x1${word.slice(3)}`, `0x${"0".repeat(23)}1${small.slice(2)}`].map(
        isAddressWord,
      ),
    ).toEqual(Array(5).fill(false));
  });

  it("fills a word in calldata", () => {
    const word = small.slice(2).padStart(64, "0");
    expect(transferCall(small)).toBe(`0xa9059cbb${word}`);
    expect(transferFromCall(deadAddress, small)).toBe(`0x23b872dd${deadAddress.slice(2).padStart(64, "0")}${word}`);
  });
});

describe("an amount", () => {
  it.each<[bigint, number, string]>([
    [1_500_000n, 6, "1.5"],
    [1n, 6, "0.000001"],
    [0n, 6, "0"],
    [1_000_000n, 6, "1"],
    [10_000_000n, 6, "10"],
    [123n, 0, "123"],
    [-5n, 0, "-5"],
    [-1_500_000n, 6, "-1.5"],
    [-1n, 1, "-0.1"],
    [100n, 2, "1"],
    [101n, 2, "1.01"],
    [110n, 2, "1.1"],
    [1_000n, 1, "100"],
    [0n, 1, "0"],
  ])("of %d with %d decimals is %s, and back", (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text);
    expect(parseDecimal(text, decimals)).toBe(units);
  });

  it.each([
    ["1.5", 1, 15n],
    ["1.5", 3, 1500n],
    ["-0.5", 1, -5n],
    ["007", 0, 7n],
    ["1.55", 1, undefined],
    ["1.", 1, undefined],
    [".5", 1, undefined],
    ["1e5", 9, undefined],
    ["+1", 0, undefined],
    ["1,000", 0, undefined],
    ["", 0, undefined],
    ["--1", 0, undefined],
  ])("%j with %d decimals is %s units", (text, decimals, units) => expect(parseDecimal(text, decimals)).toBe(units));

  it.each<[bigint, number, string]>([
    [123_457n, 9, "0.000123457"],
    [1_234_564n, 6, "1.23456"],
    [1_234_565n, 6, "1.23457"],
    [1_234_566n, 6, "1.23457"],
    [999_999_5n, 6, "10"],
    [999_999_4n, 6, "9.99999"],
    [1_250_500_000n, 6, "1,250.5"],
    [123_456_789n, 0, "123,456,789"],
    [123_456_789_900n, 3, "123,456,790"],
    [123_456_789_400n, 3, "123,456,789"],
    [-1_234_567n, 6, "-1.23457"],
    [-1_000n, 0, "-1,000"],
    [999n, 0, "999"],
    [1_000n, 0, "1,000"],
    [0n, 18, "0"],
    [100_000n, 6, "0.1"],
  ])("of %d with %d decimals reads %s", (units, decimals, text) => expect(readableAmount(units, decimals)).toBe(text));

  it("has as many figures as are asked for", () => {
    expect(readableAmount(123_456n, 6, 2)).toBe("0.12");
    expect(readableAmount(125_456n, 6, 2)).toBe("0.13");
  });

  it("is without limit from half of the range on", () => {
    expect(unlimitedThreshold).toBe(57896044618658097711785492504343953926634992332820282019728792003956564819968n);
    expect([groupThousands("123"), groupThousands("1234"), groupThousands("1234567")]).toEqual([
      "123",
      "1,234",
      "1,234,567",
    ]);
  });
});

it("the size of an amount has no sign", () => {
  expect([0n, 1n, -1n, 2n ** 255n, -(2n ** 255n)].map(sizeOf)).toEqual([0n, 1n, 1n, 2n ** 255n, 2n ** 255n]);
});

describe("amounts in order", () => {
  it("go from the smallest to the largest", () => {
    expect([3n, -1n, 0n, 2n ** 70n, 3n].sort(compareAmounts)).toEqual([-1n, 0n, 3n, 3n, 2n ** 70n]);
    expect(compareAmounts(1n, 1n)).toBe(0);
  });
});

describe("canonical JSON", () => {
  it.each([
    [{ b: 1, a: [2n, null, undefined, "x"], c: undefined, "": true }, '{"":true,"a":["2",null,null,"x"],"b":1}'],
    [{ Z: 1, a: 2, A: 3 }, '{"A":3,"Z":1,"a":2}'],
    [[], "[]"],
    [{}, "{}"],
    [{ a: undefined }, "{}"],
    [undefined, "null"],
    [null, "null"],
    ['"', '"\\""'],
    [1.5, "1.5"],
    [false, "false"],
  ])("%# is written", (value, text) => expect(canonicalJson(value)).toBe(text));

  it("is hashed as UTF-8, and texts are ordered by code unit", () => {
    expect(sha256Hex("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
    expect([compareText("a", "b"), compareText("b", "a"), compareText("a", "a"), compareText("Z", "a")]).toEqual([
      -1, 1, 0, -1,
    ]);
    expect(["é", "z", "B", "a"].sort(compareText)).toEqual(["B", "a", "z", "é"]);
  });
});

describe("the chain", () => {
  it.each([
    ["0x4200000000000000000000000000000000000000", true],
    ["0x42000000000000000000000000000000000007ff", true],
    ["0x4200000000000000000000000000000000000800", false],
    ["0x4200000000000000000000000000000000001000", false],
  ])("has %s as its own contract: %s", (address, expected) => expect(chain.predeploy.test(address)).toBe(expected));

  it.each([
    [`0x${"0".repeat(39)}1`, true],
    [`0x${"0".repeat(39)}a`, true],
    [`0x${"0".repeat(39)}b`, false],
    [`0x${"0".repeat(39)}0`, false],
    [`0x${"0".repeat(37)}100`, true],
    [`0x${"0".repeat(37)}101`, false],
  ])("has %s as a precompile: %s", (address, expected) => expect(chain.precompile.test(address)).toBe(expected));

  it("made its blocks at times that are known", () => {
    // The genesis block, and block 30,000,000, as explorers show them.
    expect(chain.blockTime(0)).toBe(Date.parse("2023-06-15T00:35:47Z") / 1000);
    expect(chain.blockTime(30_000_000)).toBe(Date.parse("2025-05-09T11:15:47Z") / 1000);
    expect(chain.finalAfterMs).toBe(1_800_000);
    expect(chain.id).toBe(8453);
    expect(chain.currency).toEqual({ symbol: "ETH", decimals: 18 });
    expect(chain.explorerUrl("tx", hash)).toBe(`https://basescan.org/tx/${hash}`);
  });
});

describe("links in foreign text", () => {
  it.each([
    ["see https://a.example/x?y now", "see (link) now"],
    ["www.anything here", "(link) here"],
    ["claim.xyz/path", "(link)"],
    ["a。com", "(link)"],
    ["morpho.finance:443/x", "(link)"],
    ["alice.base.eth", "alice.base.eth"],
    ["1.5 ETH", "1.5 ETH"],
    ["name.company", "name.company"],
    ["xwww.y", "xwww.y"],
  ])("%j is shown as %j", (text, expected) => expect(withoutLinks(text)).toBe(expected));
});
