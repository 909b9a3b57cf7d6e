import fc from "fast-check";
import { concatHex, encodeAbiParameters, encodePacked, type Hex, size } from "viem";
import { describe, expect, it } from "vitest";
import type { CaseFile, RpcFrame, RpcLog } from "../../src/model/case-file.ts";
import type { Movement } from "../../src/model/transaction.ts";
import { normalize } from "../../src/normalize/normalize.ts";
import { GateKeeper } from "../../src/unwrap/gates.ts";
import { unwrap } from "../../src/unwrap/unwrap.ts";
import { explainCase, labels, recordings, ruleset } from "../property/world.ts";
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
  weth,
  zero,
} from "../support/case-of.ts";

const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const multiSendAddress = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11";
const word = `0x${"0".repeat(64)}` as const;
const ether = 10n ** 18n;

interface InnerCall {
  target: string;
  value: bigint;
  data: Hex;
}

const handleOps =
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)";
const operation = (sender: string, callData: Hex) =>
  calldata(handleOps, [
    [
      {
        ...{
          sender,
          nonce: 1n,
          initCode: "0x",
          callData,
          accountGasLimits: word,
          preVerificationGas: 0n,
          gasFees: word,
        },
        ...{ paymasterAndData: "0x", signature: "0xab" },
      },
    ],
    carol,
  ]);
const operationEvent = (sender: string, success: boolean): RpcLog =>
  logOf(
    entryPoint,
    "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    { userOpHash: word, sender, paymaster: zero, nonce: 1n, success, actualGasCost: 1n, actualGasUsed: 1n },
  );
const batch = (calls: readonly InnerCall[]) =>
  calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [calls]);
const single = (target: string, value: bigint, data: Hex = "0x") =>
  calldata("function execute(address target, uint256 value, bytes data)", [target, value, data]);
const byMode = (mode: Hex, calls: readonly InnerCall[]) =>
  calldata("function execute(bytes32 mode, bytes executionData)", [
    mode.padEnd(66, "0"),
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
    ),
  ]);
const exec = (to: string, value: bigint, data: Hex = "0x", delegate = 0) =>
  calldata(
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
    [to, value, data, delegate, 0n, 0n, 0n, zero, zero, "0xab"],
  );
const executed = (safe: string): RpcLog =>
  logOf(safe, "event ExecutionSuccess(bytes32 txHash, uint256 payment)", { txHash: word, payment: 0n });
const record = (to: string, value: bigint, data: Hex = "0x", delegate = 0) =>
  encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [delegate, to as Hex, value, BigInt(size(data)), data],
  );
const multiSend = (...records: Hex[]) => calldata("function multiSend(bytes transactions)", [concatHex(records)]);

const sends = (to: string, input: Hex, logs: RpcLog[] = [], rest: Partial<CaseFile["transaction"]> = {}): CaseFile =>
  caseOf({ transaction: { to, input, ...rest }, receipt: { logs } });

function movementsOf(file: CaseFile): Movement[] {
  const tx = normalize(file, labels);
  return unwrap(tx, ruleset, new GateKeeper(tx, file)).tx.movements;
}

/** Ether told by calldata, as `from to amount`. */
const told = (file: CaseFile) => movementsOf(file).flatMap((move) => (move.basis === "calldata" ? flat(move) : []));
const flat = ({ from, to, amount }: Movement) => `${from} ${to} ${amount}`;

describe("ether of an unwrapped call that must have run", () => {
  it.each<[string, CaseFile, string[]]>([
    [
      "a user operation's batch",
      sends(
        entryPoint,
        operation(
          bob,
          batch([
            { target: carol, value: 5n, data: "0x" },
            { target: vault, value: 0n, data: "0x12345678" },
            { target: alice, value: 7n, data: "0xabcdef01" },
          ]),
        ),
        [operationEvent(bob, true)],
      ),
      [`${bob} ${carol} 5`, `${bob} ${alice} 7`],
    ],
    [
      "a user operation's one call",
      sends(entryPoint, operation(bob, single(carol, 5n)), [operationEvent(bob, true)]),
      [`${bob} ${carol} 5`],
    ],
    ["a Safe's call", sends(vault, exec(carol, 5n), [executed(vault)]), [`${vault} ${carol} 5`]],
    [
      "a Safe's batch",
      sends(vault, exec(multiSendAddress, 0n, multiSend(record(carol, 5n), record(bob, 7n)), 1), [executed(vault)]),
      [`${vault} ${carol} 5`, `${vault} ${bob} 7`],
    ],
    [
      "an account that calls itself",
      sends(alice, byMode("0x01", [{ target: carol, value: 5n, data: "0x" }])),
      [`${alice} ${carol} 5`],
    ],
    [
      "a known batch contract's call that may not fail",
      sends(
        multicall3,
        calldata(
          "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
          [
            [
              { target: bob, allowFailure: false, value: 3n, callData: "0x" },
              { target: carol, allowFailure: true, value: 4n, callData: "0x" },
            ],
          ],
        ),
        [],
        { value: "0x7" },
      ),
      [`${multicall3} ${bob} 3`],
    ],
  ])("%s is a movement", (_what, file, moved) => {
    expect(told(file)).toEqual(moved);
  });

  const ops = operation(bob, single(carol, 5n));
  const good = operationEvent(bob, true);
  it.each<[string, CaseFile]>([
    ["an operation that failed", sends(entryPoint, ops, [operationEvent(bob, false)])],
    ["an operation without its event", sends(entryPoint, ops)],
    ["an operation at a stranger's entry point", sends(vault, ops, [{ ...good, address: vault }])],
    [
      "a batch that goes on when a call fails",
      sends(entryPoint, operation(bob, byMode("0x0101", [{ target: carol, value: 5n, data: "0x" }])), [good]),
    ],
    ["what looks like an account, called by anyone", sends(vault, single(carol, 5n))],
    ["an account behind an account", sends(entryPoint, operation(bob, single(vault, 0n, single(carol, 5n))), [good])],
    ["a Safe without its event", sends(vault, exec(carol, 5n))],
    [
      "one of two Safe transactions, where one event may be about either",
      sends(
        multicall3,
        calldata("function aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [
          [5n, 6n].map((value) => ({ target: vault, allowFailure: true, callData: exec(carol, value) })),
        ]),
        [executed(vault)],
      ),
    ],
    ["a delegatecall", sends(vault, exec(carol, 5n, "0x", 1), [executed(vault)])],
    [
      "an account's own function that ran as somebody's library",
      sends(vault, exec(bob, 0n, single(carol, 5n), 1), [executed(vault)]),
    ],
    [
      "a MultiSend that was not delegated to: whose ether it was is not known",
      sends(multiSendAddress, multiSend(record(carol, 5n)), [], { value: "0x5" }),
    ],
    [
      "nothing, a call to itself, one to the zero address",
      sends(
        entryPoint,
        operation(
          bob,
          batch([
            { target: carol, value: 0n, data: "0x" },
            { target: bob, value: 5n, data: "0x" },
            { target: zero, value: 5n, data: "0x" },
          ]),
        ),
        [good],
      ),
    ],
    [
      "a transaction that reverted",
      caseOf({ transaction: { to: entryPoint, input: ops }, receipt: { status: "0x0" } }),
    ],
    [
      "what an explorer lists",
      caseOf({
        transaction: { to: entryPoint, input: ops },
        receipt: { logs: [good] },
        trace: {
          source: "internal_transfers",
          provider: "explorer.example",
          internal_transfers: [{ type: "call", from: bob, to: carol, value: "0x5", success: true }],
        },
      }),
    ],
  ])("but not: %s", (_what, file) => {
    expect(told(file)).toEqual([]);
  });

  it("is what a call tree shows, for any batch", () => {
    const party = fc.constantFrom(alice, bob, carol, vault, usdc);
    const call = fc.record({
      target: party,
      value: fc.bigInt({ min: 0n, max: 3n * ether }),
      data: fc.constantFrom<Hex[]>("0x", "0x12345678", single(carol, 0n), batch([])),
    });
    const envelope = fc.constantFrom(...envelopes);
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), envelope, (calls, wrap) => {
        const { to, input, logs, root } = wrap(calls);
        const plain = caseOf({ transaction: { to, input }, receipt: { logs } });
        const native = movementsOf({ ...plain, trace: traced(root) }).filter(
          ({ token, from, to: target }) => token === null && from !== target,
        );
        expect(told(plain).sort()).toEqual(native.map(flat).sort());
      }),
    );
  });

  it("is never more than the trace of a recorded transaction shows", () => {
    const known = recordings.filter(({ trace }) => trace.source !== "none");
    const compared = known.flatMap((file) => {
      const made = told({ ...file, trace: { source: "none", reason: "taken away" } });
      const shown = movementsOf(file).map(flat);
      expect(shown, file.tx_hash).toEqual(expect.arrayContaining(made));
      return made;
    });
    // One of them is a bundle that sends ether twice.
    expect(compared.length).toBeGreaterThanOrEqual(2);
  });
});

/** Envelopes with the call tree that belongs to them. */
const envelopes = [
  (calls: readonly InnerCall[]) => {
    const data = batch(calls);
    const input = operation(bob, data);
    const root = frame(alice, entryPoint, {
      input,
      calls: [frame(entryPoint, bob, { input: data, calls: framesOf(bob, calls) })],
    });
    return { to: entryPoint, input, logs: [operationEvent(bob, true)], root };
  },
  (calls: readonly InnerCall[]) => {
    const data = multiSend(...calls.map(({ target, value, data: inner }) => record(target, value, inner)));
    const input = exec(multiSendAddress, 0n, data, 1);
    const library = frame(vault, multiSendAddress, {
      type: "DELEGATECALL",
      input: data,
      calls: framesOf(vault, calls),
    });
    return { to: vault, input, logs: [executed(vault)], root: frame(alice, vault, { input, calls: [library] }) };
  },
  (calls: readonly InnerCall[]) => {
    const input = byMode("0x01", calls);
    return { to: alice, input, logs: [], root: frame(alice, alice, { input, calls: framesOf(alice, calls) }) };
  },
];

function framesOf(from: string, calls: readonly InnerCall[]): RpcFrame[] {
  return calls.map(({ target, value, data }) => frame(from, target, { value: `0x${value.toString(16)}`, input: data }));
}

describe("an answer that rests on calldata", () => {
  it("tells what was sent, and says where that is from", () => {
    const input = operation(bob, single(carol, ether));
    const { explanation } = explainCase(sends(entryPoint, input, [operationEvent(bob, true)]));
    expect(explanation.summary).toMatch(
      /^0xB0B0…b0b0 sent 1 ETH to 0xC4c4…\w+\. The ether sent is what the calldata says; other ether moved inside could not be traced\.$/i,
    );
    expect(explanation).toMatchObject({
      action_type: "eth_transfer",
      partial: true,
      assets_moved: [{ token: "ETH", amount: "1", standard: "native" }],
    });
  });

  it("gives a smart account's swap of ether its giving side", () => {
    const input = operation(bob, batch([{ target: vault, value: ether, data: "0x12345678" }]));
    const logs = [transferLog(usdc, vault, bob, 2_500_000_000n), operationEvent(bob, true)];
    const { explanation } = explainCase(sends(entryPoint, input, logs));
    expect(explanation.summary).toContain("swapped 1 ETH for 2,500 USDC");
    expect(explanation.action_type).toBe("swap");
  });

  it("counts ether once that was wrapped, or unwrapped and sent on", () => {
    const wrap = operation(bob, batch([{ target: weth, value: ether, data: calldata("function deposit()") }]));
    const deposit = logOf(weth, "event Deposit(address indexed dst, uint256 wad)", { dst: bob, wad: ether });
    const wrapped = explainCase(sends(entryPoint, wrap, [deposit, operationEvent(bob, true)])).explanation;
    expect(wrapped.action_type).toBe("wrap");
    expect(wrapped.summary).toContain(" wrapped 1 ETH into WETH. ");
    expect(wrapped.assets_moved.map(({ token, amount }) => `${amount} ${token}`).sort()).toEqual(["1 ETH", "1 WETH"]);
    const unwrapData = calldata("function withdraw(uint256 wad)", [ether]);
    const onward = operation(
      bob,
      batch([
        { target: weth, value: 0n, data: unwrapData },
        { target: carol, value: ether, data: "0x" },
      ]),
    );
    const withdrawal = logOf(weth, "event Withdrawal(address indexed src, uint256 wad)", { src: bob, wad: ether });
    const file = sends(entryPoint, onward, [withdrawal, operationEvent(bob, true)]);
    expect(movementsOf(file).map(({ basis, amount, to }) => [basis, amount, to])).toEqual([
      ["log", ether, weth],
      ["inferred", ether, bob],
      ["calldata", ether, carol],
    ]);
    const list: CaseFile["trace"] = {
      source: "internal_transfers",
      provider: "explorer.example",
      internal_transfers: [
        { type: "call", from: weth, to: bob, value: "0xde0b6b3a7640000", success: true },
        { type: "call", from: bob, to: carol, value: "0xde0b6b3a7640000", success: true },
      ],
    };
    // The same sentence as with the list of an explorer, but for what it says of where it is from.
    const [plain, listed] = [file, { ...file, trace: list }].map((one) => explainCase(one).explanation.summary);
    expect(plain).toBe(
      `${listed} The ether sent is what the calldata says; other ether moved inside could not be traced.`,
    );
  });
});
