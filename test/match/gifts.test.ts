import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../src/model/case-file.ts";
import { explainCase } from "../property/world.ts";
import { alice, bob, calldata, carol, caseOf, transferLog, usdc, weth } from "../support/case-of.ts";

const stranger = `0x${"99".repeat(20)}` as const;
const pool = `0x${"88".repeat(20)}` as const;
const foo = `0x${"77".repeat(20)}` as const;
const gift = transferLog(foo, stranger, alice, 5n);
const given = transferLog(usdc, alice, bob, 2_000_000n);
const send = calldata("function transfer(address to, uint256 value)", [bob, 2_000_000n]);

const answer = (to: string, input: `0x${string}`, logs: RpcLog[]) => {
  const { explanation } = explainCase(caseOf({ transaction: { to, input }, receipt: { logs } }));
  return { type: explanation.action_type, summary: explanation.summary };
};

describe("a bystander's gift", () => {
  it("does not make a trade of what was sent, and is told", () => {
    const { type, summary } = answer(usdc, send, [given, gift]);
    expect(type).toBe("erc20_transfer");
    expect(summary).toMatch(/sent 2 USDC to .*5 raw units of token 0x7777…7777/);
  });

  it("does not hide an exchange", () => {
    const swap = [transferLog(usdc, alice, pool, 2_000_000n), transferLog(weth, pool, alice, 7n)];
    expect(answer(carol, "0x12345678", swap).type).toBe("swap");
    expect(answer(carol, "0x12345678", [...swap, gift]).type).toBe("swap");
  });

  it("is none when its giver was called, was paid or spoke in the transaction", () => {
    const paid = [given, transferLog(foo, bob, alice, 5n)];
    expect(answer(carol, "0x12345678", paid).type).toBe("swap");
    expect(answer(stranger, "0x12345678", [given, gift]).summary).toMatch(/2 USDC.* for |giving 2 USDC.* receiving/);
  });
});
