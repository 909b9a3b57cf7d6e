import { describe, expect, it } from "vitest";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  traced,
  transferLog,
  usdc,
  vault,
} from "../../support/case-of.ts";
import { entryPoint, userOperationEvent } from "../../support/envelopes.ts";
import { compileShipped, decideBy, runStages } from "../../support/own-rules.ts";

const rules = compileShipped(
  ...["admin", "coinbase-smart-wallet", "erc20", "erc4337", "euler-v2", "flow", "safe", "smart-accounts"],
);
const implementation = "0x00000110dCdEdC9581cb5eCB8467282f2926534d";
const deployed =
  "event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)";
const zero = `0x${"0".repeat(40)}`;
const hash = `0x${"1".repeat(64)}`;

function born(sender: string, at = entryPoint) {
  return logOf(at, deployed, { userOpHash: hash, sender, factory: vault, paymaster: zero });
}

const installed = (at: string) =>
  logOf(at, "event ModuleInstalled(uint256 moduleTypeId, address module)", { moduleTypeId: 1n, module: carol });
const handedOver = (at: string, previousOwner: string) => {
  const event = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
  return logOf(at, event, { previousOwner, newOwner: carol });
};

function told(logs: ReturnType<typeof logOf>[], parts: Parameters<typeof caseOf>[0] = {}) {
  const transaction = { to: entryPoint, input: "0x12345678", ...parts.transaction } as const;
  const { actions } = runStages(caseOf({ ...parts, transaction, receipt: { logs } }), rules).settled;
  return actions.flatMap(({ rule, context }) => (rule.control ? [[rule.id, context.subject]] : []));
}

describe("a change of control", () => {
  it("is told for each account whose operation a genuine EntryPoint ran", () => {
    expect(told([installed(bob), userOperationEvent(bob), installed(carol), userOperationEvent(carol)])).toEqual([
      ["smart-accounts/module-installed", bob],
      ["smart-accounts/module-installed", carol],
    ]);
    // A stranger's EntryPoint proves nothing. What the account writes itself counts only as what it says.
    expect(told([installed(bob), userOperationEvent(bob, { at: vault })])).toEqual([
      ["smart-accounts/module-installed", bob],
    ]);
  });

  it("is told for the principal if an event names the first 19 bytes of it", () => {
    const allowed = (owner: string) => {
      const event =
        "event OperatorStatus(bytes19 indexed addressPrefix, address indexed operator, uint256 accountOperatorAuthorized)";
      const values = { addressPrefix: owner.slice(0, 40), operator: vault, accountOperatorAuthorized: 1n };
      return logOf("0x5301c7dD20bD945D2013b48ed0dee3A284ca8989", event, values);
    };
    const id = "euler-v2/operator-allowed";
    expect(told([allowed(alice)])).toEqual([[id, alice]]);
    expect(told([allowed(bob), userOperationEvent(bob), allowed(carol), userOperationEvent(carol)])).toEqual([
      [id, bob],
      [id, carol],
    ]);
    expect(told([allowed(carol), userOperationEvent(bob)])).toEqual([]);
  });

  it("goes before a transfer of the same account", () => {
    const { actions } = runStages(
      caseOf({
        transaction: { to: entryPoint, input: "0x12345678" },
        receipt: { logs: [transferLog(usdc, bob, vault, 5n), installed(bob), userOperationEvent(bob)] },
      }),
      rules,
    ).settled;
    expect(actions[0]?.rule.id).toBe("smart-accounts/module-installed");
  });

  it("does not count while the account is created, but counts afterwards", () => {
    expect(told([installed(bob), born(bob), userOperationEvent(bob)])).toEqual([]);
    expect(told([born(bob), installed(bob), userOperationEvent(bob)])).toEqual([
      ["smart-accounts/module-installed", bob],
    ]);
    // A stranger's word about it counts for nothing.
    expect(told([installed(bob), born(bob, vault), userOperationEvent(bob)])).toHaveLength(1);
  });

  it("is told of an account that the call tree shows to run known code, unless it is made there", () => {
    const account = frame(vault, bob, {
      input: "0x1234",
      calls: [frame(bob, implementation, { type: "DELEGATECALL", input: "0x1234" })],
    });
    const through = (...calls: ReturnType<typeof frame>[]) => ({ trace: traced(frame(alice, vault, { calls })) });
    const to = { transaction: { to: vault } };
    expect(told([installed(bob)], { ...through(account), ...to })).toEqual([["smart-accounts/module-installed", bob]]);
    // Without that it can only speak for itself.
    const unproven = { ...through({ ...account, calls: [] }), ...to };
    expect(told([installed(bob)], unproven)).toEqual([["smart-accounts/module-installed", bob]]);
    const making = frame(vault, carol, { calls: [frame(carol, bob, { type: "CREATE2" }), account] });
    const log = { address: bob, topics: installed(bob).topics, data: installed(bob).data };
    account.logs = [log] as never;
    expect(told([installed(bob)], { ...through(making), ...to })).toEqual([]);
  });

  it("is code that an account of a bundle, or one beside the subject, runs as its own", () => {
    const op =
      "(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)";
    const runs = (code: string) =>
      calldata("function execute(address to, uint256 value, bytes data, uint8 operation)", [code, 0n, "0x1234", 1]);
    const of = (sender: string, callData: string) => ({
      ...{ sender, callData, nonce: 1n, preVerificationGas: 0n },
      ...{ accountGasLimits: hash, gasFees: hash, initCode: "0x", paymasterAndData: "0x", signature: "0x" },
    });
    const bundle = (...ops: object[]) => calldata(`function handleOps(${op}[] ops, address beneficiary)`, [ops, alice]);
    const input = bundle(of(bob, "0x"), of(carol, runs(vault)));
    expect(told([userOperationEvent(bob), userOperationEvent(carol)], { transaction: { input } })).toEqual([
      ["safe/foreign-code-run-by-other", carol],
    ]);
    // A Safe whose execution nothing proves is a stranger's contract.
    const batch = calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [
      [{ target: carol, value: 0n, data: runs(vault) }],
    ]);
    expect(told([userOperationEvent(bob)], { transaction: { input: bundle(of(bob, batch)) } })).toEqual([]);
  });

  it("is a former owner's only where he may have called the contract himself, else the contract's own word", () => {
    const to = { transaction: { to: vault } };
    expect(told([handedOver(vault, alice)], to)).toEqual([["admin/owner-given-away", alice]]);
    expect(told([handedOver(bob, alice)], to)).toEqual([["admin/owner-handed-on", bob]]);
    const calls = [frame(alice, vault, { calls: [frame(vault, bob)] })];
    const seen = { ...to, trace: traced(calls[0] as never) };
    expect(told([handedOver(bob, alice)], seen)).toEqual([["admin/owner-handed-on", bob]]);
  });

  it("is the word of each contract further on where a call tree shows that none of them was made here", () => {
    const both = [handedOver(bob, alice), handedOver(carol, alice)];
    const called = frame(alice, vault, { calls: [frame(vault, bob), frame(vault, carol)] });
    const to = { transaction: { to: vault } };
    expect(told(both, { ...to, trace: traced(called) })).toEqual([
      ["admin/owner-handed-on", bob],
      ["admin/owner-handed-on", carol],
    ]);
    expect(told(both, to)).toEqual([]);
  });

  it("is told in the summary, of other accounts in a clause of its own", () => {
    const summaryOf = (logs: ReturnType<typeof logOf>[]) =>
      decideBy(rules, caseOf({ transaction: { to: entryPoint, input: "0x12345678" }, receipt: { logs } })).explanation
        .summary;
    const both = summaryOf([installed(bob), userOperationEvent(bob), installed(carol), userOperationEvent(carol)]);
    for (const account of ["0xB0B0…B0B0", "0xC4c4…c4C4"])
      expect(both).toContain(`${account} (a smart account) installed the validator module`);
    const install = (module: string) =>
      logOf(bob, "event ModuleInstalled(uint256 moduleTypeId, address module)", { moduleTypeId: 1n, module });
    const some = summaryOf([
      transferLog(usdc, bob, vault, 5_000_000n),
      ...[carol, alice, vault, usdc].map(install),
      userOperationEvent(bob),
    ]);
    expect(some.match(/installed the validator module \S+/g)).toHaveLength(4);
    expect(some).toContain("and sent 5 USDC to 0x5a5A…5A5A.");
    // A contract may emit many of these. They leave room for losses, and are counted as changes of control.
    const modules = Array.from({ length: 30 }, (_, i) => install(`0x${(0x11 + i).toString(16).repeat(20)}`));
    const many = summaryOf([transferLog(usdc, bob, vault, 5_000_000n), ...modules, userOperationEvent(bob)]);
    expect(many).toMatch(/^\S+ \(a smart account\) installed the validator module \S+\. It also installed /);
    expect(many).toMatch(/sent 5 USDC to 0x5a5A…5A5A and made \d+ more changes of control\./);
  });
});
