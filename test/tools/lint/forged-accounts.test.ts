import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mutateRules } from "../../../src/tools/lint/mutation/mutate.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { noRecordings } from "./lint-text.ts";

const shipped = findSources([join(root, "rules/standards")]);
const base = shipped.rules.filter(({ file }) => /actions|standards|erc4337/.test(file));
const sent = "{ transfer: { token: USDC, from: alice, to: pool, amount: 5 } }";
const event = "Saved: { at: pool, payer: alice, account: alice, terms: { refundTo: alice, memo: hi }, amount: 5 }";

/** The result of forging accounts for a rule about deposits: what was changed, and what is wrong with the answer. */
function forge(rule: string, { logs = [sent, `{ ${event} }`], call = "" } = {}): string[] {
  const text = `# yaml-language-server: $schema=../../schemas/rule.schema.json
protocol: weak
name: Weak
kind: protocol
source: ex/book@0123456:A.md
contracts:
  pool: { Weak pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
abi:
  Saved: "event Saved(address payer, address indexed account, (address refundTo, string memo) terms, uint256 amount)"
  save: "function save(uint256 amount, bytes32 receiver, address sender, address token)"
rules:
  - id: save
    action: stake
    at: pool
    money: { gives: some fungible }
    ${rule}
examples:
  - { name: a deposit, given: { from: alice, to: pool, ${call} logs: [${logs.join(", ")}] }, rule: save }
`;
  const rules = [...base, { file: "rules/weak.yaml", text }];
  const report = mutateRules({ ...shipped, rules, wanted: new Set(["rules/weak.yaml"]) }, noRecordings);
  const found = report.survivors.filter(({ kind }) => kind === "other-account");
  const { mutants, killed } = report.kinds["other-account"];
  return [`${killed}/${mutants}`, ...found.map(({ change, problem }) => `${change}: ${problem}`)];
}

describe("an argument that names a stranger", () => {
  const hidden = "the stranger is not told";

  it("is told of by a rule that tells whose it is", () => {
    const rule = `anchor: { event: Saved }\n    values: { owner: account as other }\n    say: "save {gives}[ for {owner}]"`;
    expect(forge(rule)).toEqual(["1/1"]);
  });

  it("deceives a rule that does not, in topics, data and structs, save where it says who acted", () => {
    expect(forge('anchor: { event: Saved }\n    say: "save {gives}"')).toEqual([
      "0/1",
      `a stranger is named by \`account\`, \`refundTo\`: ${hidden}`,
    ]);
  });

  it("is left where the rule needs it, and named there once more: then the rule does not stand, and the answer tells him", () => {
    expect(forge(`anchor: { event: Saved }\n    subject: account\n    say: "save {gives}"`)).toEqual([
      "1/2",
      `a stranger is named by \`refundTo\`: ${hidden}`,
    ]);
    const asked = `anchor: { event: Saved }\n    when: { "==": [{ var: account }, { var: subject }] }\n    say: "save {gives}"`;
    expect(forge(asked)).toEqual([
      "0/2",
      `a stranger is named by \`refundTo\`: ${hidden}`,
      `a stranger is named by \`account\`, \`refundTo\`: ${hidden}`,
    ]);
    expect(forge(`anchor: { event: Saved }\n    subject: { for: account }\n    say: "save {gives}"`)).toHaveLength(2);
  });

  it("may have named nobody, where it says who gets something", () => {
    const call = "call: { save: { amount: 5 } },";
    expect(forge('anchor: { call: save }\n    say: "save {gives}"', { logs: [sent], call })).toEqual([
      "0/1",
      `a stranger is named by \`receiver\`: ${hidden}`,
    ]);
  });

  it("is forged only where the account gets nothing", () => {
    const back = "{ transfer: { token: WETH, from: pool, to: alice, amount: 7 } }";
    expect(forge('anchor: { event: Saved }\n    say: "save {gives}"', { logs: [sent, back, `{ ${event} }`] })).toEqual([
      "0/0",
    ]);
  });
});
