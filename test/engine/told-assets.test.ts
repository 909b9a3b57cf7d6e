import { describe, expect, it } from "vitest";
import { checksum } from "../../src/kernel/address.ts";
import {
  alice,
  bob,
  calldata,
  logOf,
  nftTransferLog,
  token,
  transferLog,
  usdc,
  weth,
  zero,
} from "../support/case-of.ts";
import { explain, logs, unknownCall } from "./shipped-answer.ts";

describe("plain English", () => {
  it("mints instead of receiving from the zero address", () => {
    const { action_type, summary } = explain({
      transaction: { to: token, input: unknownCall },
      ...logs(nftTransferLog(token, zero, alice, 7n)),
    });
    expect(action_type).toBe("nft_mint");
    expect(summary).toMatch(/ minted NFT #7 of /);
    expect(summary).not.toMatch(/0x0000/);
  });

  it("never tells an amount of zero as the deed", () => {
    const { summary } = explain({ transaction: { input: unknownCall }, ...logs(transferLog(usdc, alice, bob, 0n)) });
    expect(summary).not.toMatch(/\b0 USDC/);
  });

  it("has no movement of ether in a transaction that reverted", () => {
    const { assets_moved, summary } = explain({
      transaction: { to: bob, value: "0x5" },
      receipt: { status: "0x0", logs: [] },
    });
    expect(assets_moved).toEqual([]);
    expect(summary).toMatch(/ tried to .*, but the transaction reverted\. /);
  });
});

describe("completeness", () => {
  it("every element of a large batch is there", () => {
    const batch =
      "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)";
    const ids = Array.from({ length: 150 }, (_, i) => BigInt(i));
    const { assets_moved, partial } = explain({
      transaction: { to: token, input: unknownCall },
      ...logs(logOf(token, batch, { operator: alice, from: alice, to: bob, ids, values: ids.map(() => 1n) })),
    });
    expect(assets_moved.map(({ token_id }) => token_id)).toEqual(ids.map(String));
    expect(partial).toBe(false);
  });

  it("is never claimed where ether may have moved unseen", () => {
    const parts = {
      transaction: { input: unknownCall },
      receipt: { gasUsed: "0xffff", logs: [transferLog(usdc, alice, bob, 1n)] },
    };
    expect(explain({ ...parts, trace: { source: "none", reason: "no endpoint offers a trace" } }).partial).toBe(true);
    expect(explain(parts).partial).toBe(false);
  });

  it("ether that came out of wrapped ether is seen without any trace", () => {
    const withdrawal = logOf(weth, "event Withdrawal(address indexed src, uint256 wad)", { src: alice, wad: 5n });
    const input = calldata("function withdraw(uint256 wad)", [5n]);
    const { assets_moved } = explain({
      transaction: { to: weth, input },
      ...logs(withdrawal),
      trace: { source: "none", reason: "" },
    });
    expect(assets_moved.map(({ token: symbol, from }) => [symbol, from])).toEqual([
      ["WETH", checksum(alice)],
      ["ETH", checksum(weth)],
    ]);
  });
});
