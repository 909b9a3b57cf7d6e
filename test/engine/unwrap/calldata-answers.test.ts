import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import { bob, calldata, carol, logOf, transferLog, usdc, vault, weth } from "../../support/case-of.ts";
import { entryPoint, execute, executeBatch, userOperation, userOperationEvent } from "../../support/envelopes.ts";
import { ether, movementsOf, sends } from "./told-ether.ts";

describe("an answer that rests on calldata", () => {
  it("tells what was sent, and says where that is from", () => {
    const input = userOperation(bob, execute(carol, ether));
    const { explanation } = explainCase(sends(entryPoint, input, [userOperationEvent(bob)]));
    expect(explanation.summary).toMatch(
      /^0xB0B0…b0b0 sent 1 ETH to 0xC4c4…\w+\. The ether sent is what the calldata says; other ether moved inside could not be traced\.$/i,
    );
    expect(explanation).toMatchObject({
      action_type: "eth_transfer",
      partial: true,
      assets_moved: [{ token: "ETH", amount: "1", standard: "native" }],
    });
  });

  it("gives a smart account's swap of ether its giving side", () => {
    const input = userOperation(bob, executeBatch([{ target: vault, value: ether, data: "0x12345678" }]));
    const logs = [transferLog(usdc, vault, bob, 2_500_000_000n), userOperationEvent(bob)];
    const { explanation } = explainCase(sends(entryPoint, input, logs));
    expect(explanation.summary).toContain("swapped 1 ETH for 2,500 USDC");
    expect(explanation.action_type).toBe("swap");
  });

  it("counts ether once that was wrapped, or unwrapped and sent on", () => {
    const wrap = userOperation(
      bob,
      executeBatch([{ target: weth, value: ether, data: calldata("function deposit()") }]),
    );
    const deposit = logOf(weth, "event Deposit(address indexed dst, uint256 wad)", { dst: bob, wad: ether });
    const wrapped = explainCase(sends(entryPoint, wrap, [deposit, userOperationEvent(bob)])).explanation;
    expect(wrapped.action_type).toBe("wrap");
    expect(wrapped.summary).toContain(" wrapped 1 ETH into WETH. ");
    expect(wrapped.assets_moved.map(({ token, amount }) => `${amount} ${token}`).sort()).toEqual(["1 ETH", "1 WETH"]);
    const unwrapData = calldata("function withdraw(uint256 wad)", [ether]);
    const onward = userOperation(
      bob,
      executeBatch([
        { target: weth, value: 0n, data: unwrapData },
        { target: carol, value: ether, data: "0x" },
      ]),
    );
    const withdrawal = logOf(weth, "event Withdrawal(address indexed src, uint256 wad)", { src: bob, wad: ether });
    const file = sends(entryPoint, onward, [withdrawal, userOperationEvent(bob)]);
    expect(movementsOf(file).map(({ basis, amount, to }) => [basis, amount, to])).toEqual([
      ["log", ether, weth],
      ["inferred", ether, bob],
      ["calldata", ether, carol],
    ]);
    const list: CaseFile["trace"] = {
      source: "internal_transfers",
      provider: "explorer.example",
      internal_transfers: [
        { type: "call", from: weth, to: bob, value: "0xde0b6b3a7640000", success: true },
        { type: "call", from: bob, to: carol, value: "0xde0b6b3a7640000", success: true },
      ],
    };
    // The sentence is the same as with an explorer's list, except for the words about its source.
    const [plain, listed] = [file, { ...file, trace: list }].map((one) => explainCase(one).explanation.summary);
    expect(plain).toBe(
      `${listed} The ether sent is what the calldata says; other ether moved inside could not be traced.`,
    );
  });
});
