import { describe, expect, it } from "vitest";
import {
  checksum,
  create2Address,
  deadAddress,
  isBurnAddress,
  isNativePlaceholder,
  readAddress,
  shorten,
  toAddress,
  zeroAddress,
} from "../../src/kernel/address.ts";

const small = toAddress(`0x${"5a".repeat(20)}`);

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

  it("is known before code is created there by CREATE2", () => {
    const salt = "00".repeat(32);
    // Of the examples of EIP-1014.
    expect(create2Address(zeroAddress, `0x${salt}00`)).toBe("0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38");
    const deployer = toAddress("0xdeadbeef00000000000000000000000000000000");
    expect(create2Address(deployer, `0x${salt}00`)).toBe("0xb928f69bb1d91cd65274e3c79d8986362984fda3");
  });

  it.each(["0x", `0x${"00".repeat(32)}`, `0x${"00".repeat(32)}0`])("is not known of calldata %s", (data) => {
    expect(create2Address(zeroAddress, data)).toBeUndefined();
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
});
