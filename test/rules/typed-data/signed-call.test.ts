import { concatHex, encodeFunctionData, encodePacked, type Hex, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { checksum, zeroAddress } from "../../../src/kernel/address.ts";
import { alice, entryPoint, maxUint, someone, usdc } from "../../engine/assess/scene.ts";
import { safe, safeTx } from "./safe-transaction.ts";
import { decideAsked, decideFor, members, permitSingle } from "./sample.ts";

const thief = someone("thief");
const multisend = "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D";
const multicall3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const ether = 10n ** 18n;
const abi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function enableModule(address module)",
  "function execute(address dest, uint256 value, bytes func)",
  "function multicall(bytes[] calls)",
  "function multiSend(bytes transactions)",
  "function deposit()",
  "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
]);
const call = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);
const executed = (to: string, data: Hex) =>
  call("execTransaction", to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, "0x");
const decoy = call("transfer", alice, 7_000_000n);

type Part = [to: string, value: bigint, data: Hex, operation?: number];
const told = (typed: unknown) => decideFor(typed).explanation;
const batch = (...parts: Part[]) => {
  const packed = parts.map(([to, value, data, operation = 0]) =>
    encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [operation, to as Hex, value, BigInt(data.length / 2 - 1), data],
    ),
  );
  return told(safeTx({ to: multisend, operation: 1, data: call("multiSend", concatHex(packed)) }));
};

describe("a call of a contract that nobody knows", () => {
  it.each<[string, Hex]>([
    ["a Safe's execution", executed(usdc, decoy)],
    ["an account's execution", call("execute", usdc, 0n, decoy)],
  ])("is told with its ether, whatever its calldata says: %s", (_what, data) => {
    const { summary, action_type, counterparties } = told(safeTx({ to: thief, value: ether.toString(), data }));
    expect(summary).toMatch(/call 0x\S+ with 1 ETH to have it send 7 USDC to 0x\S+, or do what it wants\.$/);
    expect(action_type).toBe("multisig_execution");
    expect(counterparties.map(({ address }) => address)).toContain(checksum(thief));
  });

  it("is told behind an account's own execution, and behind a forwarder", () => {
    const inner = call("execute", usdc, 0n, decoy);
    const user_operation = { sender: alice, nonce: "0x1", callData: call("execute", thief, ether, inner) };
    const operation = decideAsked({ user_operation, entry_point: entryPoint }).explanation;
    expect(operation.summary).toMatch(/call 0x\S+ with 1 ETH to have it send 7 USDC to/);
    const request = {
      types: {
        ForwardRequest: members("address from, address to, uint256 value, uint256 gas, uint256 nonce, bytes data"),
      },
      primaryType: "ForwardRequest",
      domain: { chainId: 8453, verifyingContract: safe },
      message: { from: alice, to: thief, value: ether.toString(), gas: "0", nonce: "0", data: inner },
    };
    expect(told(request).summary).toMatch(/so as to call 0x\S+ with 1 ETH to have it send 7 USDC to/);
  });

  it("keeps apart what the account does itself", () => {
    const { summary, action_type } = batch([usdc, 0n, call("transfer", thief, 5n)], [thief, 0n, executed(usdc, decoy)]);
    expect(summary).toMatch(/send 0\.000005 USDC to 0x\S+ and call 0x\S+ to have it call USDC, or do what it wants/);
    expect(action_type).toBe("erc20_transfer");
  });

  it("is none where the contract is known", () => {
    const calls = [{ target: thief, allowFailure: false, value: ether, callData: "0x" }];
    const data = call("aggregate3Value", calls);
    const { summary } = told(safeTx({ to: multicall3, value: ether.toString(), data }));
    expect(summary).not.toContain("what it wants");
    expect(summary).not.toContain("along");
  });
});

describe("ether that a call carries", () => {
  it("is told where the act that is told says nothing of it", () => {
    const { summary } = told(safeTx({ to: thief, value: ether.toString(), data: decoy }));
    expect(summary).toMatch(/send 1 ETH along and send 7,000,000 raw units of token 0x\S+ to/);
  });

  it("is not told twice", () => {
    const weth = "0x4200000000000000000000000000000000000006";
    const { summary } = told(safeTx({ to: weth, value: ether.toString(), data: call("deposit") }));
    expect(summary).toMatch(/have the account 0x\S+ wrap 1 ETH into WETH\.$/);
  });
});

describe("a batch that is signed", () => {
  it("tells how often something is asked for", () => {
    const pay = call("transfer", thief, 5_000_000n);
    expect(batch([usdc, 0n, pay], [usdc, 0n, pay]).summary).toMatch(/send 5 USDC to 0x\S+ \(2 times\)\.$/);
    const three = Array.from({ length: 3 }, (): Part => [thief, ether, "0x12345678"]);
    expect(batch(...three).summary).toMatch(/call 0x\S+ with 1 ETH \(3 times\)\.$/);
  });

  it("tells first who gets control and whose code runs, whatever else is in it", () => {
    const fillers = Array.from({ length: 4 }, (_, i): Part => [someone(`f${i}`), 0n, "0x12345678"]);
    const { summary, counterparties } = batch(
      [usdc, 0n, call("transfer", thief, 5_000_000n)],
      ...fillers,
      [safe, 0n, call("enableModule", thief)],
      [someone("code"), 0n, decoy, 1],
    );
    expect(summary).toMatch(
      /account 0x\S+ (?:run the code of|enable the module) .* and (?:run|enable)|and do \d+ more things/,
    );
    expect(summary).toMatch(/enable the module 0x\S+ in 0x\S+, which may move everything that it holds/);
    expect(summary).toMatch(/run the code of 0x\S+ as its own, which may change it as it likes/);
    expect(summary).not.toMatch(/7,000,000 raw units/);
    expect(counterparties.map(({ address }) => address)).toContain(checksum(someone("code")));
  });

  it("names a right over a known token before what nobody knows", () => {
    const fillers = Array.from({ length: 4 }, (_, i): Part => [someone(`f${i}`), 0n, call("approve", thief, 1n)]);
    expect(batch(...fillers, [usdc, 0n, call("approve", thief, maxUint)]).summary).toMatch(/spend unlimited USDC/);
  });
});

describe("the gas of a user operation", () => {
  const words = (price: bigint, extra: bigint) => {
    const gasFees = `0x${"0".repeat(32)}${price.toString(16).padStart(32, "0")}`;
    const user_operation = { sender: alice, nonce: "0x1", callData: "0x", gasFees, preVerificationGas: String(extra) };
    return decideAsked({ user_operation, entry_point: entryPoint }).explanation.summary;
  };

  it.each<[bigint, bigint, RegExp]>([
    [10n ** 10n + 1n, 1n, /by a user operation, and pay up to 0\.00000001 ETH for each unit of gas\.$/],
    [1n, 10_000_001n, /by a user operation, and pay for 10,000,001 units of gas that nobody measures\.$/],
    [10n ** 10n, 10_000_000n, /by a user operation\.$/],
  ])("is told where it is more than gas costs: %i, %i", (price, extra, told) => {
    expect(words(price, extra)).toMatch(told);
  });
});

describe("many rights in one message", () => {
  const batchOf = (...ends: number[]) =>
    told(
      permitSingle((one) => {
        one.primaryType = "PermitBatch";
        one.types.PermitBatch = members("PermitDetails[] details, address spender, uint256 sigDeadline");
        delete one.types.PermitSingle;
        one.message.details = ends.map((expiration) => ({
          ...(one.message.details as object),
          amount: "5",
          expiration,
        }));
      }),
    ).summary;

  it("are told with when the last of them ends", () => {
    expect(batchOf(1_798_934_400)).toMatch(/through Permit2, until 2027-01-03 at the latest\.$/);
    expect(batchOf(1_798_934_400, 1_767_398_400)).toMatch(/, until 2027-01-03 at the latest\.$/);
    expect(batchOf(1_798_934_400, 2 ** 48 - 1)).toMatch(/through Permit2, without an end\.$/);
  });

  it("name those over known tokens first, however many worthless ones stand in front", () => {
    const typed = permitSingle((one) => {
      one.primaryType = "PermitBatch";
      one.types.PermitBatch = members("PermitDetails[] details, address spender, uint256 sigDeadline");
      delete one.types.PermitSingle;
      const { details } = one.message as { details: { token: string } };
      const junk = Array.from({ length: 80 }, (_, i) => ({ ...details, token: someone(`junk${i}`) }));
      one.message.details = [...junk, details];
    });
    const { summary, grants, risk_flags } = told(typed);
    expect(summary).toMatch(/spend unlimited USDC, unlimited token 0x\S+ and|spend unlimited USDC, /);
    expect(grants[0]?.token).toBe("USDC");
    expect(risk_flags[0]?.detail).toContain(checksum(usdc));
  });
});
