import { encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { alice, entryPoint, permit2, someone, spender, usdc } from "../../engine/assess/scene.ts";
import { inSafe, safe } from "./safe-transaction.ts";
import { decideAsked, flagsOf, largest160, permitSingle } from "./sample.ts";

const token = someone("token");
const until = 1_798_934_400;
const rightsAbi = parseAbi([
  "struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }",
  "struct Single { Details details; address spender; uint256 sigDeadline; }",
  "struct Batch { Details[] details; address spender; uint256 sigDeadline; }",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function permit(address owner, Single permitSingle, bytes signature)",
  "function permit(address owner, Batch permitBatch, bytes signature)",
  "function execute(address dest, uint256 value, bytes func)",
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function setApprovalForAll(address operator, bool approved)",
]);
const rightsCall = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: rightsAbi, functionName, args } as never);
const inOperation = (to: string, data: Hex) =>
  decideAsked({
    user_operation: { sender: safe, nonce: "0x1", callData: rightsCall("execute", [to, 0n, data]) },
    entry_point: entryPoint,
  }).explanation;

const details = { token: usdc, amount: BigInt(largest160), expiration: until, nonce: 0 };
const single = { details, spender, sigDeadline: 1_797_000_000n };

describe.each([
  ["a Safe message", inSafe],
  ["a user operation", inOperation],
])("a right in a call that %s carries", (_, ask) => {
  it("through Permit2 is told and flagged as if it were asked for directly", () => {
    const carried = ask(permit2, rightsCall("approve", [usdc, spender, BigInt(largest160), until]));
    const direct = decideAsked({ typed_data: permitSingle() }).explanation;
    expect(carried.grants).toEqual(direct.grants);
    expect(carried.summary).toContain("unlimited USDC through Permit2");
    const [flag] = carried.risk_flags;
    expect(flagsOf({ explanation: carried })).toEqual(flagsOf({ explanation: direct }));
    // The only difference is the owner: it is the account, not the signer.
    const own = direct.risk_flags[0]?.detail.toLowerCase().replace(alice.toLowerCase(), safe);
    expect(flag?.detail.toLowerCase()).toBe(own);
  });

  it("by a permit that it hands in is its owner's", () => {
    const handed = ask(permit2, rightsCall("permit", [alice, single, "0x01"]));
    expect(handed.grants).toMatchObject([{ amount: "unlimited", until: "2027-01-03T00:00:00Z" }]);
    expect(handed.risk_flags[0]).toMatchObject({ flag: "unlimited_approval" });
    expect(handed.risk_flags[0]?.detail.toLowerCase()).toContain(`from ${alice}`);
    const batch = { details: [details, { ...details, token, amount: 5n }], spender, sigDeadline: 1n };
    expect(ask(permit2, rightsCall("permit", [alice, batch, "0x01"])).grants.map(({ amount }) => amount)).toEqual([
      "unlimited",
      expect.stringContaining("5"),
    ]);
  });

  it("is none where it is taken back, or where the contract only looks like Permit2", () => {
    expect(ask(permit2, rightsCall("approve", [usdc, spender, 0n, until])).grants).toEqual([]);
    expect(ask(someone("copy"), rightsCall("approve", [usdc, spender, 9n, until])).grants).toEqual([]);
  });

  it("over a token or a collection counts too", () => {
    expect(ask(usdc, rightsCall("increaseAllowance", [spender, maxUint256])).grants).toMatchObject([
      { amount: "unlimited" },
    ]);
    expect(ask(token, rightsCall("setApprovalForAll", [spender, true])).grants).toMatchObject([{ amount: null }]);
  });
});
