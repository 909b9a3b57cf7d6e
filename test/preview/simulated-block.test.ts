import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import { approvalForAllTopic, approvalTopic, transferTopic } from "../../src/kernel/token-standards.ts";
import type { Ground } from "../../src/preview/ground.ts";
import type { PreviewRequest } from "../../src/preview/preview-request.ts";
import { feeCalls, readFees } from "../../src/preview/runs/oracle-fees.ts";
import { type DecidedRun, endsDiffer } from "../../src/preview/runs/run-differences.ts";
import { readSimulatedBlock } from "../../src/preview/runs/simulated-block.ts";
import { readUnrun } from "../../src/preview/runs/simulated-run.ts";
import { simulateCall, traceCall } from "../../src/preview/runs/simulation-calls.ts";
import { fillIn } from "../../src/preview/unsigned-transaction.ts";

const alice = toAddress(`0x${"a1".repeat(20)}`);
const bob = toAddress(`0x${"b0".repeat(20)}`);
const hash = `0x${"7".repeat(64)}` as Hash;
const word = (value: bigint | string) =>
  `0x${(typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0")}`;
const request: PreviewRequest = {
  ...{ from: alice, to: bob, value: 26n, data: "0x12", gas: null, nonce: null, authorizations: [] },
};
const ground: Ground = {
  ...{ number: 99n, hash, time: 1n, baseFee: 8n, gasLimit: 60_000_000n, miner: "0x0c", prevRandao: hash },
  ...{ nonce: 5n, balance: 10n ** 18n, isContract: false },
};

describe("the calls of a simulation", () => {
  const transaction = fillIn(request, ground);
  const real = {
    ...{ from: alice, to: bob, value: "0x1a", input: "0x12", gas: "0x989680", nonce: "0x5" },
    ...{ maxFeePerGas: "0xf4249", maxPriorityFeePerGas: "0xf4240" },
  };
  const next = {
    ...{
      number: "0x64",
      time: "0x3",
      feeRecipient: "0x0c",
      prevRandao: hash,
      baseFeePerGas: "0x8",
      gasLimit: "0x3938700",
    },
  };
  const bare = { from: alice, to: bob, value: "0x1a", input: "0x12", gas: "0x2faf080" };
  const none = { feeRecipient: `0x${"0".repeat(40)}`, prevRandao: word(0n), baseFeePerGas: "0x0" };
  const rich = { [alice]: { balance: `0x${(10n ** 24n + 10n ** 18n).toString(16)}` } };

  it("are with price and block as real ones have them, or without", () => {
    expect(traceCall(transaction, ground, "real", 700)).toEqual({
      method: "debug_traceCall",
      params: [
        real,
        "0x63",
        { tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "700ms", blockOverrides: next },
      ],
    });
    expect(traceCall(transaction, ground, "bare", 1).params).toEqual([
      bare,
      "0x63",
      {
        ...{ tracer: "callTracer", tracerConfig: { withLog: true }, timeout: "1ms" },
        ...{ blockOverrides: none, stateOverrides: rich },
      },
    ]);
    expect(simulateCall(transaction, ground, "real")).toEqual({
      method: "eth_simulateV1",
      params: [
        { blockStateCalls: [{ calls: [real], blockOverrides: next }], traceTransfers: true, validation: true },
        "0x63",
      ],
    });
    expect(simulateCall(transaction, ground, "bare").params).toEqual([
      {
        blockStateCalls: [{ calls: [bare], blockOverrides: none, stateOverrides: rich }],
        ...{ traceTransfers: true, validation: false },
      },
      "0x63",
    ]);
  });

  it("never ask for more gas than a block has, and name nobody where a contract is made", () => {
    const small = { ...ground, gasLimit: 7n };
    const made = fillIn({ ...request, to: null }, small);
    expect(simulateCall(made, small, "bare").params[0]).toMatchObject({
      blockStateCalls: [{ calls: [{ from: alice, value: "0x1a", input: "0x12", gas: "0x7" }] }],
    });
    expect(JSON.stringify(simulateCall(made, small, "real"))).not.toContain('"to"');
  });

  it("set the code of those who would delegate, beside their balance", () => {
    const one = { chainId: null, delegate: bob, nonce: null, signature: null };
    const delegating = fillIn({ ...request, authorizations: [one] }, ground);
    const code = `0xef0100${bob.slice(2)}`;
    const state = (manner: "real" | "bare") => {
      const [options] = simulateCall(delegating, ground, manner).params as [
        { blockStateCalls: [{ stateOverrides: object }] },
      ];
      return options.blockStateCalls[0].stateOverrides;
    };
    expect(state("real")).toEqual({ [alice]: { code } });
    expect(state("bare")).toEqual({ [alice]: { code, ...rich[alice] } });
  });
});

describe("fees of the oracle", () => {
  const answer = (value: bigint) => ({ ok: true, result: word(value) }) as never;
  const no = { ok: false, code: null, message: "" } as never;

  it.each([
    [[answer(5n), answer(2n), answer(9n)], { l1Fee: 5n, operator: { scalar: 7n, constant: 2n } }],
    [[answer(0n), answer(2n), answer(2n)], { l1Fee: 0n, operator: { scalar: 0n, constant: 2n } }],
    [[answer(5n), answer(3n), answer(2n)], { l1Fee: 5n, operator: null }],
    [[answer(5n), no, answer(2n)], { l1Fee: 5n, operator: null }],
    [[answer(5n), answer(2n), no], { l1Fee: 5n, operator: null }],
    [[no, answer(2n), answer(2n)], { l1Fee: null, operator: { scalar: 0n, constant: 2n } }],
    [[{ ok: true, result: "0x05" } as never], { l1Fee: null, operator: null }],
    [[], { l1Fee: null, operator: null }],
  ])("are read: %#", (answers, fees) => {
    expect(readFees(answers)).toEqual(fees);
  });

  it("are asked for at the block: for the data, for no gas, and for a million", () => {
    const calls = feeCalls(bob, fillIn(request, ground), 99n);
    expect(calls.map(({ method, params }) => [method, params[1]])).toEqual(Array(3).fill(["eth_call", "0x63"]));
    const asked = calls.map(({ params: [call] }) => call as { to: string; data: string });
    expect(asked.map(({ to }) => to)).toEqual([bob, bob, bob]);
    expect(asked.slice(1).map(({ data }) => BigInt(`0x${data.slice(10)}`))).toEqual([0n, 1_000_000n]);
  });
});

describe("an answer without a run", () => {
  const said = (message: string, code: number | null = -32000) => readUnrun({ ok: false, code, message } as never);

  it.each([
    [-38010, "nonce_low"],
    [-38011, "nonce_high"],
    [-38012, "fee_low"],
    [-38013, "gas_low"],
    [-38014, "funds"],
    [-38015, "gas_high"],
    [-38024, "sender_code"],
    [-38025, "code_size"],
  ])("of code %i is refused for %s", (code, reason) => {
    expect(said("", code)).toEqual({ kind: "refused", reason });
  });

  it.each([
    ["nonce too low: next nonce 5", "nonce_low"],
    ["nonce too high", "nonce_high"],
    ["insufficient funds for gas * price + value", "funds"],
    ["lack of funds (1) for max fee (2)", "funds"],
    ["intrinsic gas too low", "gas_low"],
    ["insufficient gas for floor data gas cost", "gas_low"],
    ["exceeds block gas limit", "gas_high"],
    ["max fee per gas less than block base fee", "fee_low"],
    ["transaction underpriced", "fee_low"],
    ["max initcode size exceeded", "code_size"],
    ["sender not an eoa", "sender_code"],
  ])("%s: %s", (message, reason) => {
    expect(said(message)).toEqual({ kind: "refused", reason });
  });

  it("is missing where there is no such method, and failed otherwise", () => {
    expect(said("the method debug_traceCall does not exist", -32601)).toEqual({ kind: "missing" });
    expect(said("execution reverted: method not found", 3)).toEqual({ kind: "failed" });
    expect(said("try again")).toEqual({ kind: "failed" });
    expect([readUnrun(undefined), readUnrun({ ok: true, result: null } as never)]).toEqual(
      Array(2).fill({ kind: "failed" }),
    );
  });
});

describe("a simulated block", () => {
  const log = (address: string, topics: string[] = [], data = "0x") => ({ address, topics, data });
  const ether = `0x${"e".repeat(40)}`;
  const sent = (from: string, to: string, value: bigint) =>
    log(ether, [transferTopic, word(from), word(to)], word(value));
  const read = (call: object, more: Partial<PreviewRequest> = {}) =>
    readSimulatedBlock({ ok: true, result: [{ calls: [call] }] } as never, { ...request, ...more }, 5n);
  const stood = { status: "0x1", gasUsed: "0x5208" };

  it("has logs and ether in order, without the envelope's own", () => {
    const logs = [sent(alice, bob, 26n), log(bob), sent(bob, alice, 26n), log(bob), log(alice), sent(alice, bob, 26n)];
    const told = (at: number, name: string) => ({ ...log(name), logIndex: `0x${at}` });
    expect(read({ ...stood, logs })).toEqual({
      kind: "ran",
      receipt: {
        ...{ status: "0x1", gasUsed: "0x5208", contractAddress: null },
        logs: [told(0, bob), told(1, bob), told(2, alice)],
      },
      trace: {
        ...{ source: "internal_transfers", provider: "eth_simulateV1" },
        internal_transfers: [
          { type: "call", from: bob, to: alice, value: "0x1a", success: true, logs_before: 2 },
          { type: "call", from: alice, to: bob, value: "0x1a", success: true, logs_before: 3 },
        ],
      },
    });
  });

  it.each<[string, object[], Partial<PreviewRequest>, number]>([
    ["its own", [sent(alice, bob, 26n)], {}, 0],
    ["another amount", [sent(alice, bob, 27n)], {}, 1],
    ["another sender", [sent(bob, alice, 26n)], {}, 1],
    ["nothing, which is not its own", [sent(alice, bob, 0n)], { value: 0n }, 1],
    ["what came after a log", [log(bob), sent(alice, bob, 26n)], {}, 1],
  ])("of ether first %s", (_case, logs, more, left) => {
    const { trace } = read({ ...stood, logs }, more) as unknown as { trace: { internal_transfers: object[] } };
    expect(trace.internal_transfers).toHaveLength(left);
  });

  it.each([
    ["another token", log(bob, [transferTopic, word(alice), word(bob)], word(1n))],
    ["another event", log(ether, [approvalTopic, word(alice), word(bob)], word(1n))],
    ["fewer topics", log(ether, [transferTopic, word(alice)], word(1n))],
    ["more topics", log(ether, [transferTopic, word(alice), word(bob), word(1n)], word(1n))],
    ["a sender that is none", log(ether, [transferTopic, hash, word(bob)], word(1n))],
    ["a receiver that is none", log(ether, [transferTopic, word(alice), hash], word(1n))],
    ["no amount", log(ether, [transferTopic, word(alice), word(bob)], "0x")],
  ])("takes no log for ether that is of %s", (_case, one) => {
    expect(read({ ...stood, logs: [one] })).toMatchObject({
      ...{ receipt: { logs: [one] }, trace: { internal_transfers: [] } },
    });
  });

  it.each<[object, Partial<PreviewRequest>, object]>([
    [{ error: { message: "execution reverted: no" } }, {}, { error: "execution reverted" }],
    [{ error: { message: "execution failed" } }, {}, { error: "execution reverted" }],
    [{}, {}, { error: "execution reverted" }],
    [{ error: { message: "out of gas", data: "0x12" } }, {}, { error: "out of gas", output: "0x12" }],
    [{ returnData: "0x34", error: { data: "0x12" } }, {}, { error: "execution reverted", output: "0x34" }],
    [{ returnData: "0x", error: { data: "0x12" } }, {}, { error: "execution reverted", output: "0x12" }],
    [{}, { to: null }, { type: "CREATE", to: undefined, error: "execution reverted" }],
  ])("that failed has its own frame, and no logs: %#", (call, more, frame) => {
    const own = { type: "CALL", from: alice, to: bob, value: "0x1a", input: "0x12" };
    expect(read({ status: "0x0", logs: [log(bob)], ...call }, more)).toEqual({
      kind: "ran",
      receipt: { status: "0x0", contractAddress: null, logs: [] },
      trace: { source: "eth_simulateV1", root: { ...own, ...frame } },
    });
  });

  it("names what it created, and is of no use without its logs", () => {
    expect(read({ ...stood, logs: [] }, { to: null })).toMatchObject({
      receipt: { contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
    });
    const failed = { kind: "failed" };
    expect([read(stood), read({ ...stood, logs: [{}] })]).toEqual([failed, failed]);
    expect(readSimulatedBlock({ ok: true, result: {} } as never, request, 5n)).toEqual(failed);
    expect(readSimulatedBlock({ ok: true, result: [{ calls: {} }] } as never, request, 5n)).toEqual(failed);
  });
});

describe("two runs", () => {
  interface End {
    status?: string;
    /** `from to amount token`. */
    moved?: string[];
    logs?: { address: string; topics: string[]; data: string }[];
    subject?: string;
  }
  const run = ({ status = "success", moved = [], logs = [], subject = "0xsub" }: End): DecidedRun => {
    const assets_moved = moved.map((text) => {
      const [from, to, amount, token_address, token_id] = text.split(" ");
      return { from, to, amount, token_address, ...(token_id !== undefined && { token_id }) };
    });
    const decision = { explanation: { status, assets_moved }, evidence: () => ({ subject }) };
    return { file: { transaction: { from: "0xA1" }, receipt: { logs } }, decision } as never;
  };
  const approval = (amount: bigint | string, { topic = approvalTopic, owner = word(alice), of = "0xT" } = {}) => ({
    ...{ address: of, topics: [topic, owner, word("0xb0")], data: typeof amount === "string" ? amount : word(amount) },
  });

  it.each<[string, End, End, boolean]>([
    ["nothing", {}, {}, false],
    ["one reverted", {}, { status: "reverted" }, true],
    ["the same", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xA1 0xc 5 t"] }, false],
    ["another token", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xa1 0xb 5 u"] }, true],
    ["another NFT", { moved: ["0xa1 0xb 1 t 1"] }, { moved: ["0xa1 0xb 1 t 2"] }, true],
    ["the other way", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xb 0xa1 5 t"] }, true],
    ["a thousandth more", { moved: ["0xa1 0xb 999 t"] }, { moved: ["0xa1 0xb 1000 t"] }, false],
    ["more than a thousandth", { moved: ["0xa1 0xb 998.9 t"] }, { moved: ["0xa1 0xb 1000 t"] }, true],
    ["the same in two parts", { moved: ["0xa1 0xb 5 t"] }, { moved: ["0xa1 0xb 2 t", "0xa1 0xb 3 t"] }, false],
    ["there and back", {}, { moved: ["0xa1 0xb 5 t", "0xb 0xa1 5 t"] }, false],
    ["what others moved", {}, { moved: ["0xb 0xc 5 t"] }, false],
    ["what the subject got", {}, { moved: ["0xb 0xsub 5 t"] }, true],
    ["what the subject of one of them got", { moved: ["0xb 0xc 5 t"] }, { subject: "0xc" }, true],
  ])("that moved %s", (_case, one, other, differ) => {
    expect([endsDiffer(run(one), run(other)), endsDiffer(run(other), run(one))]).toEqual([differ, differ]);
  });

  it.each<[string, (bigint | string | object)[], (bigint | string | object)[], boolean]>([
    ["none", [], [], false],
    ["one more", [], [5n], true],
    ["about as much", [5n], [6n], false],
    ["half of all numbers", [2n ** 255n - 1n], [2n ** 255n], true],
    ["all of them", [2n ** 255n], [2n ** 256n - 1n], false],
    ["nothing", [0n], [1n], true],
    ["no number", [0n], ["0x"], false],
    ["the last word", [5n, 0n], [0n], false],
    ["another topic", [5n], [approval(5n, { topic: approvalForAllTopic })], true],
    ["another token", [5n], [approval(5n, { of: "0xU" })], true],
    ["what is no right", [], [approval(5n, { topic: transferTopic })], false],
    ["what others gave", [], [approval(5n, { owner: word("0xb0") })], false],
  ])("that gave rights: %s", (_case, one, other, differ) => {
    const logsOf = (list: (bigint | string | object)[]) =>
      list.map((each) => (typeof each === "object" ? (each as ReturnType<typeof approval>) : approval(each)));
    const given = (list: (bigint | string | object)[]) => {
      const { file, decision } = run({ logs: logsOf(list) });
      return { file: { ...file, transaction: { from: alice.toUpperCase().replace("0X", "0x") } }, decision } as never;
    };
    expect([endsDiffer(given(one), given(other)), endsDiffer(given(other), given(one))]).toEqual([differ, differ]);
  });
});
