import { expect, it } from "vitest";
import { chain } from "../../src/kernel/chain-profile.ts";
import { hashOf } from "../support/sample.ts";

it("the chain that is explained is Base", () => {
  expect(chain.finalAfterMs).toBe(1_800_000);
  expect(chain.id).toBe(8453);
  expect(chain.currency).toEqual({ symbol: "ETH", decimals: 18 });
  expect(chain.explorerUrl("tx", hashOf(1))).toBe(`https://basescan.org/tx/${hashOf(1)}`);
});
