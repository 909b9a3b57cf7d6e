import fc from "fast-check";
import { bytesToHex, getAddress, keccak256, stringToHex } from "viem/utils";
import { describe, expect, it } from "vitest";
import { checksum, toAddress } from "../../src/kernel/address.ts";
import { digestOf, keccakOfBytes, keccakOfDigits, keccakOfText } from "../../src/kernel/hash.ts";
import { textHex, utf8Text } from "../../src/kernel/hex.ts";

const text = fc.string({ unit: "binary" });

describe("hashes", () => {
  it("are those of viem, of bytes and of texts", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), text, (bytes, words) => {
        const hex = bytesToHex(bytes);
        expect(keccakOfBytes(bytes)).toBe(keccak256(bytes));
        expect(keccakOfDigits(hex.slice(2))).toBe(keccak256(hex));
        expect(keccakOfText(words)).toBe(keccak256(stringToHex(words)));
        expect(digestOf(words)).toBe(keccak256(stringToHex(words)).slice(2));
        expect(textHex(words)).toBe(stringToHex(words));
      }),
    );
  });

  it("are of whole bytes only", () => {
    expect(() => keccakOfDigits("abc")).toThrow();
    expect(() => keccakOfDigits("0x")).toThrow();
    expect(keccakOfDigits("")).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  });

  it("tell an address as EIP-55 has it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const address = bytesToHex(bytes);
        expect(checksum(toAddress(address))).toBe(getAddress(address));
      }),
    );
  });

  it("leave a text as it is on the way through bytes, and half a byte as a small one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (words) => {
        expect(utf8Text(textHex(words).slice(2))).toBe(words);
      }),
    );
    expect(utf8Text("a")).toBe("\n");
  });
});
