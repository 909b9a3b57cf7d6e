import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  base58,
  byteLength,
  readHash,
  readHex,
  readPastedHash,
  readQuantity,
  selectorOf,
  shortHex,
  utf8Text,
} from "../../src/kernel/hex.ts";

const hash = `0x${"ab".repeat(32)}`;

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

  it("has no other character, wherever it stands", () => {
    const digits = fc.array(fc.constantFrom(..."0123456789abcdefABCDEF"), { minLength: 1, maxLength: 300 });
    const stranger = fc
      .string({ unit: "binary", minLength: 1, maxLength: 1 })
      .filter((unit) => !/^[0-9a-f]/i.test(unit));
    fc.assert(
      fc.property(digits, stranger, fc.nat(), (some, unit, place) => {
        const text = some.length % 2 === 0 ? some : [...some, "0"];
        expect(readHex(`0x${text.join("")}`)).toBe(`0x${text.join("").toLowerCase()}`);
        const spoiled = text.with(place % text.length, unit).join("");
        expect(readHex(`0x${spoiled}`)).toBeUndefined();
      }),
    );
  });

  it.each([65_534, 65_536, 65_538])("of %d digits is read to its end", (length) => {
    const digits = "0123456789abcdef".repeat(length).slice(0, length);
    expect(readHex(`0x${digits}`)).toBe(`0x${digits}`);
    for (const end of ["g", "é", "İ"]) expect(readHex(`0x${digits.slice(0, -1)}${end}`)).toBeUndefined();
  });

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

describe("base 58", () => {
  it.each([
    [`0x${"00".repeat(32)}`, "1".repeat(32)],
    [
      "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61",
      "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    ],
    ["0x0000287fb4cd", "11233QC4"],
    ["0x", ""],
  ] as const)("writes %s as %s", (hex, text) => expect(base58(hex)).toBe(text));

  it("tells any two texts of bytes apart", () => {
    const bytes = fc
      .uint8Array({ minLength: 0, maxLength: 40 })
      .map((part) => `0x${Buffer.from(part).toString("hex")}`);
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(base58(a as "0x") === base58(b as "0x")).toBe(a === b);
      }),
    );
  });
});
