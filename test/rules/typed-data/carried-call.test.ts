import { concatHex, encodeFunctionData, encodePacked, type Hex, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { planMessage } from "../../../src/engine/messages/decide-message.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import { alice, entryPoint, maxUint, someone, spender, usdc } from "../../engine/assess/scene.ts";
import { labels, ruleset } from "../../property/world.ts";
import { inSafe, safe, safeTx } from "./safe-transaction.ts";
import { decideAsked, decideFor, flagsOf } from "./sample.ts";

const thief = someone("thief");
const token = someone("token");
const abi = parseAbi([
  "function approve(address spender, uint256 value)",
  "function setApprovalForAll(address operator, bool approved)",
  "function transfer(address to, uint256 value)",
  "function execute(address dest, uint256 value, bytes func)",
  "function multiSend(bytes transactions)",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
]);
const call = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

describe("whom a call in a message names", () => {
  it("is a counterparty, and is looked up", () => {
    const typed_data = safeTx({ to: usdc, data: call("transfer", [thief, 5n]) });
    const parties = decideFor(typed_data).explanation.counterparties.map(({ address }) => address.toLowerCase());
    expect(parties).toEqual([safe, thief]);
    const plan = planMessage({ from: alice, typed_data }, { ruleset, labels, lookupsMax: 8 });
    expect(JSON.stringify(plan.risk)).toContain(thief);
  });
});

describe("a message that carries a call", () => {
  it.each([
    [
      "a supply",
      safeTx({ to: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", data: call("supply", [usdc, 100_000_000n, safe, 0]) }),
      "supply 100 USDC to Aave v3.",
      "lending_supply",
      [],
    ],
    [
      "an allowance",
      safeTx({ to: usdc, data: call("approve", [thief, maxUint]) }),
      /allow 0x\S+ to spend unlimited USDC\.$/,
      "erc20_approval",
      ["unlimited_approval"],
    ],
    [
      "ether",
      safeTx({ to: thief, value: "1000000000000000000", data: "0x" }),
      /send 1 ETH to 0x\S+\.$/,
      "eth_transfer",
      [],
    ],
    [
      "what no rule knows",
      safeTx({ to: thief, value: "5", data: "0x12345678" }),
      /call 0x\S+ with 5 wei of ETH\.$/,
      "multisig_execution",
      [],
    ],
    [
      "code to run",
      safeTx({ to: thief, operation: 1, data: "0x12345678" }),
      /run the code of 0x\S+ as its own, which may change it as it likes\.$/,
      "multisig_execution",
      [],
    ],
    [
      "a price of gas",
      safeTx({ to: thief, value: "1", data: "0x", gasPrice: 7, refundReceiver: thief }),
      /, and pay 7 wei of ETH for each unit of gas, with refunds to 0x\S+\.$/,
      "eth_transfer",
      [],
    ],
  ])("tells %s in base form, with its flags", (_, typed, told, action, flags) => {
    const decision = decideFor(typed);
    expect(decision.explanation.summary).toMatch(/^0x\S+ is asked to have the account 0x\S+ /);
    expect(decision.explanation.summary).toMatch(
      typeof told === "string" ? new RegExp(`${told.replace(/[.]/g, "\\.")}$`) : told,
    );
    expect([decision.explanation.action_type, flagsOf(decision)]).toEqual([action, flags]);
  });

  it("opens what the call holds, and tells all of it", () => {
    const part = (to: Address, value: bigint, data: Hex) =>
      encodePacked(
        ["uint8", "address", "uint256", "uint256", "bytes"],
        [0, to, value, BigInt((data.length - 2) / 2), data],
      );
    const parts = concatHex([
      part(usdc, 0n, call("approve", [thief, maxUint])),
      part(usdc, 0n, call("transfer", [thief, 5_000_000n])),
      part(thief, 10n ** 18n, "0x"),
      part(someone("nft"), 0n, call("setApprovalForAll", [thief, true])),
    ]);
    const typed = safeTx({
      to: "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D",
      operation: 1,
      data: call("multiSend", [parts]),
    });
    const { explanation } = decideFor(typed);
    expect(explanation.summary).toMatch(/unlimited USDC/);
    expect(explanation.grants.map(({ amount }) => amount)).toEqual(["unlimited", null]);
    expect(explanation.partial).toBe(true);
    expect(explanation.summary).toMatch(/ and do 1 more thing\.$/);
  });

  it("is read from a user operation of entry points that take a hash", () => {
    const user_operation = {
      sender: safe,
      nonce: "0x1",
      callData: call("execute", [usdc, 0n, call("transfer", [thief, 5_000_000n])]),
    };
    const told = decideAsked({ user_operation, entry_point: entryPoint });
    expect(told.explanation.summary).toMatch(/have the account 0x\S+ send 5 USDC to 0x\S+ by a user operation\.$/);
    expect(told.rule?.id).toBe("erc4337/sign-operation");
    expect(decideAsked({ user_operation, entry_point: thief }).rule).toBeNull();
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
