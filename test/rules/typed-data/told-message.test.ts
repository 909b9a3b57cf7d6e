import { describe, expect, it } from "vitest";
import { planMessage } from "../../../src/engine/messages/decide-message.ts";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { alice, answers, code, drainers, permit2, someone, spender } from "../../engine/assess/scene.ts";
import { labels, ruleset } from "../../property/world.ts";
import { decideAsked, decideFor, flagsOf, permitSingle } from "./sample.ts";

const thief = someone("thief");

describe("an EIP-7702 authorization that is to be signed", () => {
  it("is told like one that took effect, and where it counts everywhere", () => {
    const told = (authorization: object) => decideAsked({ authorization }).explanation;
    const here = told({ chain_id: "0x2105", address: thief, nonce: 3 });
    expect(here.summary).toMatch(/is asked to delegate its account's code to 0x\S+\.$/);
    expect(here).toMatchObject({ action_type: "account_delegation", message: { primary_type: null, contract: null } });
    const everywhere = told({ chain_id: 0, address: thief, nonce: 3 });
    expect(everywhere.summary).toContain("It names no chain, so it may count on every chain.");
    expect(everywhere.risk_flags.map(({ flag }) => flag)).toEqual(["no_chain"]);
    expect(told({ chain_id: 8453, address: zeroAddress }).summary).toMatch(
      /clear the code that its account delegates to\.$/,
    );
  });
});

describe("checks of a message", () => {
  it("look at whoever gets a right or money, and at a contract that nobody knows", () => {
    const risk = answers({
      verification: { [spender]: code({ status: "absent", logic: [spender] }) },
      drainers: drainers([{ address: spender, list: "list.txt" }]),
    });
    const decision = decideFor(permitSingle(), { risk });
    expect(flagsOf(decision)).toEqual(
      expect.arrayContaining(["unlimited_approval", "unverified_contract", "first_time_counterparty", "known_drainer"]),
    );
    expect(decision.explanation.checks.contract_verification).toBe("ok");
    const without = decideFor(permitSingle());
    expect(without.explanation.checks.contract_verification).toBe("unavailable");
  });

  it("are planned: the spender's code, the signer's history, the lists, supplies and tokens", () => {
    const plan = planMessage(
      {
        from: alice,
        typed_data: permitSingle(({ message }) => Object.assign(message.details as object, { token: thief })),
      },
      { ruleset, labels, lookupsMax: 10 },
    );
    expect(plan.tokens).toEqual([thief]);
    expect(plan.reads).toEqual([{ to: thief, data: "0x18160ddd" }]);
    expect(plan.risk.verify.map(({ address }) => address)).toEqual([spender]);
    expect(plan.risk.histories).toEqual([alice]);
    expect(plan.risk.listed).toEqual(expect.arrayContaining([spender, thief, permit2]));
  });
});

describe("who is asked", () => {
  it("is an address in any spelling, or the message is refused", () => {
    const spelt = decideAsked({ from: alice.toUpperCase().replace("0X", "0x"), typed_data: permitSingle() });
    expect(spelt).toEqual(decideFor(permitSingle()));
    expect(() => decideAsked({ from: "me", typed_data: permitSingle() })).toThrow(
      "`from` is `me`, which is no address",
    );
  });
});
