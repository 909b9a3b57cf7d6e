import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namedAddresses } from "../../../src/engine/settle/named-addresses.ts";
import { checksum } from "../../../src/kernel/address.ts";
import { alice, bob, carol, caseOf, logOf, transferLog, usdc, vault } from "../../support/case-of.ts";
import { compileOwn, decideBy, runStages } from "../../support/own-rules.ts";
import { root } from "../../support/shared.ts";

const saved = "event Saved(address indexed owner, uint256 amount)";
const lent = "event Lent(address indexed payer, uint256 amount)";
const owed = "event Owed(address indexed payer, uint256 amount)";
const bank = compileOwn(
  `protocol: bank
kind: protocol
name: Bank
site: https://example.org
contracts:
  bank: { source: test, Bank: "${checksum(vault)}" }
abi:
  Saved: "${saved}"
  Lent: "${lent}"
  Owed: "${owed}"
rules:
  - id: saved
    action: lending_supply
    anchor: { event: Saved }
    at: bank
    subject: owner
    money: { paid: { from: subject, to: bank, amount: amount } }
    say: "save {amount of paid.token} at {protocol}"
  - id: lent
    action: lending_repay
    anchor: { event: Lent }
    at: bank
    subject: payer
    money: { gives: some fungible }
    say: "lend {gives} to {protocol}"
  - id: owed
    action: lending_repay
    anchor: { event: Owed }
    at: bank
    subject: payer
    money: { paid: { from: subject, to: bank, amount: amount } }
    say: "repay {amount of paid.token} to {protocol}"
`,
  readFileSync(join(root, "rules/standards/flow.yaml"), "utf8"),
);
const unit = 1_000_000n;
const paid = (to = vault, amount = unit) => transferLog(usdc, alice, to, amount);
const savedFor = (owner: string, amount = unit, at = vault) => logOf(at, saved, { owner, amount });
const lentBy = (payer: string) => logOf(vault, lent, { payer, amount: unit });
const owedBy = (payer: string) => logOf(vault, owed, { payer, amount: unit });
const sees = (logs: object[], to = vault) => caseOf({ transaction: { to }, receipt: { logs } } as never);
const told = (...given: Parameters<typeof sees>) => decideBy(bank, sees(...given)).explanation.summary;
const forCarol = /acted for 0x\w+…\w+(?: \(1 USDC\))? at Bank\./;

describe("what an account's money did for somebody else", () => {
  it("is told if no action tells it, and that account is an examined counterparty", () => {
    const given = sees([paid(), savedFor(carol)]);
    const { explanation, evidence } = decideBy(bank, given);
    expect(explanation.summary).toMatch(forCarol);
    expect(explanation.counterparties.map(({ address }) => address)).toContain(checksum(carol));
    expect(evidence().risk.examined).toContainEqual({ address: carol, roles: expect.arrayContaining(["recipient"]) });
    expect(namedAddresses(runStages(given, bank).settled)).toEqual([carol]);
  });

  it("is told also if a stranger's contract passed the money on", () => {
    const logs = [paid(bob), transferLog(usdc, bob, vault, unit), savedFor(carol)];
    expect(told(logs, bob)).toMatch(forCarol);
  });

  it("is told also if the same was done for the account itself", () => {
    const logs = [paid(), savedFor(alice), paid(vault, 9n * unit), savedFor(carol, 9n * unit)];
    expect(told(logs)).toMatch(/ saved 1 USDC at Bank\. It also acted for 0x\w+…\w+ \(9 USDC\) at Bank/);
  });

  it("is not told if the act is for the account itself, or if the account gave nothing", () => {
    expect(told([paid(), savedFor(alice)])).not.toMatch(forCarol);
    expect(told([transferLog(usdc, bob, vault, unit), savedFor(carol)])).not.toMatch(forCarol);
  });

  it("is not told if the money did not go to the contract", () => {
    expect(told([paid(bob), savedFor(carol)], bob)).not.toMatch(forCarol);
  });

  it("is told only for what another act of the protocol does not tell", () => {
    expect(told([paid(), lentBy(alice), savedFor(carol)])).toMatch(/ lent 1 USDC to Bank\.(?! It also)/);
    const logs = [paid(), owedBy(alice), paid(vault, 9n * unit), savedFor(carol, 9n * unit)];
    expect(told(logs)).toMatch(/ repaid 1 USDC to Bank\. It also acted for 0x\w+…\w+ at Bank and gave/);
  });

  it("is not told if an unknown contract says it, or if it was for one of the protocol's own contracts", () => {
    expect(told([paid(bob), savedFor(carol, unit, bob)], bob)).not.toMatch(/acted for/);
    expect(told([paid(), savedFor(vault)])).not.toMatch(/acted for/);
  });
});
