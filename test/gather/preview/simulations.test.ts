import { describe, expect, it } from "vitest";
import type { ChainState } from "../../../src/gather/preview/chain-state.ts";
import { createMessagePreviewer } from "../../../src/gather/preview/message-preview.ts";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { simulate } from "../../../src/gather/preview/runs/simulate.ts";
import { fillIn } from "../../../src/gather/preview/unsigned-transaction.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { TypedDataError } from "../../../src/rules/typed-data/typed-data-error.ts";
import { baseBlocks } from "../../support/labels.ts";

const alice = toAddress(`0x${"a1".repeat(20)}`);
const bob = toAddress(`0x${"b0".repeat(20)}`);
const hash = `0x${"7".repeat(64)}` as Hash;
const blocks = baseBlocks();
const chainState: ChainState = {
  ...{ number: 99n, hash, time: 1n, baseFee: 8n, gasLimit: 60_000_000n, miner: "0x0c", prevRandao: hash },
  ...{ nonce: 5n, balance: 10n ** 18n, isContract: false },
};
const request: PreviewRequest = {
  ...{ from: alice, to: bob, value: 0n, data: "0x", gas: null, nonce: null, authorizations: [] },
};
const stop = new AbortController().signal;

const ok = (result: unknown) => ({ ok: true, result });
const failure = (code: number, message = "") => ({ ok: false, code, message });
const traced = (output: string) =>
  ok({ type: "CALL", from: alice, to: bob, value: "0x0", input: "0x", gasUsed: "0x1", output });
const block = (gasUsed: string) => ok([{ calls: [{ status: "0x1", gasUsed, logs: [] }] }]);
const lacking = failure(-32601, "the method does not exist");
const broken = failure(-32603, "try again");

/** The result of simulations with these answers: trace and block, each with a price and without. */
async function run(
  answers: unknown,
  {
    rests = [],
    at = {},
    nonce = null,
    oracle = null,
    by = blocks,
  }: {
    rests?: string[];
    at?: Partial<ChainState>;
    nonce?: bigint | null;
    oracle?: typeof bob | null;
    by?: typeof blocks | null;
  } = {},
) {
  const asked: { method: string; params: unknown[] }[] = [];
  const resting: string[] = [];
  const endpoint = {
    callTimeoutMs: 1_001,
    health: {
      rests: (method: string) => rests.includes(method),
      rest: (_why: string, _ms: number, method: string) => resting.push(method),
    },
    ask: async (calls: typeof asked) => {
      asked.push(...calls);
      return typeof answers === "function" ? answers(calls) : answers;
    },
  };
  const where = { ...chainState, ...at };
  const transaction = fillIn({ ...request, nonce }, where);
  const found = await simulate(
    { endpoint, transaction, chainState: where, calendar: { blocks: by }, oracle } as never,
    stop,
  );
  const told = found?.told && [found.told.method, found.told.run.receipt.gasUsed];
  return {
    asked: asked.map(({ method }) => method),
    times: asked.flatMap(({ params }) => timeOf(params) ?? []),
    timeouts: asked.flatMap(({ params }) => (params[2] as { timeout?: string } | undefined)?.timeout ?? []),
    ...{ resting, told, others: found?.others.length, priced: found?.priced, lacks: found?.unavailable },
    ...{ refusal: found?.refusal, fees: found?.fees, found },
  };
}

/** The time of the block in which a call is simulated. */
function timeOf([one, , three]: unknown[]): unknown {
  const { blockStateCalls: [block] = [] } = one as { blockStateCalls?: { blockOverrides: { time?: string } }[] };
  return (block ?? (three as typeof block))?.blockOverrides?.time;
}

const all = ["debug_traceCall", "debug_traceCall", "eth_simulateV1", "eth_simulateV1"];
const noFees = { l1Fee: null, operator: null };

describe("a simulation", () => {
  it("asks by both methods in both manners, and tells the trace with a price", async () => {
    const both = await run([traced("0x1"), traced("0x2"), block("0x3"), block("0x4")]);
    expect(both).toMatchObject({
      asked: all,
      timeouts: ["350ms", "350ms"],
      told: ["debug_traceCall", "0x1"],
      others: 3,
    });
    expect(both).toMatchObject({ priced: true, lacks: [], refusal: null, fees: noFees, resting: [] });
  });

  it("tells the block where there is no trace, and remembers what is missing", async () => {
    const told = await run([lacking, lacking, block("0x3"), broken]);
    expect(told).toMatchObject({
      told: ["eth_simulateV1", "0x3"],
      others: 0,
      priced: true,
      resting: ["debug_traceCall", "debug_traceCall"],
    });
    expect(told.lacks).toEqual([{ method: "debug_traceCall", reason: "missing" }]);
    const resting = await run([block("0x3"), block("0x4")], { rests: ["debug_traceCall"] });
    expect(resting).toMatchObject({ asked: all.slice(2), told: ["eth_simulateV1", "0x3"], others: 1 });
    expect(resting.lacks).toEqual([{ method: "debug_traceCall", reason: "missing" }]);
    const half = await run([lacking, broken, broken, broken]);
    expect(half.lacks).toEqual([
      { method: "debug_traceCall", reason: "missing" },
      { method: "eth_simulateV1", reason: "failed" },
    ]);
    expect(half.resting).toEqual(["debug_traceCall", "debug_traceCall"]);
    const other = await run([broken, broken, block("0x3"), lacking]);
    expect(other).toMatchObject({ told: ["eth_simulateV1", "0x3"], resting: ["eth_simulateV1", "eth_simulateV1"] });
    expect((await run([broken, broken, broken, broken])).resting).toEqual([]);
  });

  it("is in the second of the next block, which is usually that of the newest one", async () => {
    const whole = [traced("0x1"), traced("0x2"), block("0x3"), block("0x4")];
    const timesAt = async (number: bigint) =>
      (await run(whole, { at: { number, time: BigInt(blocks.timeAt(number)) } })).times;
    const denim = 53_556_127n;
    const at = (number: bigint) => `0x${blocks.timeAt(number).toString(16)}`;
    expect(await timesAt(denim - 2n)).toEqual(Array(2).fill(at(denim - 1n)));
    expect(await timesAt(denim + 3n)).toEqual(Array(2).fill(at(denim)));
    expect(await timesAt(denim + 4n)).toEqual(Array(2).fill(at(denim + 5n)));
    // A chain whose clock is elsewhere goes on from its own time.
    expect((await run(whole, { at: { time: 9n } })).times).toEqual(["0xb", "0xb"]);
    expect((await run(whole, { at: { time: 9n }, by: null })).times).toEqual(["0xa", "0xa"]);
  });

  it.each([
    ["by its code", failure(-38021)],
    ["in words", failure(-32000, "block timestamps must be in order: 5 <= 5")],
  ])("is in the next second where a node refuses the same one %s", async (_name, refused) => {
    const answers = (calls: { params: unknown[] }[]) => {
      const isEarly = calls.some(({ params }) => timeOf(params) === "0x7");
      return [traced("0x1"), traced("0x2"), isEarly ? refused : block("0x3"), block("0x4")];
    };
    const told = await run(answers, { at: { number: 60_000_000n, time: 7n }, rests: [] });
    expect(told.times).toEqual(["0x7", "0x7", "0x8", "0x8"]);
    expect(told).toMatchObject({ asked: [...all, ...all], told: ["debug_traceCall", "0x1"], others: 3, lacks: [] });
    // It is asked once more and no further.
    const never = await run([traced("0x1"), traced("0x2"), refused, block("0x4")], { at: { number: 60_000_000n } });
    expect(never).toMatchObject({ asked: [...all, ...all], others: 2 });
    const late = await run([traced("0x1"), traced("0x2"), refused, block("0x4")]);
    expect(late).toMatchObject({ asked: all, others: 2 });
  });

  it("never tells a bare run of an account, and only that of a contract", async () => {
    const bare = await run([broken, traced("0x2"), broken, broken]);
    expect(bare).toMatchObject({ told: null, others: 1, priced: false });
    expect(bare.lacks).toEqual([{ method: "eth_simulateV1", reason: "failed" }]);
    const contract = await run([traced("0x2"), block("0x4")], { at: { isContract: true } });
    expect(contract).toMatchObject({ asked: ["debug_traceCall", "eth_simulateV1"], told: ["debug_traceCall", "0x1"] });
    expect(contract).toMatchObject({ others: 1, priced: false, lacks: [], refusal: null });
  });

  it("is refused by its nonce, or by what the node says of the run with a price", async () => {
    const whole = [traced("0x1"), traced("0x2"), block("0x3"), block("0x4")];
    expect((await run(whole, { nonce: 4n })).refusal).toBe("nonce_low");
    expect((await run(whole, { nonce: 6n })).refusal).toBe("nonce_high");
    expect((await run(whole, { nonce: 5n })).refusal).toBeNull();
    const refused = await run([failure(-38014), traced("0x2"), failure(-38012), block("0x4")]);
    expect(refused).toMatchObject({ refusal: "funds", told: null, lacks: [] });
    expect((await run([traced("0x1"), traced("0x2"), failure(-38012), block("0x4")])).refusal).toBe("fee_low");
    expect((await run([traced("0x1"), failure(-38014), block("0x3"), failure(-38014)])).refusal).toBeNull();
    // Code at the sender is no reason to refuse if the other method could run it.
    expect((await run([traced("0x1"), traced("0x2"), failure(-38024), block("0x4")])).refusal).toBeNull();
    expect((await run([failure(-38024), traced("0x2"), failure(-38024), block("0x4")])).refusal).toBe("sender_code");
    expect((await run([failure(-38014), failure(-38014), broken, broken])).lacks).toEqual([
      { method: "eth_simulateV1", reason: "failed" },
    ]);
  });

  it("asks the oracle beside it, and does without where it is too slow", async () => {
    const word = (value: bigint) => ok(`0x${value.toString(16).padStart(64, "0")}`);
    const told = await run([traced("0x1"), traced("0x2"), block("0x3"), block("0x4"), word(5n), word(2n), word(9n)], {
      oracle: bob,
    });
    expect(told.asked).toEqual([...all, "eth_call", "eth_call", "eth_call"]);
    expect(told.fees).toEqual({ l1Fee: 5n, operator: { scalar: 7n, constant: 2n } });
    const slow = await run("timeout", { oracle: bob });
    expect(slow).toMatchObject({ told: null, others: 0, priced: false, refusal: null, fees: noFees });
    expect(slow.lacks).toEqual([
      { method: "debug_traceCall", reason: "failed" },
      { method: "eth_simulateV1", reason: "failed" },
    ]);
    expect((await run("timeout", { nonce: 4n })).refusal).toBe("nonce_low");
    expect((await run("failed")).found).toBeUndefined();
  });
});

describe("a previewer of messages", () => {
  const answers = [
    { number: "0x63", timestamp: "0x1", baseFeePerGas: "0x5", gasLimit: "0x6", hash, mixHash: hash, miner: bob },
    ...["0x2", "0x3", "0x"],
  ].map((result) => ({ ok: true, result }));
  const endpoint = { ask: async () => answers };
  const decided: unknown[] = [];
  const previewer = (parts: object = {}) =>
    createMessagePreviewer({
      pool: { tryEach: async (work: (one: unknown) => unknown) => work(endpoint) },
      plan: () => ({ tokens: ["t"] }),
      lookUp: async ({ draft, asked }: { draft: { transaction: object }; asked: unknown[] }, wanted: unknown) => ({
        ...{ tokens: { draft: draft.transaction }, reads: [asked, wanted], price: 1 },
      }),
      decide: (input: unknown) => {
        decided.push(input);
        return { explanation: { summary: "told" } };
      },
      ...parts,
    } as never);

  it("looks up what the message names after a transaction that does nothing", async () => {
    const { source, message, body, etag } = await previewer().explain({ from: alice, typed_data: 1 });
    expect([source, message, body.toString()]).toEqual(["network", { summary: "told" }, '{"summary":"told"}']);
    expect(etag).toMatch(/^"/);
    expect(decided.pop()).toEqual({
      ...{ from: alice, typed_data: 1, block_number: 99, nonce: 2, reads: [[], { tokens: ["t"] }] },
      tokens: { draft: expect.objectContaining({ from: alice, to: alice, value: "0x0", input: "0x", nonce: "0x2" }) },
    });
  });

  it("tells the known risks, and only the message if no endpoint answers", async () => {
    await previewer({ lookUp: async () => ({ tokens: {}, reads: [], risk: { drainers: 1 } }) }).explain({
      from: alice,
    });
    expect(decided.pop()).toMatchObject({ risk: { drainers: 1 } });
    await previewer({ pool: { tryEach: async () => undefined } }).explain({ from: alice });
    expect(decided.pop()).toEqual({ from: alice });
    const silent = { tryEach: async (work: (one: unknown) => unknown) => work({ ask: async () => "timeout" }) };
    await previewer({ pool: silent }).explain({ from: alice });
    expect(decided.pop()).toEqual({ from: alice });
  });

  it("says what is wrong with the message, and throws what is wrong with itself", async () => {
    const wrong = (error: Error) => ({
      plan: () => {
        throw error;
      },
    });
    const told = new TypedDataError("other_chain", "elsewhere");
    await expect(previewer(wrong(told)).explain({ from: alice })).rejects.toMatchObject({
      ...{ name: "ServiceError", code: "other_chain", message: "elsewhere" },
    });
    await expect(previewer(wrong(new RangeError("odd"))).explain({ from: alice })).rejects.toThrow(RangeError);
  });
});
