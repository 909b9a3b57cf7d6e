import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { alice, bob, calldata, carol, caseOf, frame, traced, vault, zero } from "../../support/case-of.ts";
import { entryPoint, execute, handleOps, opOf, userOperation, userOperationEvent } from "../../support/envelopes.ts";
import { decideBy } from "../../support/own-rules.ts";
import { inner, ruleset, unwrapped } from "./shipped-wrappers.ts";

const entryPointV6 = "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789";

describe("ERC-4337 handleOps", () => {
  const one = userOperation(bob, "0x12345678");

  it("makes the single operation's sender the subject, and its call his", () => {
    const found = unwrapped(entryPoint, one, { receipt: { logs: [userOperationEvent(bob)] } });
    expect(found).toMatchObject({ subject: bob, actors: [bob], truncated: [] });
    expect(found.calls[1]).toMatchObject({
      from: entryPoint,
      to: bob,
      actor: bob,
      via: "erc4337/handle-ops-v7",
      state: "asserted",
    });
  });

  it("goes on into the account's own execute, in the account's name", () => {
    const input = userOperation(bob, execute(carol, 5n, "0xabcdef01"));
    const found = unwrapped(entryPoint, input, { receipt: { logs: [userOperationEvent(bob)] } });
    expect(found.calls[2]).toMatchObject({ from: bob, to: carol, actor: bob, value: 5n, input: "0xabcdef01" });
    expect(found.subject).toBe(bob);
  });

  it("reads the unpacked operations of EntryPoint 0.6", () => {
    const v6 =
      "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)";
    const { accountGasLimits: _, gasFees: __, ...rest } = opOf(bob, 1n, "0x12345678");
    const op = { ...rest, callGasLimit: 1n, verificationGasLimit: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    const found = unwrapped(entryPointV6, calldata(v6, [[op], carol]), {
      receipt: { logs: [userOperationEvent(bob, { at: entryPointV6 })] },
    });
    expect(found.subject).toBe(bob);
  });

  it("leaves several operations to their bundler", () => {
    const input = handleOps([opOf(bob, 1n, "0x12345678"), opOf(carol, 1n, "0x12345678")], vault);
    const logs = [userOperationEvent(bob), userOperationEvent(carol, { success: false })];
    const found = unwrapped(entryPoint, input, { receipt: { logs } });
    expect(found).toMatchObject({ subject: alice, actors: [bob, carol] });
    expect(found.calls.slice(1).map(({ to, state }) => [to, state])).toEqual([
      [bob, "asserted"],
      [carol, "failed"],
    ]);
  });

  it.each<[string, RpcLog[]]>([
    ["failed", [userOperationEvent(bob, { success: false })]],
    ["left no event", []],
    ["is told of by a stranger", [userOperationEvent(bob, { at: vault })]],
    ["is another one's", [userOperationEvent(carol)]],
    ["has another nonce", [userOperationEvent(bob, { nonce: 2n })]],
  ])("holds no call for done when the operation %s", (_what, logs) => {
    expect(inner(entryPoint, one, { receipt: { logs } })).toEqual(["entry point → bob 0x12345678 failed"]);
  });

  it("is nothing at an address that is no entry point", () => {
    expect(inner(vault, one, { receipt: { logs: [userOperationEvent(bob, { at: vault })] } })).toEqual([]);
  });

  it("is found by its event also behind a bundler's own contract", () => {
    const found = unwrapped(vault, "0x99999999", { receipt: { logs: [userOperationEvent(bob)] } });
    expect(found).toMatchObject({ subject: bob, calls: [{ to: vault }] });
    const many = unwrapped(vault, "0x99999999", {
      receipt: { logs: [userOperationEvent(bob), userOperationEvent(carol)] },
    });
    expect(many).toMatchObject({ subject: alice, actors: [bob, carol] });
    const forged = unwrapped(vault, "0x99999999", { receipt: { logs: [userOperationEvent(bob, { at: vault })] } });
    expect(forged.subject).toBe(alice);
  });

  it("has no sender where the event names the zero address", () => {
    const nobody = { receipt: { logs: [userOperationEvent(zero)] } };
    expect(unwrapped(vault, "0x99999999", nobody)).toMatchObject({ subject: alice, actors: [alice] });
    const two = { receipt: { logs: [userOperationEvent(zero), userOperationEvent(bob)] } };
    expect(unwrapped(vault, "0x99999999", two)).toMatchObject({ subject: bob, actors: [bob] });
  });

  it("keeps the gas that the account pays to the entry point out of its flow", () => {
    const root = frame(alice, entryPoint, {
      input: one,
      calls: [frame(entryPoint, bob, { input: "0x12345678", calls: [frame(bob, entryPoint, { value: "0x7" })] })],
    });
    const parts = { receipt: { logs: [userOperationEvent(bob)] }, trace: traced(root) };
    const { explanation } = decideBy(ruleset, caseOf({ ...parts, transaction: { to: entryPoint, input: one } }));
    expect(explanation.assets_moved).toMatchObject([{ token: "ETH", amount: "0.000000000000000007" }]);
    expect(explanation.summary).toMatch(/^0xB0B0…b0b0 called /i);
    expect(explanation.summary).not.toContain("giving");
  });
});
