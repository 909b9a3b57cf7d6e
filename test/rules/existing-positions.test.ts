import { describe, expect, it } from "vitest";
import { explainCase } from "../property/world.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  listedNothing,
  logOf,
  nftTransferLog,
  transferLog,
  usdc,
  weth,
  zero,
} from "../support/case-of.ts";

const positionsV3 = "0x03a520b32c04bf3beef7beb72e919cf822ed34f1";
const positionsV4 = "0x7c5f5a4bbd8fd63184577525326123b519429bdc";
const managerV4 = "0x498581ff718922c3f8e6a244956af099b2652b2b";
const [dollars, ether] = [3_000_000_000n, 10n ** 18n];

/**
 * The summary where alice gives both tokens and position 77 grows. `owner`: who got the position if it is new; null if it existed before.
 */
function told(version: 3 | 4, owner: string | null) {
  const at = version === 3 ? positionsV3 : positionsV4;
  const grown =
    version === 3
      ? logOf(
          at,
          "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
          {
            ...{ tokenId: 77n, liquidity: 5n, amount0: ether, amount1: dollars },
          },
        )
      : logOf(
          managerV4,
          "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)",
          {
            ...{ id: `0x${"1d".repeat(32)}`, sender: at, tickLower: -60, tickUpper: 60, liquidityDelta: 5n },
            salt: `0x${(77).toString(16).padStart(64, "0")}`,
          },
        );
  const taker = version === 3 ? carol : managerV4;
  const logs = [
    ...(owner === null ? [] : [nftTransferLog(at, zero, owner, 77n)]),
    transferLog(usdc, alice, taker, dollars),
    transferLog(weth, alice, taker, ether),
    grown,
  ];
  const file = caseOf({ ...listedNothing, transaction: { to: at, input: "0x12345678" }, receipt: { logs } });
  return explainCase(file).explanation.summary;
}

describe.each([3, 4] as const)("a position of Uniswap v%i", (version) => {
  it("that was there before is told by its number, whosever it is", () => {
    expect(told(version, null)).toBe(
      `0xA1A1…a1a1 added 3,000 USDC and 1 WETH to the existing liquidity position #77 on Uniswap v${version}.`,
    );
  });

  it("that was made is told with its owner where that is somebody else", () => {
    const made = `0xA1A1…a1a1 added 3,000 USDC and 1 WETH to a liquidity position on Uniswap v${version}`;
    expect(told(version, alice)).toBe(`${made}.`);
    expect(told(version, bob)).toBe(`${made}, owned by 0xB0B0…B0B0.`);
  });
});
