import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { FlowPhrases } from "../../../src/engine/present/amounts/flow-phrases.ts";
import { caseOf, usdc, weth } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const ether = { key: "native", kind: "native", token: null, tokenId: null, amount: 10n ** 15n, movements: [] };
const dollars = { key: usdc, kind: "erc20", token: usdc, tokenId: null, amount: 5_000_000n, movements: [] };
const wrapped = { ...dollars, key: weth, token: weth, amount: 2n * 10n ** 18n };

function side(assets: object[], etherPays?: boolean, which: "gives" | "gets" = "gives"): string | undefined {
  const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);
  const flow = { gives: [], gets: [], complete: true, [which]: assets };
  const flows = new FlowPhrases(names, teller, () => "?");
  return flows.side({ flow, tx: { movements: [] } } as never, which, etherPays)?.text;
}

describe("ether that pays for an act", () => {
  it("is left out of what is given if tokens are given too", () => {
    expect(side([ether, dollars], true)).toBe("5 USDC");
    expect(side([ether, wrapped, dollars], true)).toBe("2 WETH and 5 USDC");
    expect(side([ether], true)).toBe("0.001 ETH");
    expect(side([], true)).toBeUndefined();
  });

  it("is told by other acts, and if it comes in", () => {
    expect(side([ether, dollars])).toBe("0.001 ETH and 5 USDC");
    expect(side([ether, dollars], false)).toBe("0.001 ETH and 5 USDC");
    expect(side([ether, dollars], true, "gets")).toBe("0.001 ETH and 5 USDC");
  });
});
