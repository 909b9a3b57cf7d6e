import { describe, expect, it } from "vitest";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  listedNothing,
  logOf,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const dollars = 1_000_000n;
const unit = 10n ** 18n;
const swap =
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)";

/** A contract that nobody knows sells 1,000 USDC of alice's for WETH; bob has this much of them. */
function traded(share: bigint): string {
  const sold = (1_000n - share) * dollars;
  const amounts = { amount0In: sold, amount1In: 0n, amount0Out: 0n, amount1Out: unit };
  const logs = [
    transferLog(usdc, alice, vault, 1_000n * dollars),
    transferLog(usdc, vault, bob, share * dollars),
    transferLog(usdc, vault, carol, sold),
    transferLog(weth, carol, alice, unit),
    logOf(carol, swap, { sender: vault, to: alice, ...amounts }),
  ];
  const transaction = { to: vault, input: "0x12345678" } as const;
  return explainCase(caseOf({ ...listedNothing, transaction, receipt: { logs } })).explanation.summary;
}

describe("a part of what an exchange took that somebody else has", () => {
  const [a, b] = [alice, bob].map((one) => teller.short(one));

  it.each([1n, 200n])("is told as a part of it where it is small: %s of 1,000", (share) => {
    expect(traded(share)).toBe(`${a} swapped 1,000 USDC for 1 WETH, of which ${share} USDC went to ${b}.`);
  });

  it("is told beside what was exchanged where it is more", () => {
    expect(traded(201n)).toBe(`${a} swapped 799 USDC for 1 WETH. It also sent 201 USDC to ${b}.`);
  });
});
