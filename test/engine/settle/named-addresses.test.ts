import { describe, expect, it } from "vitest";
import { namedAddresses, newControllers } from "../../../src/engine/settle/named-addresses.ts";
import { checksum } from "../../../src/kernel/address.ts";
import { alice, bob, carol, caseOf, logOf, transferLog, usdc, vault } from "../../support/case-of.ts";
import { compileOwn, compileShipped, decideBy, runStages } from "../../support/own-rules.ts";

const rules = compileShipped("admin", "flow");
const transferred = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
const revoked = "event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)";
const role = `0x${"1".repeat(64)}`;
const call = (selector: string) => ({ to: vault, input: `${selector}${"0".repeat(128)}` as `0x${string}` });

describe("named addresses", () => {
  const bank = compileOwn(`protocol: bank
kind: protocol
name: Bank
site: https://example.org
contracts:
  bank: { source: test, Bank: "${checksum(vault)}" }
abi:
  Paid: "event Paid(address indexed account, address to)"
rules:
  - id: paid
    action: lending_withdraw
    anchor: { event: Paid }
    at: bank
    subject: { for: account }
    values: { payee: to as other, account: account as address }
    say: "withdraw from {protocol}[ to {payee}]"
`);
  const paid = (to: string) =>
    caseOf({
      transaction: { to: vault },
      receipt: { logs: [logOf(vault, "event Paid(address indexed account, address to)", { account: alice, to })] },
    });

  it("contain the account that is paid instead of the subject", () => {
    expect(namedAddresses(runStages(paid(carol), bank).settled)).toEqual([alice, carol]);
    const { explanation, evidence } = decideBy(bank, paid(carol));
    expect(explanation.summary).toContain("withdrew from Bank to ");
    expect(evidence().risk.examined).toContainEqual({ address: carol, roles: expect.arrayContaining(["recipient"]) });
    const own = decideBy(bank, paid(alice)).evidence().risk.examined;
    expect(own.map(({ address }) => address)).not.toContain(alice);
  });
});

describe("an act that an account did again", () => {
  const saved = "event Saved(address indexed payer, address owner, uint256 amount)";
  const bank = compileOwn(
    `protocol: bank
kind: protocol
name: Bank
site: https://example.org
contracts:
  bank: { source: test, Bank: "${checksum(vault)}" }
abi:
  Saved: "${saved}"
rules:
  - id: saved
    action: vault_deposit
    anchor: { event: Saved }
    at: bank
    subject: payer
    money: { gives: some fungible }
    values: { owner: owner as other }
    say: "deposit {gives} into {protocol}[ for {owner}]"
`,
  );
  const deposits = (...owners: string[]) =>
    caseOf({
      transaction: { to: vault },
      receipt: {
        logs: owners.flatMap((owner, i) => [
          transferLog(usdc, alice, vault, BigInt(i + 1) * 1_000_000n),
          logOf(vault, saved, { payer: alice, owner, amount: BigInt(i + 1) * 1_000_000n }),
        ]),
      },
    });
  const told = (...owners: string[]) => decideBy(bank, deposits(...owners)).explanation;

  it("is told with the account that it was for, if one sentence tells the money of both", () => {
    expect(runStages(deposits(alice, carol), bank).settled.twins.map(({ rule }) => rule.id)).toEqual(["bank/saved"]);
    const { summary, counterparties } = told(alice, carol);
    expect(summary).toMatch(/ deposited 3 USDC into Bank\. It also did a part of it for 0x\w+…\w+ \(2 USDC\)\./);
    expect(counterparties.map(({ address }) => address)).toContain(checksum(carol));
  });

  it("is not told if the sentence already names that account", () => {
    for (const owners of [[carol, carol], [alice, alice], [alice]])
      expect(told(...owners).summary).not.toContain("a part of it");
    expect(runStages(deposits(alice), bank).settled.twins).toEqual([]);
  });

  it("is told as for the account itself if the sentence names somebody else", () => {
    expect(told(carol, alice).summary).toMatch(
      / deposited 3 USDC into Bank for 0x\w+…\w+\. It also did a part of it for itself \(2 USDC\)\./,
    );
  });

  it("names several, each once", () => {
    expect(told(alice, carol, bob, carol).summary).toMatch(
      /a part of it for 0xC4c4…c4C4 \(6 USDC\) and 0xB0B0…B0B0 \(3 USDC\)\./,
    );
  });
});

describe("new controllers", () => {
  const handed = caseOf({
    transaction: call("0xf2fde38b"),
    receipt: { logs: [logOf(vault, transferred, { previousOwner: bob, newOwner: carol })] },
  });

  it("are the accounts that got power, not those that lost it", () => {
    expect(newControllers(runStages(handed, rules).settled)).toEqual([carol]);
    const logs = [logOf(vault, revoked, { role, account: carol, sender: bob })];
    const taken = runStages(caseOf({ transaction: call("0xd547741f"), receipt: { logs } }), rules).settled;
    expect(taken.actions[0]?.rule.id).toBe("admin/role-revoked");
    expect(newControllers(taken)).toEqual([]);
  });

  it("are examined", () => {
    const { evidence } = decideBy(rules, handed);
    expect(evidence().risk.examined).toContainEqual({ address: carol, roles: expect.arrayContaining(["controller"]) });
  });
});
