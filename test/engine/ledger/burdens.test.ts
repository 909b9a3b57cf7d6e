import { describe, expect, it } from "vitest";
import { alice, bob, calldata, carol, logOf, transferLog, usdc, vault, zero } from "../../support/case-of.ts";
import { explain, logs, unknownCall } from "../shipped-answer.ts";

const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
const reserves = "0x4e65fE4DbA92790696d040ac24Aa414708F5c0AB";
const borrowed = (onBehalfOf: string) =>
  logOf(
    pool,
    "event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)",
    {
      reserve: usdc,
      user: vault,
      onBehalfOf,
      amount: 5_000_000n,
      interestRateMode: 2,
      borrowRate: 0n,
      referralCode: 0,
    },
  );

describe("what somebody else's act puts on an account that did nothing", () => {
  const paid = [transferLog(usdc, reserves, vault, 5_000_000n), transferLog(usdc, vault, alice, 5_000_000n)];

  it("is told for it: a debt", () => {
    const { summary } = explain({ transaction: { input: unknownCall }, ...logs(...paid, borrowed(bob)) });
    expect(summary).toMatch(/0xb0b0…b0b0 was made by others to borrow 5 USDC from Aave v3\./i);
  });

  it("is not told of an account that acted", () => {
    const { summary } = explain({ transaction: { input: unknownCall }, ...logs(...paid, borrowed(alice)) });
    expect(summary).not.toMatch(/was made by|is said by/);
    const writes = logOf(bob, "event Worked(uint256 amount)", { amount: 1n });
    const acted = explain({ transaction: { input: unknownCall }, ...logs(...paid, borrowed(bob), writes) });
    expect(acted.summary).not.toMatch(/was made by|is said by/);
  });

  it("is told for it: votes, by a contract that the sender called, and not by another one", () => {
    const input = calldata(
      "function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)",
      [carol, 0n, 9n, 27, `0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`],
    );
    const changed = (at: string) =>
      logOf(
        at,
        "event DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate)",
        { delegator: bob, fromDelegate: zero, toDelegate: carol },
      );
    const { summary } = explain({ transaction: { input }, ...logs(changed(vault)) });
    expect(summary).toMatch(/0xb0b0…b0b0 is said by 0x5a5a…5a5a to delegate its votes in 0x5a5a…5a5a to 0xc4c4…c4c4/i);
    expect(explain({ transaction: { input }, ...logs(changed(carol)) }).summary).not.toMatch(/was made by|is said by/);
  });
});
