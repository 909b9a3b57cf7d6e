import { describe, expect, it } from "vitest";
import { readDomain, refuseOtherChain } from "../../../src/rules/typed-data/domain.ts";
import { refusalOf } from "./refusal.ts";
import { structsOf } from "./sample.ts";

const me = `0x${"a1".repeat(20)}`;

describe("a domain", () => {
  const none = { name: null, version: null, chainId: null, verifyingContract: null, salt: null };
  const salt = `0x${"5".repeat(64)}`;
  const whole = { name: "N", version: "1", chainId: 8453n, verifyingContract: me, salt };
  const every = "string name, string version, uint256 chainId, address verifyingContract, bytes32 salt";

  it.each<[object, string | null, object]>([
    [{}, null, none],
    [{ name: null, chainId: undefined }, null, none],
    [{ ...whole, chainId: 8453 }, null, whole],
    [{ ...whole, chainId: "0x2105" }, every, whole],
    [{ name: "N", salt: null }, "string name", { ...none, name: "N" }],
  ])("is read: %#", (raw, stated, domain) => {
    expect(readDomain(raw, structsOf(stated === null ? {} : { EIP712Domain: stated }))).toEqual(domain);
  });
});

describe("another chain", () => {
  const told = (chainId: bigint | null) => refusalOf(() => refuseOtherChain(chainId, "The order"));

  it("is refused by its number, of which twenty digits are told", () => {
    expect([told(null), told(8453n)]).toEqual([null, null]);
    expect(told(1n)).toBe("The order is for chain 1; only chain 8453 (Base) is explained here.");
    const many = BigInt("12345678901234567890123");
    expect(told(many)).toBe("The order is for chain 12345678901234567890; only chain 8453 (Base) is explained here.");
  });
});
