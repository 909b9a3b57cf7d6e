import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  listedNothing,
  logOf,
  transferLog as moved,
  token,
  usdc,
  vault,
  weth,
  zero,
} from "../../support/case-of.ts";

/** Contracts of others: the pool that trades, Balancer's vault, Aave's pool and Morpho. */
const pool = carol;
const balancer = "0xba12222222228d8ba445958a75a0704d566bf2c8";
const aave = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const morpho = "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb";
const unit = 10n ** 18n;
const wrapLog = (who: string, wad: bigint) =>
  logOf(weth, "event Deposit(address indexed dst, uint256 wad)", { dst: who, wad });

/** Ten WETH are lent to somebody and given back. `inside`: what happens in between. */
const loans: Record<string, (who: string, inside: RpcLog[]) => RpcLog[]> = {
  "Balancer v2": (who, inside) => [
    moved(weth, balancer, who, 10n * unit),
    ...inside,
    moved(weth, who, balancer, 10n * unit),
    logOf(
      balancer,
      "event FlashLoan(address indexed recipient, address indexed token, uint256 amount, uint256 feeAmount)",
      {
        ...{ recipient: who, token: weth, amount: 10n * unit, feeAmount: 0n },
      },
    ),
  ],
  "Aave v3": (who, inside) => [
    moved(weth, bob, who, 10n * unit),
    ...inside,
    moved(weth, who, bob, 10n * unit),
    logOf(
      aave,
      "event FlashLoan(address indexed target, address initiator, address indexed asset, uint256 amount, uint8 interestRateMode, uint256 premium, uint16 indexed referralCode)",
      {
        target: who,
        initiator: who,
        asset: weth,
        amount: 10n * unit,
        interestRateMode: 0,
        premium: 0n,
        referralCode: 0,
      },
    ),
  ],
  Morpho: (who, inside) => [
    logOf(morpho, "event FlashLoan(address indexed caller, address indexed token, uint256 assets)", {
      ...{ caller: who, token: weth, assets: 10n * unit },
    }),
    moved(weth, morpho, who, 10n * unit),
    ...inside,
    moved(weth, who, morpho, 10n * unit),
  ],
  "Uniswap v3": (who, inside) => [
    moved(weth, bob, who, 10n * unit),
    ...inside,
    moved(weth, who, bob, 10n * unit),
    logOf(
      bob,
      "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
      { sender: who, recipient: who, amount0: 10n * unit, amount1: 0n, paid0: 0n, paid1: 0n },
    ),
  ],
};

describe.each(Object.entries(loans))("a trade while a loan of %s is out", (_, lend) => {
  /** One ether of alice's is wrapped by a contract, which trades it for USDC. */
  const trade = (who: string, to: string) => [
    wrapLog(who, unit),
    moved(weth, who, pool, unit),
    moved(usdc, pool, to, 3_000_000_000n),
    logOf(
      pool,
      "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
      { sender: who, to, amount0In: unit, amount1In: 0n, amount0Out: 0n, amount1Out: 3_000_000_000n },
    ),
  ];

  it("is told if an account borrows with its own code", () => {
    const wraps = { type: "call", from: alice, to: weth, value: "0xde0b6b3a7640000", success: true };
    const file = caseOf({
      ...listedNothing,
      transaction: { to: alice, input: "0x12345678" },
      receipt: { logs: lend(alice, trade(alice, alice)) },
      trace: { source: "internal_transfers", provider: "x", internal_transfers: [wraps] },
    });
    expect(explainCase(file).explanation).toMatchObject({
      action_type: "swap",
      summary: "0xA1A1…a1a1 swapped 1 ETH for 3,000 USDC.",
    });
  });

  it("is told if a contract borrows for an account", () => {
    const file = caseOf({
      ...listedNothing,
      transaction: { to: vault, value: "0xde0b6b3a7640000", input: "0x12345678" },
      receipt: { logs: lend(vault, trade(vault, alice)) },
    });
    expect(explainCase(file).explanation.summary).toBe("0xA1A1…a1a1 swapped 1 ETH for 3,000 USDC.");
  });

  it("does not count as burned if a receipt token is burned beside it", () => {
    const file = caseOf({
      ...listedNothing,
      transaction: { to: vault, value: "0xde0b6b3a7640000", input: "0x12345678" },
      receipt: { logs: lend(vault, [moved(token, alice, zero, 5n), ...trade(vault, vault)]) },
    });
    const { summary } = explainCase(file).explanation;
    expect(summary).toMatch(
      / burned 5 raw units of token 0x\w+…\w+\. By this 3,000 USDC went to 0x5A5a…5a5a; it also gave 1 ETH for it\.$/i,
    );
  });

  it("names only givers who gave more than they got back", () => {
    const file = caseOf({
      transaction: { to: alice, input: "0x12345678" },
      receipt: { logs: lend(alice, trade(alice, alice)) },
    });
    expect(explainCase(file).explanation.summary).not.toMatch(/from [^.]* and /);
  });
});

describe("what a loan stands beside", () => {
  const receipt = "0xd4a0e0b9149bcee3c920d2e00b5de09138fd8bb7";
  /** Alice's Aave receipt is destroyed for ether, and she gets `got` USDC. */
  const redeemed = (taker: string, got: bigint) => [
    moved(receipt, alice, vault, 10n * unit),
    moved(receipt, vault, zero, 10n * unit),
    moved(weth, receipt, taker, 10n * unit),
    moved(usdc, vault, alice, got),
  ];
  const told = (logs: RpcLog[]) =>
    explainCase(caseOf({ ...listedNothing, transaction: { input: "0x12345678" }, receipt: { logs } })).explanation
      .summary;

  it.each(["Morpho", "Aave v3"])("is told, whatever of the same asset came back, with who got it: %s", (name) => {
    const summary = told(loans[name]?.(vault, redeemed(token, 10n)) ?? []);
    expect(summary).toMatch(
      / used a flash loan of 10 WETH from .* By this 10 WETH went to 0x7070…7070; it also gave 10 aBasWETH for it\./,
    );
  });
});
