import { describe, expect, it } from "vitest";
import { deadAddress, toAddress } from "../../src/kernel/address.ts";
import { transferCall, transferFromCall } from "../../src/kernel/token-standards.ts";
import { addressOf, addressOfWord, isAddressWord } from "../../src/kernel/word.ts";

const small = toAddress(`0x${"5a".repeat(20)}`);

describe("an address in a word", () => {
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
