import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { alice, bob, calldata, carol, frame, logOf, transferLog, usdc, vault, zero } from "../../support/case-of.ts";
import { explain, logs } from "../shipped-answer.ts";

const stake = calldata("function stake(uint256 amount)", [5_000_000n]);

function staked(list: readonly RpcLog[], more: Parameters<typeof explain>[0] = {}) {
  return explain({ transaction: { input: stake }, ...logs(...list), ...more }).summary;
}

describe("an act at a stranger's contract", () => {
  const paid = transferLog(usdc, alice, vault, 5_000_000n);

  it("stays as it is where the contract kept the money", () => {
    expect(staked([paid])).toMatch(/staked 5 USDC at 0x5A5A…5a5A\.$/i);
  });

  it("names who has the money in the end", () => {
    expect(staked([paid, transferLog(usdc, vault, bob, 5_000_000n)])).toMatch(
      /staked 5 USDC at 0x5A5A…5a5A, and 0xb0b0…b0b0 has the 5 USDC now\./i,
    );
    const hops = [paid, transferLog(usdc, vault, carol, 5_000_000n), transferLog(usdc, carol, bob, 5_000_000n)];
    expect(staked(hops)).toMatch(/and 0xb0b0…b0b0 has the 5 USDC now\./i);
  });

  it("names every keeper with his part, the first two by name", () => {
    const parts = [paid, transferLog(usdc, vault, bob, 3_000_000n), transferLog(usdc, vault, carol, 2_000_000n)];
    expect(staked(parts)).toMatch(/0xb0b0…b0b0 has the 3 USDC and 0xc4c4…c4c4 has the 2 USDC now/i);
  });

  it("also covers shares that it mints, but not a strategy that runs code", () => {
    const deposit = calldata("function deposit(uint256 assets, address receiver)", [5_000_000n, alice]);
    const event = "event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)";
    const list = [
      paid,
      transferLog(vault, zero, alice, 5_000_000n),
      logOf(vault, event, { sender: alice, owner: alice, assets: 5_000_000n, shares: 5_000_000n }),
      transferLog(usdc, vault, bob, 5_000_000n),
    ];
    expect(staked(list, { transaction: { input: deposit } })).toMatch(/and 0xb0b0…b0b0 has the 5 USDC now/i);
    const worked = logOf(bob, "event Worked(uint256 amount)", { amount: 5_000_000n });
    expect(staked([...list, worked], { transaction: { input: deposit }, ...logs(...list, worked) })).not.toMatch(
      /has the/,
    );
  });

  it("shows in a call tree who only got money and did nothing", () => {
    const list = [paid, transferLog(usdc, vault, bob, 5_000_000n)];
    const root = frame(alice, vault, { input: stake, calls: [frame(vault, usdc), frame(vault, usdc)] });
    const trace = { source: "debug_traceTransaction" as const, root };
    expect(staked(list, { trace })).toMatch(/has the 5 USDC now/);
  });
});
