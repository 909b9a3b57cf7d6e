import { concatHex, encodeAbiParameters, encodePacked, type Hex, numberToHex, size } from "viem";
import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  token,
  traced,
  transferLog,
  vault,
  zero,
} from "../support/case-of.ts";
import { compileShipped, decideBy, runStages } from "../support/own-rules.ts";

const ruleset = compileShipped("erc4337", "safe", "multicall", "coinbase-smart-wallet", "erc20", "flow");
const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const entryPointV6 = "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789";
const multiSendAddress = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11";

type Parts = Parameters<typeof caseOf>[0];
const unwrapped = (to: string, input: Hex, rest: Parts = {}) =>
  runStages(caseOf({ ...rest, transaction: { to, input, ...rest.transaction } }), ruleset).unwrapped;
/** The inner calls as `from → to: data, state`. */
const inner = (to: string, input: Hex, rest: Parts = {}) =>
  unwrapped(to, input, rest)
    .calls.slice(1)
    .map((call) => `${nameOf(call.from)} → ${nameOf(call.to)} ${call.input} ${call.state}`);

const names: Record<string, string> = {
  [alice]: "alice",
  [bob]: "bob",
  [carol]: "carol",
  [vault]: "vault",
  [token]: "token",
};
const nameOf = (address: string | null) => names[address ?? ""] ?? (address === entryPoint ? "entry point" : "other");

const word = `0x${"0".repeat(64)}` as const;
const handleOps =
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)";
const opOf = (sender: string, nonce: bigint, callData: Hex) => ({
  ...{ sender, nonce, initCode: "0x", callData, accountGasLimits: word, preVerificationGas: 0n, gasFees: word },
  ...{ paymasterAndData: "0x", signature: "0xab" },
});
const opEvent = (sender: string, nonce: bigint, success: boolean, at = entryPoint): RpcLog =>
  logOf(
    at,
    "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    { userOpHash: word, sender, paymaster: zero, nonce, success, actualGasCost: 1n, actualGasUsed: 1n },
  );
const execute = "function execute(address target, uint256 value, bytes data)";

describe("ERC-4337 handleOps", () => {
  const one = calldata(handleOps, [[opOf(bob, 1n, "0x12345678")], carol]);

  it("makes the single operation's sender the subject, and its call his", () => {
    const found = unwrapped(entryPoint, one, { receipt: { logs: [opEvent(bob, 1n, true)] } });
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
    const input = calldata(handleOps, [[opOf(bob, 1n, calldata(execute, [carol, 5n, "0xabcdef01"]))], carol]);
    const found = unwrapped(entryPoint, input, { receipt: { logs: [opEvent(bob, 1n, true)] } });
    expect(found.calls[2]).toMatchObject({ from: bob, to: carol, actor: bob, value: 5n, input: "0xabcdef01" });
    expect(found.subject).toBe(bob);
  });

  it("reads the unpacked operations of EntryPoint 0.6", () => {
    const v6 =
      "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)";
    const { accountGasLimits: _, gasFees: __, ...rest } = opOf(bob, 1n, "0x12345678");
    const op = { ...rest, callGasLimit: 1n, verificationGasLimit: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    const found = unwrapped(entryPointV6, calldata(v6, [[op], carol]), {
      receipt: { logs: [opEvent(bob, 1n, true, entryPointV6)] },
    });
    expect(found.subject).toBe(bob);
  });

  it("leaves several operations to their bundler", () => {
    const input = calldata(handleOps, [[opOf(bob, 1n, "0x12345678"), opOf(carol, 1n, "0x12345678")], vault]);
    const logs = [opEvent(bob, 1n, true), opEvent(carol, 1n, false)];
    const found = unwrapped(entryPoint, input, { receipt: { logs } });
    expect(found).toMatchObject({ subject: alice, actors: [bob, carol] });
    expect(found.calls.slice(1).map(({ to, state }) => [to, state])).toEqual([
      [bob, "asserted"],
      [carol, "failed"],
    ]);
  });

  it.each<[string, RpcLog[]]>([
    ["failed", [opEvent(bob, 1n, false)]],
    ["left no event", []],
    ["is told of by a stranger", [opEvent(bob, 1n, true, vault)]],
    ["is another one's", [opEvent(carol, 1n, true)]],
    ["has another nonce", [opEvent(bob, 2n, true)]],
  ])("holds no call for done when the operation %s", (_what, logs) => {
    expect(inner(entryPoint, one, { receipt: { logs } })).toEqual(["entry point → bob 0x12345678 failed"]);
  });

  it("is nothing at an address that is no entry point", () => {
    expect(inner(vault, one, { receipt: { logs: [opEvent(bob, 1n, true, vault)] } })).toEqual([]);
  });

  it("is found by its event also behind a bundler's own contract", () => {
    const found = unwrapped(vault, "0x99999999", { receipt: { logs: [opEvent(bob, 1n, true)] } });
    expect(found).toMatchObject({ subject: bob, calls: [{ to: vault }] });
    const many = unwrapped(vault, "0x99999999", {
      receipt: { logs: [opEvent(bob, 1n, true), opEvent(carol, 1n, true)] },
    });
    expect(many).toMatchObject({ subject: alice, actors: [bob, carol] });
    const forged = unwrapped(vault, "0x99999999", { receipt: { logs: [opEvent(bob, 1n, true, vault)] } });
    expect(forged.subject).toBe(alice);
  });

  it("has no sender where the event names the zero address", () => {
    const nobody = { receipt: { logs: [opEvent(zero, 1n, true)] } };
    expect(unwrapped(vault, "0x99999999", nobody)).toMatchObject({ subject: alice, actors: [alice] });
    const two = { receipt: { logs: [opEvent(zero, 1n, true), opEvent(bob, 1n, true)] } };
    expect(unwrapped(vault, "0x99999999", two)).toMatchObject({ subject: bob, actors: [bob] });
  });

  it("keeps the gas that the account pays to the entry point out of its flow", () => {
    const root = frame(alice, entryPoint, {
      input: one,
      calls: [frame(entryPoint, bob, { input: "0x12345678", calls: [frame(bob, entryPoint, { value: "0x7" })] })],
    });
    const parts = { receipt: { logs: [opEvent(bob, 1n, true)] }, trace: traced(root) };
    const { explanation } = decideBy(ruleset, caseOf({ ...parts, transaction: { to: entryPoint, input: one } }));
    expect(explanation.assets_moved).toMatchObject([{ token: "ETH", amount: "0.000000000000000007" }]);
    expect(explanation.summary).toMatch(/^0xB0B0…b0b0 called /i);
    expect(explanation.summary).not.toContain("giving");
  });
});

describe("Safe", () => {
  const exec =
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)";
  const execOf = (to: string, data: Hex, operation = 0) =>
    calldata(exec, [to, 0n, data, operation, 0n, 0n, 0n, zero, zero, "0xab"]);
  const success = logOf(vault, "event ExecutionSuccess(bytes32 txHash, uint256 payment)", {
    txHash: word,
    payment: 0n,
  });
  const done = { receipt: { logs: [success] } };
  const record = (operation: number, to: string, value: bigint, data: Hex) =>
    encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [operation, to as Hex, value, BigInt(size(data)), data],
    );
  const multiSend = (...records: Hex[]) => calldata("function multiSend(bytes transactions)", [concatHex(records)]);

  it("acts for itself, as its event confirms", () => {
    const found = unwrapped(vault, execOf(carol, "0xabcdef01"), done);
    expect(found).toMatchObject({ subject: vault });
    expect(found.calls[1]).toMatchObject({ from: vault, to: carol, actor: vault, delegate: false, state: "asserted" });
  });

  it("did nothing without its event, or with one of a stranger", () => {
    expect(inner(vault, execOf(carol, "0xabcdef01"))).toEqual(["vault → carol 0xabcdef01 failed"]);
    const forged = { receipt: { logs: [{ ...success, address: bob }] } };
    expect(inner(vault, execOf(carol, "0xabcdef01"), forged)).toEqual(["vault → carol 0xabcdef01 failed"]);
  });

  it("takes a MultiSend apart, record by record, with values and delegate calls", () => {
    const data = multiSend(record(0, carol, 5n, "0x"), record(1, bob, 0n, "0xabcdef01"), record(0, token, 0n, "0x01"));
    const { calls } = unwrapped(vault, execOf(multiSendAddress, data, 1), done);
    expect(calls[1]).toMatchObject({ delegate: true });
    expect(calls.slice(2).map(({ from, to, value, input, delegate }) => [from, to, value, input, delegate])).toEqual([
      [vault, carol, 5n, "0x", false],
      [vault, bob, 0n, "0xabcdef01", true],
      [vault, token, 0n, "0x01", false],
    ]);
  });

  const whole = record(0, carol, 5n, "0xabcdef01");
  it.each<[string, Hex]>([
    ["is cut short", multiSend(whole, whole.slice(0, -2) as Hex)],
    ["has bytes after the last record", multiSend(whole, "0x00")],
    [
      "says a length beyond its end",
      multiSend(
        record(0, carol, 5n, "0x"),
        encodePacked(["uint8", "address", "uint256", "uint256"], [0, carol, 0n, 1n]),
      ),
    ],
    [
      "says an absurd length",
      multiSend(encodePacked(["uint8", "address", "uint256", "uint256"], [0, carol, 0n, 2n ** 255n])),
    ],
    ["hides a record behind the end of its argument", `${multiSend(whole)}${whole.slice(2)}`],
  ])("leaves a MultiSend opaque that %s, and the answer partial", (_what, data) => {
    const { calls } = unwrapped(vault, execOf(multiSendAddress, data, 1), done);
    expect(calls.map(({ state }) => state)).toEqual(["executed", "opaque"]);
    const file = caseOf({ ...done, transaction: { to: vault, input: execOf(multiSendAddress, data, 1) } });
    const { explanation, evidence } = decideBy(ruleset, file);
    expect(explanation.partial).toBe(true);
    expect(evidence().partial).toContain("Some nested calls could not be read.");
  });

  it("takes a MultiSend of nothing for nothing, and one elsewhere for no MultiSend", () => {
    expect(inner(vault, execOf(multiSendAddress, multiSend(), 1), done)).toHaveLength(1);
    expect(inner(vault, execOf(carol, multiSend(whole), 1), done)).toHaveLength(1);
  });
});

describe("Multicall3", () => {
  const calls = [
    { target: bob, callData: "0x01020304" },
    { target: carol, callData: "0x05060708" },
  ];
  it.each<[string, Hex]>([
    ["aggregate", calldata("function aggregate((address target, bytes callData)[] calls)", [calls])],
    [
      "tryAggregate",
      calldata("function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)", [false, calls]),
    ],
    [
      "aggregate3",
      calldata("function aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [
        calls.map((call) => ({ ...call, allowFailure: true })),
      ]),
    ],
    [
      "aggregate3Value",
      calldata("function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)", [
        calls.map((call) => ({ ...call, allowFailure: true, value: 0n })),
      ]),
    ],
  ])("%s makes the calls itself, in its caller's name", (_name, input) => {
    const found = unwrapped(multicall3, input);
    expect(found.subject).toBe(alice);
    expect(found.calls.slice(1).map(({ from, to, actor, input: data }) => [from, to, actor, data])).toEqual([
      [multicall3, bob, alice, "0x01020304"],
      [multicall3, carol, alice, "0x05060708"],
    ]);
    expect(inner(vault, input)).toEqual([]);
  });

  it("did what the trace shows: inner calls that failed are failed", () => {
    const input = calldata("function aggregate((address target, bytes callData)[] calls)", [calls]);
    const trace = traced(
      frame(alice, multicall3, {
        input,
        calls: [
          frame(multicall3, bob, { input: "0x01020304" }),
          frame(multicall3, carol, { input: "0x05060708", error: "out of gas" }),
        ],
      }),
    );
    expect(unwrapped(multicall3, input, { trace }).calls.map(({ state }) => state)).toEqual([
      "executed",
      "executed",
      "failed",
    ]);
    const nothing = traced(frame(alice, multicall3, { input }));
    expect(unwrapped(multicall3, input, { trace: nothing }).calls.map(({ state }) => state)).toEqual([
      "executed",
      "failed",
      "failed",
    ]);
  });
});

describe("multicall(bytes[])", () => {
  const multicall = "function multicall(bytes[] data)";
  const two: Hex[] = ["0x01020304", "0x05060708aa"];

  it.each<[string, Hex]>([
    ["multicall(bytes[])", calldata(multicall, [two])],
    ["multicall(uint256,bytes[])", calldata("function multicall(uint256 deadline, bytes[] data)", [9n, two])],
    [
      "multicall(bytes32,bytes[])",
      calldata("function multicall(bytes32 previousBlockhash, bytes[] data)", [word, two]),
    ],
  ])("%s is the caller's own calls, all of them", (_name, input) => {
    expect(inner(vault, input)).toEqual(["alice → vault 0x01020304 asserted", "alice → vault 0x05060708aa asserted"]);
  });

  it("allows an ERC-8021 attribution after the calls, and nothing else", () => {
    const attribution = "8021".repeat(8);
    expect(inner(vault, `${calldata(multicall, [two])}62617365${attribution}`)).toHaveLength(2);
    expect(inner(vault, `${calldata(multicall, [two])}62617365`)).toHaveLength(0);
  });

  const encoded = calldata(multicall, [two]).slice(10);
  const words = encoded.match(/.{64}/g) as string[];
  const withWord = (at: number, text: string): Hex =>
    `0xac9650d8${words.map((word_, i) => (i === at ? text : word_)).join("")}`;
  it.each<[string, Hex]>([
    ["bytes after its end", `0xac9650d8${encoded}00`],
    ["a word after its end", `0xac9650d8${encoded}${"0".repeat(64)}`],
    ["two elements at one offset", withWord(3, words[2] as string)],
    ["an offset outside", withWord(2, "f".repeat(64))],
    ["an offset to a place of its own", withWord(0, numberToHex(64, { size: 32 }).slice(2))],
    ["a count beyond the data", withWord(1, numberToHex(3, { size: 32 }).slice(2))],
    ["fewer counted than there are", withWord(1, numberToHex(1, { size: 32 }).slice(2))],
    ["dirt in the padding", withWord(5, `${(words[5] as string).slice(0, -2)}01`)],
    ["half a word missing", `0xac9650d8${encoded.slice(0, -32)}`],
    ["nothing at all", "0xac9650d8"],
  ])("is not taken apart with %s", (_what, input) => {
    expect(inner(vault, input)).toEqual([]);
  });

  it("is opaque, and the answer partial, when a call inside a known envelope is not exact", () => {
    const input = calldata("function aggregate((address target, bytes callData)[] calls)", [
      [{ target: vault, callData: `0xac9650d8${encoded}00` }],
    ]);
    expect(inner(multicall3, input)).toEqual([expect.stringMatching(/opaque$/)]);
    expect(decideBy(ruleset, caseOf({ transaction: { to: multicall3, input } })).explanation.partial).toBe(true);
  });
});

describe("ERC-7579 and ERC-7821 execute", () => {
  const executeMode = "function execute(bytes32 mode, bytes executionData)";
  const mode = (bytes: string) => `0x${bytes.padEnd(64, "0")}` as Hex;
  const batch = (calls: object[]) =>
    encodeAbiParameters(
      [
        {
          type: "tuple[]",
          components: [
            { type: "address", name: "target" },
            { type: "uint256", name: "value" },
            { type: "bytes", name: "data" },
          ],
        },
      ],
      [calls as never],
    );
  const twoCalls = [
    { target: bob, value: 1n, data: "0x01020304" },
    { target: carol, value: 0n, data: "0x" },
  ];

  it("single: target, value and data, packed", () => {
    const data = encodePacked(["address", "uint256", "bytes"], [bob, 5n, "0xabcdef01"]);
    const found = unwrapped(vault, calldata(executeMode, [mode("00"), data]));
    expect(found.subject).toBe(vault);
    expect(found.calls.slice(1)).toMatchObject([
      { from: vault, to: bob, actor: vault, value: 5n, input: "0xabcdef01" },
    ]);
  });

  it("batch: an encoded list, in the account's name", () => {
    const found = unwrapped(vault, calldata(executeMode, [mode("01"), batch(twoCalls)]));
    expect(found.calls.slice(1).map(({ to, value, input }) => [to, value, input])).toEqual([
      [bob, 1n, "0x01020304"],
      [carol, 0n, "0x"],
    ]);
  });

  it.each<[string, Hex]>([
    ["a batch with a byte more", calldata(executeMode, [mode("01"), `${batch(twoCalls)}00`])],
    ["a single call without its value", calldata(executeMode, [mode("00"), bob])],
    ["a batch under the mode of a single call", calldata(executeMode, [mode("00"), "0x01"])],
  ])("leaves %s opaque", (_what, input) => {
    expect(unwrapped(vault, input).calls.map(({ state }) => state)).toEqual(["opaque"]);
  });

  it("does not follow a mode that it does not know", () => {
    expect(unwrapped(vault, calldata(executeMode, [mode("ff"), batch(twoCalls)])).calls).toHaveLength(1);
  });

  it("executeBatch in lists needs lists of one length", () => {
    const lists = "function executeBatch(address[] dest, uint256[] value, bytes[] func)";
    const good = unwrapped(
      vault,
      calldata(lists, [
        [bob, carol],
        [1n, 2n],
        ["0x01020304", "0x"],
      ]),
    );
    expect(good.calls.slice(1).map(({ to, value }) => [to, value])).toEqual([
      [bob, 1n],
      [carol, 2n],
    ]);
    expect(
      unwrapped(vault, calldata(lists, [[bob, carol], [1n], ["0x", "0x"]])).calls.map(({ state }) => state),
    ).toEqual(["opaque"]);
  });
});

describe("a stranger's envelope", () => {
  it("does not hide what its caller gave: the act stays the caller's", () => {
    // A contract of unknown code takes alice's tokens in a function that looks like an account's own.
    const input = calldata(execute, [carol, 0n, "0x"]);
    const file = caseOf({ transaction: { to: vault, input }, receipt: { logs: [transferLog(token, alice, bob, 5n)] } });
    const { explanation, evidence } = decideBy(ruleset, file);
    expect(evidence().subject).toBe(alice);
    expect(explanation.summary).toMatch(/^0xA1A1…a1a1 called .*giving/i);
  });

  it("is an account's own when its caller gave nothing", () => {
    const input = calldata(execute, [carol, 0n, "0x"]);
    const file = caseOf({ transaction: { to: vault, input }, receipt: { logs: [transferLog(token, vault, bob, 5n)] } });
    expect(decideBy(ruleset, file).evidence().subject).toBe(vault);
  });
});
