import { concatHex, encodeFunctionData, encodePacked, type Hex, maxUint256, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { planMessage } from "../../src/engine/messages/decide-message.ts";
import { type Address, shorten, zeroAddress } from "../../src/kernel/address.ts";
import {
  alice,
  answers,
  code,
  drainers,
  entryPoint,
  maxUint,
  permit2,
  someone,
  spender,
  usdc,
} from "../assess/scene.ts";
import { labels, ruleset } from "../property/world.ts";
import { decideAsked, decideFor, largest160, members, permitSingle, type Typed } from "./sample.ts";

const safe = someone("safe");
const thief = someone("thief");
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

function flagsOf({ explanation }: ReturnType<typeof decideFor>): string[] {
  return explanation.risk_flags.map(({ flag }) => flag);
}

/** A Safe transaction that alice is asked to sign. */
function safeTx(message: Record<string, unknown>): Typed {
  const nothing = { value: "0", operation: 0, safeTxGas: 0, baseGas: 0, gasPrice: 0, nonce: 1 };
  return {
    types: {
      SafeTx: members(
        "address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce",
      ),
    },
    primaryType: "SafeTx",
    domain: { chainId: 8453, verifyingContract: safe },
    message: { ...nothing, gasToken: zeroAddress, refundReceiver: zeroAddress, ...message },
  };
}

describe("an allowance that is to be signed", () => {
  it("is told with its spender, amount and end, as a grant and as a flag", () => {
    const { explanation, rule } = decideFor(permitSingle());
    expect(explanation).toMatchObject({
      summary: `${shorten(alice)} is asked to let ${shorten(spender)} spend unlimited USDC through Permit2 until 2027-01-03.`,
      action_type: "erc20_approval",
      outcome: "not_simulated",
      assets_moved: [],
      grants: [{ token: "USDC", amount: "unlimited", until: "2027-01-03T00:00:00Z", spender_label: null }],
      partial: false,
    });
    expect(rule?.id).toBe("permit2/sign-permit");
    expect(flagsOf({ explanation, rule })).toEqual(["unlimited_approval"]);
    expect(explanation.provenance.untrusted_fields).toEqual([]);
  });

  it("does not get a name that is not proven: another verifyingContract, another type, no chain", () => {
    const foreign = decideFor(permitSingle(({ domain }) => Object.assign(domain, { verifyingContract: thief })));
    expect(foreign.rule).toBeNull();
    expect(foreign.explanation.summary).not.toContain("Permit2");
    expect(foreign.explanation.message).toMatchObject({ primary_type: "PermitSingle", contract_label: null });
    const added = decideFor(
      permitSingle(({ types, message }) => {
        types.PermitSingle?.push({ name: "note", type: "string" });
        message.note = "a login";
      }),
    );
    expect([added.rule, flagsOf(added)]).toEqual([null, ["unknown_message"]]);
    const anywhere = decideFor(permitSingle(({ domain }) => delete domain.chainId));
    expect([anywhere.rule, flagsOf(anywhere)]).toEqual([null, ["unknown_message", "no_chain"]]);
    expect(anywhere.explanation.summary).toContain("It names no chain, so it may count on every chain.");
  });

  it("never names a token by the contract that verifies, unless that is the token", () => {
    const permit: Typed = {
      types: { Permit: members("address owner, address spender, uint256 value, uint256 nonce, uint256 deadline") },
      primaryType: "Permit",
      domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: permit2 },
      message: { owner: alice, spender, value: "5000000", nonce: 0, deadline: 1_798_934_400 },
    };
    const { explanation } = decideFor(permit);
    expect(explanation.summary).not.toMatch(/USD|Permit2/);
    expect(explanation.summary).toContain("spend 5,000,000 raw units of token 0x0000…8BA3");
    const genuine = decideFor({ ...permit, domain: { ...permit.domain, name: "anything", verifyingContract: usdc } });
    expect(genuine.explanation.summary).toContain("spend 5 USDC, if handed in by 2027-01-03.");
  });

  it("tells a batch by its tokens, each of them as a grant", () => {
    const batch = permitSingle((typed) => {
      typed.primaryType = "PermitBatch";
      typed.types.PermitBatch = members("PermitDetails[] details, address spender, uint256 sigDeadline");
      delete typed.types.PermitSingle;
      const token = (i: number) => ({ token: someone(`token ${i}`), amount: "1000", expiration: 0, nonce: 0 });
      typed.message.details = [typed.message.details, ...[1, 2, 3, 4].map(token)];
    });
    const { explanation } = decideFor(batch);
    expect(explanation.summary).toMatch(
      /spend unlimited USDC, 1,000 raw units of token 0x\S+, 1,000 raw units of token 0x\S+ and 2 more assets through Permit2/,
    );
    expect(explanation.grants).toHaveLength(5);
  });

  it("through Permit2 is told whatever stands beside it, because anybody chooses the witness", () => {
    const witness = permitSingle((typed) => {
      typed.primaryType = "PermitWitnessTransferFrom";
      typed.types = {
        PermitWitnessTransferFrom: members(
          "TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, Login login",
        ),
        TokenPermissions: members("address token, uint256 amount"),
        Login: members("string text"),
      };
      typed.message = {
        permitted: { token: usdc, amount: maxUint.toString() },
        spender: thief,
        nonce: 1,
        deadline: 1_798_934_400,
        login: { text: "Sign in to OpenSea" },
      };
    });
    const { explanation, rule } = decideFor(witness);
    expect(rule?.id).toBe("permit2/sign-witness-transfer");
    expect(explanation.summary).toMatch(
      /is asked to let 0x\S+ take up to unlimited USDC, once, through Permit2 until 2027-01-03\.$/,
    );
    expect(flagsOf({ explanation, rule })).toEqual(["unlimited_approval"]);
    expect(explanation.provenance.untrusted_fields).toEqual(["message.fields[5].value"]);
  });
});

describe("an order that is to be signed", () => {
  const order = (message: Record<string, unknown>): Typed => ({
    types: {
      Order: members(
        "address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo, bytes32 appData, uint256 feeAmount, string kind, bool partiallyFillable, string sellTokenBalance, string buyTokenBalance",
      ),
    },
    primaryType: "Order",
    domain: {
      name: "Gnosis Protocol",
      version: "v2",
      chainId: 8453,
      verifyingContract: "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
    },
    message: {
      ...{ sellToken: usdc, buyToken: "0x4200000000000000000000000000000000000006", receiver: zeroAddress },
      ...{ sellAmount: "1000000000", buyAmount: "300000000000000000", validTo: 1_798_934_400, feeAmount: "0" },
      ...{ appData: `0x${"0".repeat(64)}`, kind: "sell", partiallyFillable: false },
      ...{ sellTokenBalance: "erc20", buyTokenBalance: "erc20", ...message },
    },
  });

  it.each([
    ["for a price", {}, "sell 1,000 USDC for at least 0.3 WETH on CoW Protocol, until 2027-01-03."],
    [
      "for nothing",
      { buyAmount: "0" },
      "sell 1,000 USDC on CoW Protocol, until 2027-01-03, and would get nothing for it.",
    ],
    [
      "for somebody else",
      { receiver: thief },
      /sell 1,000 USDC on CoW Protocol, with at least 0\.3 WETH going to 0x\S+, until 2027-01-03, and would get nothing for it\.$/,
    ],
    ["to oneself", { receiver: alice }, "sell 1,000 USDC for at least 0.3 WETH on CoW Protocol, until 2027-01-03."],
    [
      "to buy",
      { kind: "buy", feeAmount: "1000000" },
      "give up to 1,001 USDC for 0.3 WETH on CoW Protocol, until 2027-01-03.",
    ],
    ["for ether", { buyToken: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" }, "for at least 0.3 ETH on CoW Protocol"],
  ])("%s is told so", (_, message, told) => {
    const decision = decideFor(order(message));
    expect(decision.explanation.summary).toMatch(
      told instanceof RegExp ? told : new RegExp(told.replace(/[.]/g, "\\.")),
    );
    const forNothing = decision.explanation.summary.includes("nothing");
    expect(flagsOf(decision)).toEqual(forNothing ? ["gives_for_nothing"] : []);
    expect(decision.explanation.action_type).toBe("swap");
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
      /call 0x\S+ with 0\.000000000000000005 ETH\.$/,
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
      /which pays 7 for each unit of gas, with refunds to 0x\S+\.$/,
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

describe("an EIP-7702 authorization that is to be signed", () => {
  it("is told like one that took effect, and where it counts everywhere", () => {
    const told = (authorization: object) => decideAsked({ authorization }).explanation;
    const here = told({ chain_id: "0x2105", address: thief, nonce: 3 });
    expect(here.summary).toMatch(/is asked to delegate its account's code to 0x\S+\.$/);
    expect(here).toMatchObject({ action_type: "account_delegation", message: { primary_type: null, contract: null } });
    const everywhere = told({ chain_id: 0, address: thief, nonce: 3 });
    expect(everywhere.summary).toContain("It names no chain, so it may count on every chain.");
    expect(everywhere.risk_flags.map(({ flag }) => flag)).toEqual(["no_chain"]);
    expect(told({ chain_id: 8453, address: zeroAddress }).summary).toMatch(
      /clear the code that its account delegates to\.$/,
    );
  });
});

describe("checks of a message", () => {
  it("look at whoever gets a right or money, and at a contract that nobody knows", () => {
    const risk = answers({
      verification: { [spender]: code({ status: "absent", logic: [spender] }) },
      drainers: drainers([{ address: spender, list: "list.txt" }]),
    });
    const decision = decideFor(permitSingle(), { risk });
    expect(flagsOf(decision)).toEqual(
      expect.arrayContaining(["unlimited_approval", "unverified_contract", "first_time_counterparty", "known_drainer"]),
    );
    expect(decision.explanation.checks.contract_verification).toBe("ok");
    const without = decideFor(permitSingle());
    expect(without.explanation.checks.contract_verification).toBe("unavailable");
  });

  it("are planned: the spender's code, the signer's history, the lists, supplies and tokens", () => {
    const plan = planMessage(
      {
        from: alice,
        typed_data: permitSingle(({ message }) => Object.assign(message.details as object, { token: thief })),
      },
      { ruleset, labels, lookupsMax: 10 },
    );
    expect(plan.tokens).toEqual([thief]);
    expect(plan.reads).toEqual([{ to: thief, data: "0x18160ddd" }]);
    expect(plan.risk.verify.map(({ address }) => address)).toEqual([spender]);
    expect(plan.risk.histories).toEqual([alice]);
    expect(plan.risk.listed).toEqual(expect.arrayContaining([spender, thief, permit2]));
  });
});

describe("who is asked", () => {
  it("is an address in any spelling, or the message is refused", () => {
    const spelt = decideAsked({ from: alice.toUpperCase().replace("0X", "0x"), typed_data: permitSingle() });
    expect(spelt).toEqual(decideFor(permitSingle()));
    expect(() => decideAsked({ from: "me", typed_data: permitSingle() })).toThrow(
      "`from` is `me`, which is no address",
    );
  });
});

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
const inSafe = (to: string, data: Hex) => decideAsked({ typed_data: safeTx({ to, data }) }).explanation;
const inOperation = (to: string, data: Hex) =>
  decideAsked({
    user_operation: { sender: safe, nonce: "0x1", callData: rightsCall("execute", [to, 0n, data]) },
    entry_point: entryPoint,
  }).explanation;
const flagNames = ({ risk_flags }: { risk_flags: readonly { flag: string }[] }) => risk_flags.map(({ flag }) => flag);

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
    expect(flagNames(carried)).toEqual(flagNames(direct));
    // Of whom is the one difference: the account's, not the signer's.
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
