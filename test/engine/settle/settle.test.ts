import { describe, expect, it } from "vitest";
import {
  alice,
  bob,
  calldata,
  caseOf,
  frame,
  logOf,
  token,
  traced,
  transferLog,
  vault,
} from "../../support/case-of.ts";
import { compileOwn, decideBy, runStages, standing } from "../../support/own-rules.ts";
import { did, didLog, flowFile, head, paid } from "./hub-rules.ts";

describe("the action that is told", () => {
  it("is the stronger tier: a known contract's event before money flow, that before a transfer", () => {
    const rules = compileOwn(
      `${head("hub")}
  - { id: swap, action: swap, anchor: { event: Did }, at: hub, subject: who, money: { paid: { from: subject, to: hub } }, say: "swap" }`,
      flowFile(`  - { id: burn, action: burn, money: { gives: some }, say: "burn {gives}" }
  - { id: call, action: contract_interaction, money: { gives: some }, say: "call {contract}" }`),
    );
    const { actions, superseded } = runStages(paid, rules).settled;
    expect(actions.map(({ rule }) => rule.id)).toEqual(["hub/swap"]);
    expect(superseded).toEqual([
      { rule: "flow/burn", by: "hub/swap", reason: "what is left of the money does not fit" },
      { rule: "flow/call", by: "hub/swap", reason: "stands only when nothing else does" },
    ]);
  });

  it("is the more specific rule of one tier: contract and call before contract alone", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: a-event, action: swap, anchor: { event: Did }, at: hub, subject: who, say: "swap" }
  - { id: b-both, action: swap, anchor: { event: Did, within: act }, at: hub, subject: who, say: "swap" }`);
    const input = calldata("function act(uint256 amount)", [5n]);
    expect(standing(rules, paid)).toEqual(["hub/a-event"]);
    expect(standing(rules, caseOf({ ...paid, transaction: { input } }))).toEqual(["hub/b-both"]);
  });

  it("is the first in the action table, and both are told if they claim different evidence", () => {
    // borrow goes over supply; both have a log of their own.
    const rules = compileOwn(`${head("hub")}
  - { id: a-supply, action: lending_supply, anchor: { event: Did }, at: hub, subject: who, when: { "==": [{ var: amount }, "1"] }, say: "supply" }
  - { id: b-borrow, action: lending_borrow, anchor: { event: Did }, at: hub, subject: who, when: { "==": [{ var: amount }, "2"] }, say: "borrow" }`);
    const logs = [1n, 2n].map((amount) => logOf(vault, did, { who: alice, amount }));
    const { explanation } = decideBy(rules, caseOf({ receipt: { logs } }));
    expect(explanation).toMatchObject({ action_type: "lending_borrow" });
    expect(explanation.summary).toMatch(/ borrowed\. It also supplied\./);
  });

  it("is that of the overriding rule, no matter how specific the other one is", () => {
    const rules = (overrides: string) =>
      compileOwn(`${head("hub")}
  - { id: a-both, action: swap, anchor: { event: Did, within: act }, at: hub, subject: who, say: "swap" }
  - { id: b-event, action: swap, anchor: { event: Did }, at: hub, subject: who, ${overrides}say: "swap" }`);
    const file = caseOf({ ...paid, transaction: { input: calldata("function act(uint256 amount)", [5n]) } });
    expect(standing(rules(""), file)).toEqual(["hub/a-both"]);
    expect(standing(rules("before: [a-both], "), file)).toEqual(["hub/b-event"]);
  });

  it("is not that of a deferring rule if there is another rule of its action", () => {
    const rules = (first: string, second: string) =>
      compileOwn(`${head("hub")}
  - { id: a-both, action: swap, anchor: { event: Did, within: act }, at: hub, subject: who, ${first}say: "swap" }
  - { id: b-event, action: swap, anchor: { event: Did }, at: hub, subject: who, say: "swap" }
  - { id: c-event, action: swap, anchor: { event: Did }, at: hub, subject: who, ${second}when: { "==": [{ var: amount }, "9"] }, say: "swap" }`);
    const file = caseOf({ ...paid, transaction: { input: calldata("function act(uint256 amount)", [5n]) } });
    expect(standing(rules("", ""), file)).toEqual(["hub/a-both"]);
    expect(standing(rules("after: others, ", ""), file)).toEqual(["hub/b-event"]);
    // Also where another one overrides what it defers to.
    const nine = caseOf({
      receipt: { logs: [didLog(alice), logOf(vault, did, { who: alice, amount: 9n })] },
      transaction: file.transaction,
    });
    const { actions } = runStages(nine, rules("after: others, ", "before: [b-event], ")).settled;
    expect(actions.map(({ rule, logs }) => [rule.id, ...logs])).toEqual([
      ["hub/c-event", 1],
      ["hub/b-event", 0],
    ]);
    // What has another action is not concerned.
    const claims = compileOwn(`${head("hub")}
  - { id: a-supply, action: lending_supply, anchor: { event: Did }, at: hub, subject: who, after: others, say: "supply" }
  - { id: b-swap, action: swap, anchor: { event: Did, within: act }, at: hub, subject: who, say: "swap" }`);
    expect(standing(claims, file)).toEqual(["hub/a-supply"]);
  });

  it("is not that of a yielding rule, unless there is no other action", () => {
    const rules = (other: string) =>
      compileOwn(`${head("hub")}
  - { id: a-yields, action: swap, anchor: { event: Did }, at: hub, subject: who, after: everything, say: "swap" }
  ${other}`);
    expect(standing(rules(""), paid)).toEqual(["hub/a-yields"]);
    const supply = `- { id: z-supply, action: lending_supply, anchor: { event: Did }, at: hub, subject: who, money: { paid: { from: subject, to: hub } }, say: "supply" }`;
    expect(standing(rules(supply), paid)).toEqual(["hub/z-supply"]);
  });

  describe("for a call of a known contract without an own action type", () => {
    const acts = (at = "hub") => `${head("hub")}
  - { id: act, action: contract_interaction, anchor: { event: Did }, at: ${at}, subject: who, say: "set something" }`;
    const sends = `  - { id: send, action: erc20_transfer, money: { gives: some, gets: nothing }, say: "send {gives}" }`;
    const called = `  - { id: call, action: contract_interaction, money: { rest: any }, say: "call {contract}" }`;

    it("is the call before a transfer, and both are told", () => {
      const rules = compileOwn(acts(), flowFile(`${sends}\n${called}`));
      expect(standing(rules, paid)).toEqual(["hub/act", "flow/send"]);
    });

    it("is not the call if another act has a type", () => {
      const burns = `  - { id: burn, action: burn, money: { gives: some }, say: "burn {gives}" }`;
      const { actions, superseded } = runStages(paid, compileOwn(acts(), flowFile(burns))).settled;
      expect(actions.map(({ rule }) => rule.id)).toEqual(["flow/burn"]);
      expect(superseded).toEqual([{ rule: "hub/act", by: "flow/burn", reason: "stands only when nothing else does" }]);
    });

    it("is not the call if any contract could have been meant", () => {
      expect(standing(compileOwn(acts("any"), flowFile(sends)), paid)).toEqual(["flow/send"]);
    });

    it("is the call after its envelope, and the envelope is not told with other acts", () => {
      const framed = acts().replace(
        "rules:",
        `rules:
  - { id: frame, action: multisig_execution, anchor: { event: Did }, at: any, when: { "==": [{ var: amount }, "6"] }, after: everything, say: "execute" }`,
      );
      const rules = compileOwn(framed, flowFile(sends));
      const frameLog = logOf(bob, did, { who: alice, amount: 6n });
      const { explanation } = decideBy(rules, caseOf({ receipt: { logs: [didLog(alice), frameLog] } }));
      expect(explanation.action_type).toBe("multisig_execution");
      expect(explanation.summary).toMatch(/ executed\. It also set something\./);
      const both = caseOf({ receipt: { logs: [transferLog(token, alice, vault, 5n), didLog(alice), frameLog] } });
      expect(standing(rules, both)).toEqual(["hub/act", "flow/send"]);
    });
  });
});

describe("what does not match", () => {
  const rules = compileOwn(`${head("hub")}
  - { id: swap, action: swap, anchor: { event: Did }, at: hub, subject: who, money: { paid: { token: native, from: subject, to: hub, amount: amount } }, say: "swap" }
  - { id: act, action: lending_supply, anchor: { call: act }, at: hub, say: "supply" }
  - { id: try, action: swap, say: "swap", tried: [{ call: act, at: hub }] }`);
  const good = { transaction: { value: "0x5" }, receipt: { logs: [didLog(alice)] } };

  it("is any event except that of the right contract, about the subject, with its legs", () => {
    expect(standing(rules, caseOf(good))).toEqual(["hub/swap"]);
    expect(standing(rules, caseOf({ ...good, receipt: { logs: [didLog(alice, bob)] } }))).toEqual([]);
    expect(standing(rules, caseOf({ ...good, receipt: { logs: [didLog(bob)] } }))).toEqual([]);
    expect(standing(rules, caseOf({ ...good, transaction: { value: "0x4" } }))).toEqual([]);
    expect(standing(rules, caseOf({ ...good, transaction: { value: "0x5", to: bob } }))).toEqual([]);
    const cut = { ...didLog(alice), data: "0x05" };
    expect(standing(rules, caseOf({ ...good, receipt: { logs: [cut] } }))).toEqual([]);
  });

  it("is a call to another contract, of another function, or one that failed", () => {
    const input = calldata("function act(uint256 amount)", [5n]);
    expect(standing(rules, caseOf({ transaction: { input } }))).toEqual(["hub/act"]);
    expect(standing(rules, caseOf({ transaction: { input, to: bob } }))).toEqual([]);
    expect(standing(rules, caseOf({ transaction: { input: `${input.slice(0, 9)}0${input.slice(10)}` } }))).toEqual([]);
    expect(standing(rules, caseOf({ transaction: { input: input.slice(0, -2) } }))).toEqual([]);
    const reverted = { transaction: { input }, receipt: { status: "0x0", logs: [] } };
    expect(standing(rules, caseOf(reverted))).toEqual(["hub/try"]);
  });

  it("is the call of a contract inside: only what the subject itself called counts", () => {
    const input = calldata("function act(uint256 amount)", [5n]);
    const trace = traced(frame(alice, bob, { calls: [frame(bob, vault, { input })] }));
    expect(standing(rules, caseOf({ transaction: { to: bob }, trace }))).toEqual([]);
  });
});
