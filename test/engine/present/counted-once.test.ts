import { describe, expect, it } from "vitest";
import { explainCase } from "../../property/world.ts";
import { alice, bob, calldata, carol, caseOf, listedNothing, logOf, transferLog, usdc } from "../../support/case-of.ts";

const approval = "event Approval(address indexed owner, address indexed spender, uint256 value)";
const stranger = (at: number) => `0x${(4096 + at).toString(16).repeat(10)}`;
const many = (count: number) => Array.from({ length: count }, (_, at) => stranger(at));

/** The answer for one batch of an account's own calls: this many allowances, and these tokens sent to bob. */
function batch({ allows = 0, sends = [] as string[] }) {
  const spenders = many(allows);
  const calls = [
    ...sends.map((to) => ({ to, data: calldata("function transfer(address to, uint256 value)", [bob, 5n]) })),
    ...spenders.map((of) => ({
      to: of,
      data: calldata("function approve(address spender, uint256 value)", [carol, 9n]),
    })),
  ];
  const input = calldata("function executeBatch((address to, uint256 value, bytes data)[] calls)", [
    calls.map((call) => ({ ...call, value: 0n })),
  ]);
  const logs = [
    ...sends.map((of) => transferLog(of, alice, bob, 5n)),
    ...spenders.map((of) => logOf(of, approval, { owner: alice, spender: carol, value: 9n })),
  ];
  return explainCase(caseOf({ ...listedNothing, transaction: { to: alice, input }, receipt: { logs } })).explanation;
}

describe("acts for which there is no room", () => {
  it.each([6, 42])("are counted once if there are %i allowances", (allows) => {
    const { summary } = batch({ allows });
    expect(summary.match(/ to spend /g)).toHaveLength(5);
    expect(summary).toMatch(new RegExp(` and gave ${allows - 5} more allowances?\\.$`));
  });

  it("are not counted as steps besides the loss", () => {
    const { summary } = batch({ allows: 20, sends: [usdc] });
    expect(summary).toContain("sent 0.000005 USDC to ");
    expect(summary).not.toContain("more step");
  });

  it("are counted among what one receiver got, and the most important is named", () => {
    const { summary, partial } = batch({ allows: 20, sends: [...many(40), usdc] });
    expect(summary).toMatch(/^0xA1A1…a1a1 (sent|allowed) /);
    expect(summary).toMatch(/0\.000005 USDC, .* and 38 more assets to 0xB0B0…b0b0/i);
    expect(partial).toBe(true);
  });
});
