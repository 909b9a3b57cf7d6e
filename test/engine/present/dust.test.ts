import { describe, expect, it } from "vitest";
import { type Address, readAddress } from "../../../src/kernel/address.ts";
import { explainCase, labels } from "../../property/world.ts";
import { alice, bob, caseOf, listedNothing, transferLog, usdc } from "../../support/case-of.ts";
import { numbered } from "./named-world.ts";

/** Listed tokens whose worth is not known. */
const tokens = [
  "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22",
  "0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452",
  "0x940181a94A35A4569E4529A3CDfB74e38FD98631",
  "0x4ed4E862860beD51a9570b96d89aF5E1B0Efefed",
  "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
  "0x04C0599Ae5A44757c0af6F9eC3b93da8976c150A",
].map((address) => readAddress(address) as Address);
const theft = transferLog(usdc, alice, bob, 5_000_000_000n);
const told = (logs: ReturnType<typeof transferLog>[]) => explainCase(caseOf({ ...listedNothing, receipt: { logs } }));
const sentTo = (amount: bigint) => tokens.map((of, i) => transferLog(of, alice, numbered(i), amount));

describe("a loss among many others", () => {
  it("is told, with its receiver, before dust of listed tokens", () => {
    expect(tokens.every((token) => labels.token(token) !== undefined)).toBe(true);
    for (const logs of [
      [...sentTo(5n), theft],
      [theft, ...sentTo(5n)],
    ]) {
      const { summary, partial } = told(logs).explanation;
      expect(summary).toContain("sent 5,000 USDC, ");
      expect(summary).toContain("of which 5,000 USDC to 0xB0B0…B0B0");
      expect(partial).toBe(false);
    }
  });

  it("makes the answer partial if more than trifles are only counted", () => {
    expect(told([...sentTo(10n ** 18n), theft]).explanation.partial).toBe(true);
    const got = tokens.map((of) => transferLog(of, of, alice, 10n ** 18n));
    expect(told([...got, theft]).explanation.partial).toBe(false);
  });
});
