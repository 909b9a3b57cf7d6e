import { describe, expect, it } from "vitest";
import { withAbsorbed } from "../../../src/engine/settle/claimed.ts";
import { shorten } from "../../../src/kernel/address.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  logOf,
  nftTransferLog,
  token,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import { compileOwn, decideBy, runStages } from "../../support/own-rules.ts";
import { did, didLog, didOf, flowFile, head } from "./hub-rules.ts";
import { candidate } from "./order-case.ts";

describe("two acts that claim the same evidence", () => {
  it("if equal, the earlier one is told, and each log is claimed only once", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: did, action: swap, anchor: { event: Did }, at: hub, subject: who, values: { n: amount as count }, say: "do {n}" }`);
    const logs = [9n, 7n].map((amount) => logOf(vault, did, { who: alice, amount }));
    const { actions } = runStages(caseOf({ receipt: { logs } }), rules).settled;
    expect(actions.map(({ logs: claimed }) => claimed)).toEqual([[0], [1]]);
  });

  it("share no movement: the second rule is superseded, and the evidence names the first", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: did, action: swap, anchor: { event: Did }, at: hub, subject: who, money: { paid: { from: subject, to: hub } }, say: "swap" }`);
    const file = caseOf({ receipt: { logs: [transferLog(token, alice, vault, 5n), didLog(alice), didLog(alice)] } });
    const { actions, superseded } = runStages(file, rules).settled;
    expect(actions).toHaveLength(1);
    expect(superseded).toEqual([{ rule: "hub/did", by: "hub/did", reason: "movement 0 is claimed" }]);
  });

  it("are told without each other's assets", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: gets, action: lending_borrow, anchor: { event: Did }, at: hub, subject: who, money: { gets: some erc20 }, when: { "==": [{ var: amount }, "1"] }, say: "get {gets}" }
  - { id: takes, action: lending_supply, anchor: { event: Did }, at: hub, subject: who, money: { back: { token: emitter, to: subject } }, when: { "==": [{ var: amount }, "2"] }, say: "take it" }`);
    const nft = nftTransferLog(vault, vault, alice, 9n);
    const { explanation } = decideBy(
      rules,
      caseOf({ receipt: { logs: [nft, transferLog(usdc, bob, alice, 5_000_000n), ...[1n, 2n].map(didOf)] } }),
    );
    expect(explanation.summary).toMatch(/ got 5 USDC\. It also took it\./);
  });

  it("an exchange is told by its money, also if another act claims a part of it", () => {
    // USDC is bought and passed on. The hub's rule tells what it got, and money flow what was paid for it.
    const rules = compileOwn(
      `${head("hub")}
  - { id: hand, action: bridge_out, anchor: { event: Did }, at: hub, subject: who, money: { paid: { from: subject, to: hub }, gives: any }, say: "bridge" }`,
      flowFile(
        `  - { id: swap, action: swap, money: { gives: one fungible, gets: one fungible }, say: "swap {gives} for {gets}" }`,
      ),
    );
    const logs = [
      transferLog(weth, alice, bob, 10n ** 15n),
      transferLog(usdc, bob, alice, 5_000_000n),
      transferLog(usdc, alice, vault, 5_000_000n),
      didLog(alice),
    ];
    const { explanation } = decideBy(rules, caseOf({ receipt: { logs } }));
    expect(explanation.summary).toMatch(/ bridged\. It also swapped 0\.001 WETH for 5 USDC\./);
  });

  it("movements that no act claims are told beside the acts", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: did, action: swap, anchor: { event: Did }, at: hub, subject: who, money: { paid: { from: subject, to: hub } }, say: "swap" }`);
    const logs = [transferLog(token, alice, vault, 5n), didLog(alice), transferLog(token, alice, carol, 1n)];
    const shown = {
      trace: { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] },
    };
    const { explanation, evidence } = decideBy(rules, caseOf({ receipt: { logs }, ...shown }));
    expect(explanation.summary).toContain(`sent 1 raw unit of token ${shorten(token)} to ${shorten(carol)}`);
    expect(evidence().unexplained).toEqual([{ movement: 1, token, amount: "1", from: alice, to: carol }]);
  });
});

describe("what is taken along", () => {
  it("is the other movements beside the claimed ones", () => {
    const claimed = new Map([[4, "x"]]);
    expect(withAbsorbed([candidate("a")], claimed)).toBe(claimed);
    const both = withAbsorbed([candidate("a"), candidate("b", { fit: { absorbedMovements: [1, 2] } })], claimed);
    expect([...both.keys()]).toEqual([4, 1, 2]);
  });
});
