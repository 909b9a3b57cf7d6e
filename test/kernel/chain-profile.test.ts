import { describe, expect, it } from "vitest";
import { chain } from "../../src/kernel/chain-profile.ts";
import { hashOf } from "../support/sample.ts";

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
    expect(chain.calendar.timeAt(0n)).toBe(Date.parse("2023-06-15T00:35:47Z") / 1000);
    expect(chain.calendar.timeAt(30_000_000n)).toBe(Date.parse("2025-05-09T11:15:47Z") / 1000);
    expect(chain.finalAfterMs).toBe(1_800_000);
    expect(chain.id).toBe(8453);
    expect(chain.currency).toEqual({ symbol: "ETH", decimals: 18 });
    expect(chain.explorerUrl("tx", hashOf(1))).toBe(`https://basescan.org/tx/${hashOf(1)}`);
  });
});
