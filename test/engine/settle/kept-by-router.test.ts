import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  logOf,
  transferLog as moved,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";

const unit = 10n ** 18n;
/** Uniswap's routers, 0x's, and one that nobody knows. */
const universal = "0x6ff5693b99212da76ad316178a184ab56d299b43";
const second = "0x2626664c2603336e57b271c5c0b26f421741e481";
const first = "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24";
const zeroEx = "0xdef1c0ded9bec7f1a1670819833240f027b25eff";
const routers: [string, string][] = [
  ["Uniswap v3 SwapRouter02", second],
  ["0x Exchange Proxy", zeroEx],
  ["0x5A5a…5a5A", vault],
];

/** Without a call tree: 3,000 USDC of alice's are traded for a WETH, and a router gets the WETH. */
function bought(router: string, more: RpcLog[] = [], input = "0x12345678") {
  const swap =
    "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)";
  const amounts = { amount0In: 3_000_000_000n, amount1In: 0n, amount0Out: 0n, amount1Out: unit };
  const logs = [
    moved(usdc, alice, carol, 3_000_000_000n),
    moved(weth, carol, router, unit),
    logOf(carol, swap, { sender: router, to: router, ...amounts }),
    ...more,
  ];
  const file = caseOf({
    transaction: { to: router, input: input as `0x${string}` },
    receipt: { gasUsed: "0x30000", logs },
  });
  return explainCase(file).explanation;
}
const unwrapped = (who: string) =>
  logOf(weth, "event Withdrawal(address indexed src, uint256 wad)", { src: who, wad: unit });

describe("wrapped ether that a router keeps", () => {
  it.each(routers)("does not count as proceeds of the account that called the router: %s", (name, router) => {
    const { action_type, summary, partial } = bought(router);
    expect({ action_type, partial }).toEqual({ action_type: "contract_interaction", partial: true });
    expect(summary.toLowerCase()).toContain(`by this 1 weth went to ${name}.`.toLowerCase());
  });

  it("counts as paid to the router if a known call says that it swaps", () => {
    const step = `0x${"2".padStart(64, "0")}${(3_000_000_000).toString(16).padStart(64, "0")}${"".padStart(64, "0")}${"a0".padStart(64, "0")}${"1".padStart(64, "0")}${"2b".padStart(64, "0")}${usdc.slice(2)}0001f4${weth.slice(2)}${"".padStart(42, "0")}`;
    const input = calldata("function execute(bytes commands, bytes[] inputs, uint256 deadline)", ["0x00", [step], 9n]);
    expect(bought(universal, [], input).summary).toMatch(
      / swapped 3,000 USDC on Uniswap, paid out to Uniswap Universal Router \(1 WETH\)\. /,
    );
  });

  it("has no certain owner after it is unwrapped", () => {
    expect(bought(zeroEx, [unwrapped(zeroEx)]).summary).toMatch(
      / swapped 3,000 USDC for ETH \(not traced\) on 0x\. Ether moved /,
    );
    expect(bought(vault, [unwrapped(vault)]).action_type).toBe("contract_interaction");
  });

  it.each(["swapExactTokensForETH", "swapExactTokensForETHSupportingFeeOnTransferTokens"])(
    "is somebody else's where %s says so",
    (name) => {
      const say = (to: string) =>
        calldata(`function ${name}(uint256 a, uint256 b, address[] p, address to, uint256 d)`, [
          1n,
          0n,
          [usdc, weth],
          to,
          9n,
        ]);
      expect(bought(first, [unwrapped(first)], say(bob)).summary).toMatch(
        / swapped 3,000 USDC on Uniswap v2, paid out to 0xb0b0…b0b0\. /i,
      );
      expect(bought(first, [unwrapped(first)], say(alice)).summary).toMatch(/ for ETH \(not traced\) on Uniswap v2\. /);
    },
  );

  it("is ignored if it is a trifle of what passed through", () => {
    const passed = moved(weth, zeroEx, bob, unit - 1n);
    expect(bought(zeroEx, [passed]).summary).not.toContain("0x Exchange Proxy.");
  });
});
