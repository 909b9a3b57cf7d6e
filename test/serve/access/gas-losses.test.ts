import { describe, expect, it } from "vitest";
import { countGasLosses } from "../../../src/serve/access/facilitator/gas-wallet.ts";

describe("gas that was lost", () => {
  const reverted = (gasUsed: bigint) => ({ status: "reverted", gasUsed }) as const;

  it("is too much from five million on, whoever lost it, until an hour after each loss", () => {
    let now = 0;
    const losses = countGasLosses(() => now);
    expect(losses.areTooMany()).toBe(false);
    losses.note({ status: "success", gasUsed: 9_000_000n });
    for (let payer = 0; payer < 9; payer++) {
      losses.note(reverted(500_000n));
      now += 1_000;
    }
    losses.note(reverted(499_999n));
    expect(losses.areTooMany()).toBe(false);
    losses.note(reverted(1n));
    expect(losses.areTooMany()).toBe(true);
    now = 3_599_999;
    expect(losses.areTooMany()).toBe(true);
    now += 1;
    expect(losses.areTooMany()).toBe(false);
  });
});
