import { describe, expect, it } from "vitest";
import type { CaseFile, RpcFrame, RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import { alice, bob, calldata, carol, caseOf, frame, traced, transferLog, usdc, weth } from "../../support/case-of.ts";

const aerodrome = "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43";
const uniswap = "0x2626664c2603336e57b271c5c0b26f421741e481";
const dai = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb";
const cbbtc = "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf";

const first = calldata(
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, (address from, address to, bool stable, address factory)[] routes, address to, uint256 deadline)",
  [10n ** 9n, 0n, [], alice, 0n],
);
const second = calldata(
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  [[dai, cbbtc, 500, alice, 5n * 10n ** 18n, 0n, 0n]].map(
    ([tokenIn, tokenOut, fee, recipient, amountIn, least, limit]) => ({
      ...{ tokenIn, tokenOut, fee, recipient, amountIn },
      ...{ amountOutMinimum: least, sqrtPriceLimitX96: limit },
    }),
  ),
);

/** A batch that alice's account sends to itself; each call with the logs of the contracts behind it. */
function batchOf(calls: { to: string; input: `0x${string}`; logs: RpcLog[] }[]): CaseFile {
  const input = calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [
    calls.map(({ to, input: data }) => ({ target: to, value: 0n, data })),
  ]);
  const inner = calls.map(
    ({ to, input: data, logs }): RpcFrame =>
      frame(alice, to, {
        input: data,
        calls: logs.map((log) => frame(to, log.address, { logs: [{ ...log, position: "0x0" }] })),
      }),
  );
  return caseOf({
    transaction: { to: alice, input },
    receipt: { logs: calls.flatMap(({ logs }) => logs) },
    trace: traced(frame(alice, alice, { input, calls: inner })),
  });
}

const one = [transferLog(usdc, alice, carol, 10n ** 9n), transferLog(weth, carol, alice, 3n * 10n ** 17n)];
const two = [transferLog(dai, alice, bob, 5n * 10n ** 18n), transferLog(cbbtc, bob, alice, 5_000n)];
const summaryOf = (file: CaseFile) => explainCase(file).explanation.summary.replace(/^\S+ /, "");

describe("two exchanges of one batch", () => {
  const file = batchOf([
    { to: aerodrome, input: first, logs: one },
    { to: uniswap, input: second, logs: two },
  ]);

  it("are told apart where a call tree shows what each moved", () => {
    const { explanation, evidence } = explainCase(file);
    expect(explanation.summary.replace(/^\S+ /, "")).toBe(
      "swapped 1,000 USDC for 0.3 WETH on Aerodrome. It also swapped 5 DAI for 0.00005 cbBTC on Uniswap v3.",
    );
    expect(evidence().unexplained).toEqual([]);
  });

  it("are one where nothing shows it", () => {
    const untraced: CaseFile = {
      ...file,
      trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
    };
    expect(summaryOf(untraced)).toMatch(/^swapped 1,000 USDC and 5 DAI for 0\.3 WETH and 0\.00005 cbBTC on /);
  });

  it("are one where the second takes what the first brought", () => {
    const on = [transferLog(weth, alice, bob, 3n * 10n ** 17n), transferLog(cbbtc, bob, alice, 5_000n)];
    const chained = batchOf([
      { to: aerodrome, input: first, logs: one },
      { to: uniswap, input: second, logs: on },
    ]);
    expect(summaryOf(chained)).toMatch(/^swapped 1,000 USDC for 0\.00005 cbBTC on /);
  });

  it("are one where both bring the same asset, though the first brings another of its own", () => {
    const shared = [...one, transferLog(cbbtc, carol, alice, 2_000n)];
    const both = batchOf([
      { to: aerodrome, input: first, logs: shared },
      { to: uniswap, input: second, logs: two },
    ]);
    expect(summaryOf(both)).toBe("swapped 1,000 USDC and 5 DAI for 0.3 WETH and 0.00007 cbBTC on Aerodrome.");
  });

  it("are empty if the second call undoes the first", () => {
    const back = [transferLog(weth, alice, bob, 3n * 10n ** 17n), transferLog(usdc, bob, alice, 10n ** 9n)];
    const round = batchOf([
      { to: aerodrome, input: first, logs: one },
      { to: uniswap, input: second, logs: back },
    ]);
    expect(explainCase(round).explanation.action_type).not.toBe("swap");
  });
});
