import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatMutations, unexcused } from "../../../src/tools/lint/command.ts";
import { messageForgeries } from "../../../src/tools/lint/messages/forged-messages.ts";
import { type MutationReport, mutateRules } from "../../../src/tools/lint/mutation/mutate.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { noRecordings } from "./lint-text.ts";

/** The forgeries of a file with one rule, compiled with the shipped standards. */
function forge(rule: string, logs: string, more = "", to = "pool"): MutationReport {
  const text = `# yaml-language-server: $schema=../../schemas/rule.schema.json
protocol: weak
name: Weak
kind: protocol
contracts:
  pool:
    { source: ex/book@0123456:A.md, Weak pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
abi:
  Paid: "event Paid(address indexed user, uint256 amount)"
  pay: "function pay(uint256 amount)"
rules:
  - id: pay
    action: payment
${rule}
    say: "pay on {protocol}"
examples:
  - name: a payment
    given:
      from: alice
      to: ${to}
      call: { pay: { amount: "5" } }
      logs:
${logs}
    rule: pay
${more}`;
  const shipped = findSources([join(root, "rules/standards")]);
  const rules = shipped.rules.filter(({ file }) => /actions|standards|erc4337/.test(file));
  const file = "rules/weak.yaml";
  return mutateRules({ ...shipped, rules: [...rules, { file, text }], wanted: new Set([file]) }, noRecordings);
}

const paid = '        - Paid: { at: pool, user: alice, amount: "5" }';
const sent = `        - transfer: { token: USDC, from: alice, to: pool, amount: "5" }\n${paid}`;
const survivors = ({ survivors }: MutationReport) => survivors.map(({ kind, change }) => `${kind}: ${change}`);

const ofMessages = new Set(Object.keys(messageForgeries));

describe("forged examples", () => {
  it("are all seen through by a rule that asks for everything", () => {
    const report = forge(
      `    anchor: { event: Paid }\n    at: pool\n    subject: user\n    money: { paid: { from: user, to: pool, amount: amount } }`,
      sent,
    );
    expect(report.survivors).toEqual([]);
    expect(report.rules).toEqual(["weak/pay"]);
    for (const [kind, { mutants, killed }] of Object.entries(report.kinds))
      expect([kind, mutants > 0, killed]).toEqual([
        kind,
        kind !== "other-beneficiary" && kind !== "taken-proceeds" && !ofMessages.has(kind),
        mutants,
      ]);
  });

  it("deceive a rule that lets anyone emit its event", () => {
    const report = forge(
      `    anchor: { event: Paid, within: pay, calls_at: pool }\n    at: any\n    subject: user`,
      paid,
    );
    expect(survivors(report)).toEqual(["foreign-emitter: Paid comes from an untrusted contract"]);
    expect(report.survivors[0]).toMatchObject({
      file: "rules/weak.yaml",
      rule: "weak/pay",
      example: "a payment",
      stands: ["weak/pay"],
    });
    expect(
      formatMutations(report),
    ).toBe(`foreign-emitter: the rule's events, calls or parties come from an untrusted contract
  weak/pay  (rules/weak.yaml, example "a payment")
    Paid comes from an untrusted contract: the rule still stands; stands: weak/pay
    0xA11C…11Ce payed on Weak.

foreign-emitter    50.0 %  1 of 2 killed
swapped-sides         -    0 of 0 killed
zeroed-amount         -    0 of 0 killed
dropped-leg           -    0 of 0 killed
third-party       100.0 %  1 of 1 killed
forged-operation  100.0 %  1 of 1 killed
diverted-payment      -    0 of 0 killed
added-theft       100.0 %  4 of 4 killed
diverted-proceeds 100.0 %  6 of 6 killed
taken-proceeds        -    0 of 0 killed
added-grant       100.0 %  2 of 2 killed
side-show         100.0 %  2 of 2 killed
other-beneficiary     -    0 of 0 killed
other-account         -    0 of 0 killed
foreign-verifier      -    0 of 0 killed
other-chain           -    0 of 0 killed
other-type            -    0 of 0 killed
endless-right         -    0 of 0 killed
for-nothing           -    0 of 0 killed
diverted-return       -    0 of 0 killed
all                94.4 %  17 of 18 killed, 1 rule
`);
  });

  it("are counted by kind", () => {
    const counts = ({ kinds }: MutationReport) =>
      Object.entries(kinds).flatMap(([kind, { mutants, killed }]) =>
        mutants === 0 ? [] : [`${kind} ${killed}/${mutants}`],
      );
    const bound = `    anchor: { event: Paid }\n    at: pool\n    subject: user\n    money: { paid: { from: user, to: pool, amount: amount } }`;
    expect(counts(forge(bound, sent))).toEqual([
      "foreign-emitter 2/2",
      "swapped-sides 1/1",
      "zeroed-amount 1/1",
      "dropped-leg 1/1",
      "third-party 1/1",
      "forged-operation 1/1",
      "diverted-payment 2/2",
      "added-theft 8/8",
      "diverted-proceeds 12/12",
      "added-grant 4/4",
      "side-show 2/2",
      "other-account 1/1",
    ]);
    expect(counts(forge("    anchor: { call: pay }\n    at: pool\n    money: { gives: some }", sent))).toEqual([
      "foreign-emitter 2/2",
      "swapped-sides 1/1",
      "zeroed-amount 1/1",
      "dropped-leg 1/1",
      "diverted-payment 1/1",
      "added-theft 4/4",
      "diverted-proceeds 6/6",
      "added-grant 2/2",
      "side-show 2/2",
    ]);
    const both = `    anchor: { event: Paid }\n    at: pool\n    subject: user\n    money: { gives: some, gets: some }`;
    const back = `${sent}\n        - transfer: { token: WETH, from: pool, to: alice, amount: "7" }`;
    expect(counts(forge(both, back))).toEqual([
      "foreign-emitter 2/2",
      "swapped-sides 2/2",
      "zeroed-amount 2/2",
      "dropped-leg 2/2",
      "third-party 1/1",
      "forged-operation 1/1",
      "diverted-payment 2/2",
      "added-theft 8/8",
      "diverted-proceeds 12/12",
      "added-grant 4/4",
      "side-show 2/2",
      "other-beneficiary 1/1",
    ]);
  });

  it("deceive a rule that does not say where its leg goes", () => {
    const report = forge(
      `    anchor: { event: Paid }\n    at: pool\n    subject: user\n    money: { paid: { amount: amount } }`,
      sent,
    );
    expect(survivors(report)).toContain("swapped-sides: leg paid");
  });

  it("deceive no rule that is about whoever the transaction ran for: what the account sent comes first", () => {
    const report = forge(`    anchor: { event: Paid }\n    at: pool\n    subject: [user, subject]`, paid);
    const found = survivors(report);
    expect(found.filter((line) => line.startsWith("third-party"))).toEqual([]);
    expect(found.filter((line) => line.startsWith("foreign-emitter"))).toEqual([]);
  });

  // Even without the rule, it is told who got ether or listed tokens instead of the account.
  const came = `        - transfer: { token: carol, from: pool, to: alice, amount: "5" }\n${paid}`;
  const unbound = `    anchor: { event: Paid }\n    at: pool\n    subject: user\n    money: { back: { from: pool, amount: amount } }`;

  /**
   * The call goes through an unknown contract, because what a known contract pays out on the sender's call is told even without the rule.
   */
  const through = (rule: string) => forge(rule, came, "", "bob");

  it("deceive a rule that tells what came in wherever it went", () => {
    const report = through(unbound);
    expect(survivors(report)).toContain("other-beneficiary: what the subject gets goes to a stranger");
    expect(unexcused(report)).toEqual([
      expect.objectContaining({
        problem: "the stranger is not told",
        summary: "0xA11C…11Ce payed on Weak.",
        reason: null,
      }),
    ]);
  });

  it("may survive with a reason, which must be needed", () => {
    const why = "the pool says where the money goes";
    const reason = (kind: string) => `${unbound}\n    survives:\n      ${kind}: ${why}`;
    const excused = through(reason("other-beneficiary"));
    expect([unexcused(excused), excused.needless]).toEqual([[], []]);
    expect(formatMutations(excused)).toContain(`the rule says why: ${why}`);
    const needless = through(reason("side-show"));
    expect(unexcused(needless)).toHaveLength(1);
    expect(needless.needless).toEqual([{ rule: "weak/pay", kind: "side-show" }]);
    expect(formatMutations(needless)).toContain("weak/pay gives a reason for side-show, and nothing survives");
  });

  it("do not count where nothing can be forged", () => {
    const report = forge("    tried: [{ call: pay, at: pool }]", paid);
    expect(report).toMatchObject({ rules: [], untested: ["weak/pay"], survivors: [] });
  });
});
