import { describe, expect, it } from "vitest";
import { checksum } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  logOf,
  token,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import { userOperationEvent } from "../../support/envelopes.ts";
import { compileOwn, compileShipped, runStages, standing } from "../../support/own-rules.ts";

const did = "event Did(address indexed who, uint256 amount)";
const shown = {
  trace: { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] },
};
const hub = (rule: string) =>
  compileOwn(
    `protocol: erc20
kind: standard
abi:
  transfer: "function transfer(address to, uint256 value)"
rules:
  - { id: transfer, action: erc20_transfer, anchor: { call: transfer }, money: { gives: some erc20, gets: nothing }, say: "send {gives}" }`,
    `protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, Hub hub: "${checksum(vault)}" }
abi:
  Did: "${did}"
rules:
  - { id: act, say: "act", ${rule} }`,
  );
const didLog = (who: string) => logOf(vault, did, { who, amount: 5n });

/** Alice's plain transfer of USDC to bob, after logs of others. */
function plain(logs: CaseFile["receipt"]["logs"], to: string = usdc): CaseFile {
  const input = calldata("function transfer(address to, uint256 value)", [bob, 7n]);
  return caseOf({
    ...shown,
    transaction: { to, input },
    receipt: { logs: [...logs, transferLog(usdc, alice, bob, 7n)] },
  });
}

describe("inside a plain transfer", () => {
  it("what is done for somebody else comes after it", () => {
    const rules = hub("action: bridge_in, anchor: { event: Did }, at: hub, subject: { for: who }");
    expect(standing(rules, plain([didLog(carol)]))).toEqual(["erc20/transfer", "hub/act"]);
    // Who asked for something else may have asked for this.
    expect(standing(rules, plain([didLog(carol)], vault))[0]).toBe("hub/act");
  });

  it("an event that nothing but the sent amount ties to the subject comes after it", () => {
    const rules = hub("action: bridge_out, anchor: { event: Did }, at: hub, money: { gives: some fungible }");
    expect(standing(rules, plain([didLog(carol)]))).toEqual(["erc20/transfer"]);
    expect(standing(rules, plain([didLog(carol)], vault))).toEqual(["hub/act"]);
  });

  it("an event about the subject, with a movement of the subject's, does not", () => {
    const rules = hub(
      "action: bridge_out, anchor: { event: Did }, at: hub, money: { paid: { from: subject, to: hub } }",
    );
    const paid = transferLog(weth, alice, vault, 5n);
    expect(standing(rules, plain([paid, didLog(carol)]))[0]).toBe("hub/act");
  });
});

describe("a transfer from or to a known party", () => {
  const rules = hub("action: bridge_out, anchor: { transfer: { to: hub, standards: [erc20] } }");
  const sent = (of: string, amount: bigint, to: string = carol) =>
    standing(
      rules,
      caseOf({
        ...shown,
        transaction: { to, input: "0x12345678" },
        receipt: { logs: [transferLog(of, alice, vault, amount)] },
      }),
    );

  it("is believed of a listed token, and of one that was called", () => {
    expect(sent(usdc, 5n)).toEqual(["hub/act"]);
    expect(sent(token, 5n, token)).toEqual(["hub/act"]);
  });

  it("is not believed of a token that anyone may have written, nor when nothing moves", () => {
    expect(sent(token, 5n)).toEqual([]);
    expect(sent(usdc, 0n)).toEqual([]);
  });
});

describe("an exchange", () => {
  const rules = (action: string) =>
    hub(
      `action: ${action}, anchor: { event: Did }, at: hub, subject: who, money: { gives: some fungible, gets: some fungible }`,
    );
  const got = (of: string, amount: bigint) =>
    caseOf({
      ...shown,
      transaction: { to: vault, input: "0x12345678", value: "0x5" },
      receipt: { logs: [transferLog(of, vault, alice, amount), didLog(alice)] },
    });

  it("does not count if ether only became the same amount of wrapped ether", () => {
    expect(standing(rules("swap"), got(weth, 5n))).not.toContain("hub/act");
    expect(standing(rules("swap"), got(weth, 6n))).toEqual(["hub/act"]);
    expect(standing(rules("swap"), got(usdc, 5n))).toEqual(["hub/act"]);
    expect(standing(rules("claim"), got(weth, 5n))).toEqual(["hub/act"]);
  });
});

describe("a leg", () => {
  const legs = (fields: string) =>
    hub(`action: swap, anchor: { event: Did }, at: hub, subject: who, money: { paid: { ${fields} } }`);
  const moved = (from: string, to: string, amount: bigint) =>
    caseOf({ ...shown, receipt: { logs: [transferLog(usdc, from, to, amount), didLog(alice)] } });

  it("is not bound by what goes to oneself", () => {
    expect(standing(legs("from: subject"), moved(alice, vault, 5n))).toEqual(["hub/act"]);
    expect(standing(legs("from: subject"), moved(alice, alice, 5n))).toEqual([]);
  });

  it("goes before another one by what it asks for, then by name: how a file lists them decides nothing", () => {
    const moves = [transferLog(usdc, alice, vault, 5n), transferLog(usdc, alice, vault, 7n)];
    const bound = (...legs: string[]) => {
      const rules = hub(`action: swap, anchor: { event: Did }, at: hub, subject: who, money: { ${legs.join(", ")} }`);
      const [action] = runStages(caseOf({ ...shown, receipt: { logs: [...moves, didLog(alice)] } }), rules).settled
        .actions;
      const names = legs.map((leg) => leg.slice(0, 1));
      return Object.fromEntries(names.map((name, i) => [name, action?.context.legs[i]?.amount ?? null]));
    };
    const cases: [string, string, unknown][] = [
      // The nearest movement goes to the leg that is bound first. The other leg gets the one that is left.
      ["a: { from: subject }", "b: { from: subject }", { a: 7n, b: 5n }],
      ["a: { from: subject }", "b: { from: subject, standards: [erc20] }", { a: 5n, b: 7n }],
      ["a: { from: subject, optional: true }", "b: { from: subject }", { a: 5n, b: 7n }],
      ["a: { from: subject, to: hub, optional: true }", "b: { from: subject }", { a: 5n, b: 7n }],
      ["a: { from: subject, many: true }", "b: { from: subject }", { a: 5n, b: 7n }],
      ["a: { from: subject, many: true, standards: [erc20] }", "b: { from: subject }", { a: 5n, b: 7n }],
    ];
    for (const [first, second, amounts] of cases) {
      expect(bound(first, second), first).toEqual(amounts);
      expect(bound(second, first), `${second}, then ${first}`).toEqual(amounts);
    }
  });

  it("may be missing only where ether could have moved unseen, if it says so", () => {
    const rules = hub(
      "action: claim, anchor: { event: Did }, at: hub, subject: who, money: { got: { token: native, to: subject, optional: unseen } }",
    );
    const receipt = { logs: [didLog(alice)] };
    const row = { type: "call", from: vault, to: alice, value: "5", success: true };
    expect(standing(rules, caseOf({ ...shown, receipt }))).toEqual([]);
    const trace = { ...shown.trace, internal_transfers: [row] };
    expect(standing(rules, caseOf({ trace, receipt }))).toEqual(["hub/act"]);
    expect(standing(rules, caseOf({ trace: { source: "none", reason: "a test" }, receipt }))).toEqual(["hub/act"]);
  });

  it("is bound by a transfer of nothing only where nothing is stated", () => {
    expect(standing(legs("from: subject"), moved(alice, carol, 0n))).toEqual([]);
    const nothing = caseOf({
      ...shown,
      receipt: { logs: [transferLog(usdc, alice, carol, 0n), logOf(vault, did, { who: alice, amount: 0n })] },
    });
    expect(standing(legs("from: subject, amount: amount"), nothing)).toEqual(["hub/act"]);
  });
});

describe("who acts", () => {
  const operation = userOperationEvent(carol, { paymaster: bob });
  const subjectOf = (logs: CaseFile["receipt"]["logs"]) =>
    runStages(caseOf({ ...shown, transaction: { input: "0x12345678" }, receipt: { logs } }), compileShipped("erc4337"))
      .unwrapped.subject;

  it("is the account that the entry point names, for a sender that gives nothing", () => {
    expect(subjectOf([operation])).toBe(carol);
  });

  it("is the sender if it gave its own tokens, no matter which operation ran too", () => {
    expect(subjectOf([operation, transferLog(usdc, alice, bob, 7n)])).toBe(alice);
  });
});
