import { describe, expect, it } from "vitest";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  type CaseParts,
  carol,
  caseOf,
  logOf,
  token,
  transferLog,
  vault,
  zero,
} from "../../support/case-of.ts";
import { permit2, usdc, weth } from "../assess/scene.ts";

const seen: Pick<CaseParts, "trace"> = {
  trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
};
const usdcContract = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";

function summaryOf(logs: ReturnType<typeof logOf>[], parts: CaseParts = {}): string {
  return explainCase(caseOf({ ...seen, receipt: { logs }, ...parts })).explanation.summary;
}

describe("beside the sentence of an account that gave something", () => {
  it("stands who got what came for it", () => {
    const logs = [transferLog(usdc, alice, vault, 5_000_000n), transferLog(vault, zero, carol, 7n)];
    expect(summaryOf(logs)).toMatch(/giving 5 USDC.*7 raw units of token \S+ went to 0xC4c4…c4C4\./);
  });

  it("stands nobody who got a small part of it, or paid for it too", () => {
    const fee = [
      transferLog(usdc, alice, vault, 5_000_000n),
      transferLog(weth, vault, bob, 90n),
      transferLog(weth, vault, carol, 10n),
    ];
    expect(summaryOf(fee)).not.toContain("went to 0xC4c4…c4C4");
    const own = [transferLog(usdc, alice, vault, 5_000_000n), transferLog(token, zero, alice, 7n)];
    expect(summaryOf(own)).not.toContain("went to");
  });

  it("stands who signed a permission that somebody else handed in, with or without a call tree", () => {
    const permit = logOf(
      permit2,
      "event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)",
      { owner: bob, token: usdcContract, spender: carol, amount: 5_000_000n, expiration: 1_900_000_000, nonce: 0 },
    );
    const logs = [permit, transferLog(usdc, vault, alice, 1n)];
    expect(summaryOf(logs)).toContain("0xB0B0…B0B0 allowed 0xC4c4…c4C4 to spend 5 USDC.");
    expect(summaryOf(logs, { trace: { source: "none", reason: "test" } })).toContain("0xB0B0…B0B0 allowed 0xC4c4…c4C4");
  });

  it("stands whoever got most of a batch", () => {
    const people = Array.from({ length: 6 }, (_, i) => `0x${(0x21 + i).toString(16).repeat(20)}`);
    const even = people.map((to) => transferLog(usdc, alice, to, 1_000_000n));
    expect(summaryOf(even)).toMatch(/sent 6 USDC to 6 recipients\.$/);
    expect(summaryOf([...even, transferLog(usdc, alice, carol, 50_000_000n)])).toMatch(
      /sent 56 USDC to 7 recipients, of which 50 USDC to 0xC4c4…c4C4\.$/,
    );
  });
});

describe("one amount", () => {
  it("tells one loss: ether and wrapped ether that were both given are both told", () => {
    const logs = [transferLog(weth, alice, vault, 10n ** 18n), transferLog(token, zero, alice, 7n)];
    const summary = summaryOf(logs, { transaction: { value: "0x8ac7230489e80000" } });
    expect(summary).toContain("10 ETH");
    expect(summary).toContain("1 WETH");
  });
});
