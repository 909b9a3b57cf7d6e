import { describe, expect, it } from "vitest";
import type { AssetMoved, Explanation } from "../../../src/model/explanation.ts";
import { auditBalance, tellStatement } from "../../../src/tools/audit/laws/balance.ts";
import { alice, bob, usdc, vault } from "../../support/case-of.ts";
import { moveOf, type SceneParts, sceneOf } from "./made-scene.ts";

const listed = (from: string, to: string, amount: string): AssetMoved =>
  ({ from, to, amount, token: "USDC", standard: "erc20", token_address: usdc }) as AssetMoved;
const gift = [moveOf(usdc, bob, alice, 100n)];

function broken(summary: string, moves: SceneParts["moves"], assets: AssetMoved[]) {
  const answer: Partial<Explanation> = { assets_moved: assets };
  return auditBalance(sceneOf({ summary, moves: moves ?? [], answer })).map(({ sentence }) => sentence);
}

describe("the law of balance", () => {
  const told = "0xa1a1…a1a1 received 100 USDC.";

  it("holds where everything is listed and stated once", () => {
    expect(broken(told, gift, [listed(bob, alice, "100")])).toEqual([]);
    expect(broken(told, [], [])).toEqual([]);
  });

  it("is broken where a posting is dropped or doubled", () => {
    expect(broken(told, gift, [])).toEqual([expect.stringContaining("got 100 units of")]);
    const twice = [listed(bob, alice, "100"), listed(bob, alice, "100")];
    expect(broken(told, gift, twice)).toEqual([expect.stringContaining("does not list it exactly")]);
  });

  it("is broken where a posting is stated twice", () => {
    const paid = [moveOf(usdc, vault, bob, 100n)];
    const twice = "0xa1a1…a1a1 called 0x5a5a…5a5a. It also had 100 USDC go to bob. 0x5a5a…5a5a sent 100 USDC to bob.";
    expect(broken(twice, paid, [])).toEqual([expect.stringContaining("states 200 units")]);
    expect(broken("0xa1a1…a1a1 had 100 USDC go to bob.", paid, [])).toEqual([]);
  });

  it("lets every principal be told its own side, and leaves out allowances and parts", () => {
    const moves = [moveOf(usdc, alice, bob, 100n)];
    const both = sceneOf({
      summary: "0xb0b0…b0b0 received 100 USDC. 0xa1a1…a1a1 gave 100 USDC for it.",
      moves,
      principals: [
        [alice, "sender"],
        [bob, "operation"],
      ],
      answer: { assets_moved: [listed(alice, bob, "100")] },
    });
    expect(auditBalance(both)).toEqual([]);
    const terms = "0xa1a1…a1a1 sent 100 USDC, of which 60 USDC to bob. It also allowed bob to spend 900 USDC.";
    expect(broken(terms, moves, [listed(alice, bob, "100")])).toEqual([]);
  });

  it("is shown as a statement beside the summary", () => {
    const moves = [moveOf(usdc, alice, bob, 100n), moveOf(null, vault, alice, 5n)];
    const lines = tellStatement(sceneOf({ summary: "0xa1a1…a1a1 sent 100 USDC to bob.", moves }));
    expect(lines).toEqual([
      expect.stringMatching(/ -100 units of 0x833.*: stated$/),
      expect.stringMatching(/ \+5 units of ether: not stated$/),
    ]);
  });
});
