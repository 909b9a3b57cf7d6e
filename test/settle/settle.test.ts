import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../src/kernel/address.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  token,
  traced,
  transferLog,
  usdc,
  vault,
  weth,
} from "../support/case-of.ts";
import { compileOwn, decideBy, runStages, standing } from "../support/own-rules.ts";

const did = "event Did(address indexed who, uint256 amount)";
const head = (name: string) => `protocol: ${name}
kind: protocol
name: ${name}
site: https://example.org
contracts:
  hub: { source: test, "${checksum(vault)}": ${name} hub }
abi:
  Did: "${did}"
  act: "function act(uint256 amount)"
  Transfer: "event Transfer(address indexed from, address indexed to, uint256 value)"
rules:`;
const flowFile = (rules: string) => `protocol: flow
kind: standard
rules:
${rules}`;

const didOf = (amount: bigint) => logOf(vault, did, { who: alice, amount });
const didLog = (who: string, at = vault) => logOf(at, did, { who, amount: 5n });
const paid = caseOf({ receipt: { logs: [transferLog(token, alice, vault, 5n), didLog(alice)] } });

describe("what stands", () => {
  it("is the stronger tier: a known contract's event before money flow, that before a transfer", () => {
    const rules = compileOwn(
      `${head("hub")}
  - { id: swap, action: swap, event: Did, at: hub, who: args.who, legs: { paid: { from: subject, to: hub } }, does: "swap" }`,
      flowFile(`  - { id: burn, action: burn, flow: { gives: some }, does: "burn {gives}" }
  - { id: call, action: contract_interaction, flow: { gives: some }, does: "call {contract}" }`),
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
  - { id: a-event, action: swap, event: Did, at: hub, who: args.who, does: "swap" }
  - { id: b-both, action: swap, event: Did, call: act, at: hub, who: args.who, does: "swap" }`);
    const input = calldata("function act(uint256 amount)", [5n]);
    expect(standing(rules, paid)).toEqual(["hub/a-event"]);
    expect(standing(rules, caseOf({ ...paid, transaction: { input } }))).toEqual(["hub/b-both"]);
  });

  it("is what is told first by the action table, both where they claim different things", () => {
    // borrow goes over supply; both have a log of their own.
    const rules = compileOwn(`${head("hub")}
  - { id: a-supply, action: lending_supply, event: Did, at: hub, who: args.who, where: { uint_eq: [{ var: args.amount }, "1"] }, does: "supply" }
  - { id: b-borrow, action: lending_borrow, event: Did, at: hub, who: args.who, where: { uint_eq: [{ var: args.amount }, "2"] }, does: "borrow" }`);
    const logs = [1n, 2n].map((amount) => logOf(vault, did, { who: alice, amount }));
    const { explanation } = decideBy(rules, caseOf({ receipt: { logs } }));
    expect(explanation).toMatchObject({ action_type: "lending_borrow" });
    expect(explanation.summary).toMatch(/ borrowed\. It also supplied\./);
  });

  it("is the rule that overrides, however specific the other is", () => {
    const rules = (overrides: string) =>
      compileOwn(`${head("hub")}
  - { id: a-both, action: swap, event: Did, call: act, at: hub, who: args.who, does: "swap" }
  - { id: b-event, action: swap, event: Did, at: hub, who: args.who, ${overrides}does: "swap" }`);
    const file = caseOf({ ...paid, transaction: { input: calldata("function act(uint256 amount)", [5n]) } });
    expect(standing(rules(""), file)).toEqual(["hub/a-both"]);
    expect(standing(rules("overrides: [a-both], "), file)).toEqual(["hub/b-event"]);
  });

  it("is not the rule that defers, however specific it is, beside another of its action", () => {
    const rules = (first: string, second: string) =>
      compileOwn(`${head("hub")}
  - { id: a-both, action: swap, event: Did, call: act, at: hub, who: args.who, ${first}does: "swap" }
  - { id: b-event, action: swap, event: Did, at: hub, who: args.who, does: "swap" }
  - { id: c-event, action: swap, event: Did, at: hub, who: args.who, ${second}where: { uint_eq: [{ var: args.amount }, "9"] }, does: "swap" }`);
    const file = caseOf({ ...paid, transaction: { input: calldata("function act(uint256 amount)", [5n]) } });
    expect(standing(rules("", ""), file)).toEqual(["hub/a-both"]);
    expect(standing(rules("defers: true, ", ""), file)).toEqual(["hub/b-event"]);
    // Also where another one overrides what it defers to.
    const nine = caseOf({
      receipt: { logs: [didLog(alice), logOf(vault, did, { who: alice, amount: 9n })] },
      transaction: file.transaction,
    });
    const { actions } = runStages(nine, rules("defers: true, ", "overrides: [b-event], ")).settled;
    expect(actions.map(({ rule, logs }) => [rule.id, ...logs])).toEqual([
      ["hub/c-event", 1],
      ["hub/b-event", 0],
    ]);
    // What has another action is not concerned.
    const claims = compileOwn(`${head("hub")}
  - { id: a-supply, action: lending_supply, event: Did, at: hub, who: args.who, defers: true, does: "supply" }
  - { id: b-swap, action: swap, event: Did, call: act, at: hub, who: args.who, does: "swap" }`);
    expect(standing(claims, file)).toEqual(["hub/a-supply"]);
  });

  it("is not a rule that yields, unless nothing else stands", () => {
    const rules = (other: string) =>
      compileOwn(`${head("hub")}
  - { id: a-yields, action: swap, event: Did, at: hub, who: args.who, yields: true, does: "swap" }
  ${other}`);
    expect(standing(rules(""), paid)).toEqual(["hub/a-yields"]);
    const supply = `- { id: z-supply, action: lending_supply, event: Did, at: hub, who: args.who, legs: { paid: { from: subject, to: hub } }, does: "supply" }`;
    expect(standing(rules(supply), paid)).toEqual(["hub/z-supply"]);
  });

  describe("of what was done at a known contract without a type of its own", () => {
    const acts = (at = "hub") => `${head("hub")}
  - { id: act, action: contract_interaction, event: Did, at: ${at}, who: args.who, does: "set something" }`;
    const sends = `  - { id: send, action: erc20_transfer, flow: { gives: some, gets: nothing }, does: "send {gives}" }`;
    const called = `  - { id: call, action: contract_interaction, flow: {}, does: "call {contract}" }`;

    it("is it before a transfer, and both are told", () => {
      const rules = compileOwn(acts(), flowFile(`${sends}\n${called}`));
      expect(standing(rules, paid)).toEqual(["hub/act", "flow/send"]);
    });

    it("is not it beside what has a type", () => {
      const burns = `  - { id: burn, action: burn, flow: { gives: some }, does: "burn {gives}" }`;
      const { actions, superseded } = runStages(paid, compileOwn(acts(), flowFile(burns))).settled;
      expect(actions.map(({ rule }) => rule.id)).toEqual(["flow/burn"]);
      expect(superseded).toEqual([{ rule: "hub/act", by: "flow/burn", reason: "stands only when nothing else does" }]);
    });

    it("is not it where anybody may have been the contract", () => {
      expect(standing(compileOwn(acts("any"), flowFile(sends)), paid)).toEqual(["flow/send"]);
    });

    it("is it after the envelope that holds it, and the envelope not beside anything else", () => {
      const framed = acts().replace(
        "rules:",
        `rules:
  - { id: frame, action: multisig_execution, event: Did, at: any, where: { uint_eq: [{ var: args.amount }, "6"] }, yields: true, does: "execute" }`,
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

  it("is the earlier one of two that are equal, and each log tells one thing only", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: did, action: swap, event: Did, at: hub, who: args.who, capture: { n: { integer: args.amount } }, does: "do {n}" }`);
    const logs = [9n, 7n].map((amount) => logOf(vault, did, { who: alice, amount }));
    const { actions } = runStages(caseOf({ receipt: { logs } }), rules).settled;
    expect(actions.map(({ logs: claimed }) => claimed)).toEqual([[0], [1]]);
  });

  it("shares no movement: the second rule that needs it loses, and it is said to whom", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: did, action: swap, event: Did, at: hub, who: args.who, legs: { paid: { from: subject, to: hub } }, does: "swap" }`);
    const file = caseOf({ receipt: { logs: [transferLog(token, alice, vault, 5n), didLog(alice), didLog(alice)] } });
    const { actions, superseded } = runStages(file, rules).settled;
    expect(actions).toHaveLength(1);
    expect(superseded).toEqual([{ rule: "hub/did", by: "hub/did", reason: "movement 0 is claimed" }]);
  });

  it("takes absorbed logs along, so that nobody else tells them", () => {
    const rules = (absorbs: string) =>
      compileOwn(`${head("hub")}
  - { id: supply, action: lending_supply, call: act, at: hub, ${absorbs}does: "supply" }
  - { id: swap, action: swap, event: Did, at: hub, who: args.who, does: "swap" }`);
    const input = calldata("function act(uint256 amount)", [5n]);
    const file = caseOf({ receipt: { logs: [didLog(alice)] }, transaction: { input } });
    expect(standing(rules(""), file)).toEqual(["hub/supply", "hub/swap"]);
    const { actions, superseded } = runStages(file, rules("absorbs: [Did], ")).settled;
    expect(actions.map(({ rule }) => rule.id)).toEqual(["hub/supply"]);
    expect(superseded).toEqual([{ rule: "hub/swap", by: "hub/supply", reason: "log 0 is claimed" }]);
  });

  it("is told without the assets that another action explains", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: gets, action: lending_borrow, event: Did, at: hub, who: args.who, flow: { gets: some erc20 }, where: { uint_eq: [{ var: args.amount }, "1"] }, does: "get {gets}" }
  - { id: takes, action: lending_supply, event: Did, at: hub, who: args.who, legs: { back: { token: emitter, to: subject } }, where: { uint_eq: [{ var: args.amount }, "2"] }, does: "take it" }`);
    const nft = logOf(vault, "event Transfer(address indexed from, address indexed to, uint256 indexed id)", {
      from: vault,
      to: alice,
      id: 9n,
    });
    const { explanation } = decideBy(
      rules,
      caseOf({ receipt: { logs: [nft, transferLog(usdc, bob, alice, 5_000_000n), ...[1n, 2n].map(didOf)] } }),
    );
    expect(explanation.summary).toMatch(/ got 5 USDC\. It also took it\./);
  });

  it("tells an exchange that the money shows beside what claims a part of it", () => {
    // USDC is bought and handed on: the hub tells what it got, money flow what it was bought with.
    const rules = compileOwn(
      `${head("hub")}
  - { id: hand, action: bridge_out, event: Did, at: hub, who: args.who, legs: { paid: { from: subject, to: hub } }, flow: { gives: any }, does: "bridge" }`,
      flowFile(
        `  - { id: swap, action: swap, flow: { gives: one fungible, gets: one fungible }, does: "swap {gives} for {gets}" }`,
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

  it("leaves what nobody claims to be told beside it", () => {
    const rules = compileOwn(`${head("hub")}
  - { id: did, action: swap, event: Did, at: hub, who: args.who, legs: { paid: { from: subject, to: hub } }, does: "swap" }`);
    const logs = [transferLog(token, alice, vault, 5n), didLog(alice), transferLog(token, alice, carol, 1n)];
    const shown = {
      trace: { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] },
    };
    const { explanation, evidence } = decideBy(rules, caseOf({ receipt: { logs }, ...shown }));
    expect(explanation.summary).toContain(`sent 1 raw unit of token ${shorten(token)} to ${shorten(carol)}`);
    expect(evidence().unexplained).toEqual([{ movement: 1, token, amount: "1", from: alice, to: carol }]);
  });
});

describe("what does not match", () => {
  const rules = compileOwn(`${head("hub")}
  - { id: swap, action: swap, event: Did, at: hub, who: args.who, legs: { paid: { token: native, from: subject, to: hub, amount: args.amount } }, does: "swap" }
  - { id: act, action: lending_supply, call: act, at: hub, does: "supply" }
  - { id: try, action: swap, does: "swap", attempts: [{ call: act, at: hub }] }`);
  const good = { transaction: { value: "0x5" }, receipt: { logs: [didLog(alice)] } };

  it("is anything but the event of the right contract, about the subject, with its legs", () => {
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
