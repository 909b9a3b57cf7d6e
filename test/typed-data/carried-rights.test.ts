import { encodeFunctionData, type Hex, maxUint256, parseAbi, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { alice, entryPoint, permit2, someone, spender, usdc } from "../assess/scene.ts";
import { decideAsked, largest160, members, permitSingle, type Typed } from "./sample.ts";

const safe = someone("safe");
const token = someone("token");
const until = 1_798_934_400;
const abi = parseAbi([
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
const call = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

/** A Safe transaction that alice is asked to sign. */
function safeTx(to: string, data: Hex): Typed {
  const nothing = { value: "0", operation: 0, safeTxGas: 0, baseGas: 0, gasPrice: 0, nonce: 1 };
  return {
    types: {
      SafeTx: members(
        "address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce",
      ),
    },
    primaryType: "SafeTx",
    domain: { chainId: 8453, verifyingContract: safe },
    message: { ...nothing, gasToken: zeroAddress, refundReceiver: zeroAddress, to, data },
  };
}

const inSafe = (to: string, data: Hex) => decideAsked({ typed_data: safeTx(to, data) }).explanation;
const inOperation = (to: string, data: Hex) =>
  decideAsked({
    user_operation: { sender: safe, nonce: "0x1", callData: call("execute", [to, 0n, data]) },
    entry_point: entryPoint,
  }).explanation;
const flagsOf = ({ risk_flags }: { risk_flags: readonly { flag: string }[] }) => risk_flags.map(({ flag }) => flag);

const details = { token: usdc, amount: BigInt(largest160), expiration: until, nonce: 0 };
const single = { details, spender, sigDeadline: 1_797_000_000n };

describe.each([
  ["a Safe message", inSafe],
  ["a user operation", inOperation],
])("a right in a call that %s carries", (_, ask) => {
  it("through Permit2 is told and flagged as if it were asked for directly", () => {
    const carried = ask(permit2, call("approve", [usdc, spender, BigInt(largest160), until]));
    const direct = decideAsked({ typed_data: permitSingle() }).explanation;
    expect(carried.grants).toEqual(direct.grants);
    expect(carried.summary).toContain("unlimited USDC through Permit2");
    const [flag] = carried.risk_flags;
    expect(flagsOf(carried)).toEqual(flagsOf(direct));
    // Of whom is the one difference: the account's, not the signer's.
    const own = direct.risk_flags[0]?.detail.toLowerCase().replace(alice.toLowerCase(), safe);
    expect(flag?.detail.toLowerCase()).toBe(own);
  });

  it("by a permit that it hands in is its owner's", () => {
    const handed = ask(permit2, call("permit", [alice, single, "0x01"]));
    expect(handed.grants).toMatchObject([{ amount: "unlimited", until: "2027-01-03T00:00:00Z" }]);
    expect(handed.risk_flags[0]).toMatchObject({ flag: "unlimited_approval" });
    expect(handed.risk_flags[0]?.detail.toLowerCase()).toContain(`from ${alice}`);
    const batch = { details: [details, { ...details, token, amount: 5n }], spender, sigDeadline: 1n };
    expect(ask(permit2, call("permit", [alice, batch, "0x01"])).grants.map(({ amount }) => amount)).toEqual([
      "unlimited",
      expect.stringContaining("5"),
    ]);
  });

  it("is none where it is taken back, or where the contract only looks like Permit2", () => {
    expect(ask(permit2, call("approve", [usdc, spender, 0n, until])).grants).toEqual([]);
    expect(ask(someone("copy"), call("approve", [usdc, spender, 9n, until])).grants).toEqual([]);
  });

  it("over a token or a collection counts too", () => {
    expect(ask(usdc, call("increaseAllowance", [spender, maxUint256])).grants).toMatchObject([{ amount: "unlimited" }]);
    expect(ask(token, call("setApprovalForAll", [spender, true])).grants).toMatchObject([{ amount: null }]);
  });
});

describe("a call inside of a call that a message carries", () => {
  it("is told too: whose a Safe will be, and whose code it runs", () => {
    const setup = encodeFunctionData({
      abi: parseAbi([
        "function setup(address[] owners, uint256 threshold, address to, bytes data, address handler, address token, uint256 payment, address receiver)",
      ]),
      args: [[alice, spender], 2n, token, "0x", zeroAddress, zeroAddress, 0n, zeroAddress],
    });
    const create = encodeFunctionData({
      abi: parseAbi(["function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)"]),
      args: ["0x41675C099F32341bf84BFc5382aF534df5C7461a", setup, 1n],
    });
    const { summary } = inSafe("0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67", create);
    expect(summary).toMatch(
      /create a Safe with the code at Safe 1\.4\.1 and give it the owners \S+ and \S+ \(2 must sign\), have it run the code of \S+\.$/,
    );
  });
});
