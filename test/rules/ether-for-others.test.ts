import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import { readActs, shippedWorld } from "./world.ts";

const world = shippedWorld();
const ether = "1000000000000000000";
const [itself, router] = [1, 2].map((end) => `0x${"0".repeat(39)}${end}`);

/** What is told without a call tree. */
function told(to: string, call: Record<string, unknown>, logs: unknown[]): string {
  const { plain } = readActs({ calls: [{ to, call }], logs }, world);
  const { explanation } = decide(
    { ...plain, trace: { source: "none", reason: "left out" } },
    world.ruleset,
    world.labels,
  );
  return explanation.summary.replace(" Ether moved inside the call could not be traced.", "");
}

/** The account gives USDC, and this contract unwraps WETH for it. */
const sold = (by: string) => [
  { transfer: { token: "USDC", from: "alice", to: "carol", amount: "3000000000" } },
  { transfer: { token: "WETH", from: "carol", to: by, amount: ether } },
  { "weth/Withdrawal": { at: "WETH", src: by, wad: ether } },
];
const swapIn = { v3SwapExactIn: { recipient: router, amountIn: "3000000000", path: ["USDC", "0x0001f4", "WETH"] } };
const steps = (commands: string, ...inputs: Record<string, object>[]) => ({
  "uniswap-universal-router/execute": {
    commands,
    inputs: [swapIn, ...inputs].map((one) => ({
      [`uniswap-universal-router/${Object.keys(one)[0]}`]: Object.values(one)[0],
    })),
  },
});
const calls = (...data: [string, object][]) => ({
  "multicall/multicall": { data: data.map(([name, args]) => ({ [`uniswap-v3/${name}`]: args })) },
});

describe("ether of a swap, without a call tree", () => {
  const at = "uniswap-universal-router/router";
  const unwrapped = (recipient: string | undefined) =>
    told(at, steps("0x000c", { unwrapWeth: { recipient } }), sold(at));
  it("is told with whom the router pays, and how much was unwrapped", () => {
    const swapped = "0xA11C…11Ce swapped 3,000 USDC for 1 ETH on Uniswap, paid out to 0xb0B0…0B0B.";
    expect(unwrapped("bob")).toBe(swapped);
    const swept = steps(
      "0x000c04",
      { unwrapWeth: { recipient: router } },
      { sweep: { token: "zero", recipient: "bob" } },
    );
    expect(told(at, swept, sold(at))).toBe(swapped.replace("1 ETH", "ETH"));
    const v3 = "uniswap-v3/router";
    const named = calls(["exactInputSingle", { params: { recipient: router } }], ["unwrapWETH9", { recipient: "bob" }]);
    expect(told(v3, named, sold(v3))).toBe(swapped.replace("Uniswap", "Uniswap v3"));
  });

  it.each(["alice", itself])("is the account's own where the router pays %s", (recipient) => {
    expect(unwrapped(recipient)).toBe("0xA11C…11Ce swapped 3,000 USDC for ETH (not traced) on Uniswap.");
  });
});

describe("what was in a position, without a call tree", () => {
  const at = "uniswap-v3/position_manager";
  const removed = { "uniswap-v3/DecreaseLiquidity": { at, tokenId: "7", liquidity: "1000" } };
  const collected = (recipient: string) => ({
    "uniswap-v3/Collect": { at, tokenId: "7", recipient, amount0: ether, amount1: "3000000000" },
  });
  const paid = (to: string) => [
    { transfer: { token: "WETH", from: "carol", to, amount: ether } },
    { transfer: { token: "USDC", from: "carol", to, amount: "3000000000" } },
  ];
  const removing = (recipient: string) =>
    told(at, calls(["decreaseLiquidity", {}], ["collect", { params: { recipient } }]), [
      removed,
      ...paid(recipient),
      collected(recipient),
    ]);
  it("is told with whom it was collected for", () => {
    expect(removing("bob")).toBe(
      "0xA11C…11Ce collected 1 WETH and 3,000 USDC from a liquidity position on Uniswap v3, paid out to 0xb0B0…0B0B.",
    );
    expect(removing("alice")).toBe("0xA11C…11Ce removed liquidity from Uniswap v3 and received 1 WETH and 3,000 USDC.");
  });

  it("is told where the one half goes to somebody else", () => {
    const half = (unwrapFor: string, sweepFor: string) =>
      told(
        at,
        calls(
          ["decreaseLiquidity", {}],
          ["collect", {}],
          ["unwrapWETH9", { recipient: unwrapFor }],
          ["sweepToken", { token: "USDC", recipient: sweepFor }],
        ),
        [
          removed,
          ...paid(at),
          collected(at),
          { "weth/Withdrawal": { at: "WETH", src: at, wad: ether } },
          { transfer: { token: "USDC", from: at, to: sweepFor, amount: "3000000000" } },
        ],
      );
    expect(half("bob", "alice")).toContain("also had 1 ETH of a liquidity position on Uniswap v3 go to 0xb0B0…0B0B.");
    expect(half("alice", "bob")).toContain(
      "also had 3,000 USDC of a liquidity position on Uniswap v3 go to 0xb0B0…0B0B.",
    );
    expect(half("alice", "alice")).toBe("0xA11C…11Ce removed liquidity from Uniswap v3 and received 3,000 USDC.");
  });
});
