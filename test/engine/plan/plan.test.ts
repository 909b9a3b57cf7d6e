import { describe, expect, it } from "vitest";
import { planLookups } from "../../../src/engine/spine.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, calldata, caseOf, token, transferLog, usdc, zero } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { compileOwn } from "../../support/own-rules.ts";

const market = "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1";
const ruleset = compileOwn(`
protocol: market
name: Market
kind: protocol
site: https://example.org
contracts:
  market: { source: test, Market market: "0xE1E1E1e1E1E1e1e1E1E1E1e1e1e1E1E1E1E1e1e1" }
abi:
  sell: "function sell(address asset, uint256 amount, address wanted)"
rules:
  - id: attempt
    action: swap
    say: "sell {sold} for {wanted} on {protocol}"
    tried:
      - call: sell
        at: market
        values: { sold: amount of asset, wanted: wanted as token }
`);
const plan = (asset: string, wanted: string, receipt = {}) => {
  const input = calldata("function sell(address asset, uint256 amount, address wanted)", [asset, 1n, wanted]);
  const draft = caseOf({ transaction: { to: market, input }, receipt: { status: "0x0", logs: [], ...receipt } });
  return planLookups(draft, { ruleset, labels: shippedLabels() }, 0).tokens;
};

describe("the tokens whose metadata is asked for", () => {
  it("are those that an attempt names in its calldata", () => {
    expect(plan(token, alice)).toEqual([token, alice]);
  });

  it("are asked once, and not where they are listed or stand for ether", () => {
    expect(plan(token, token)).toEqual([token]);
    expect(plan(usdc, zero)).toEqual([]);
    expect(plan("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", usdc)).toEqual([]);
  });

  it("are not those of rules that do not stand", () => {
    expect(plan(token, alice, { status: "0x1" })).toEqual([]);
  });

  it("are no more than the limit, those that moved first", () => {
    const moved = Array.from(
      { length: limits.tokensMax },
      (_, i) => `0x${(i + 1).toString(16).padStart(8, "0").padStart(40, "c")}`,
    );
    const logs = moved.map((address) => transferLog(address, alice, market, 1n));
    expect(plan(token, alice, { logs })).toEqual(moved);
  });
});
