import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { LookupPlan } from "../../src/model/lookup-plan.ts";
import { type Ground, readGround } from "../../src/preview/ground.ts";
import { beyond, joinAnswers } from "../../src/preview/lookup-merge.ts";
import { asksAboutMessage, nameOfMessage, readMessageQuestion } from "../../src/preview/message-preview.ts";
import type { PreviewAnswer } from "../../src/preview/preview-answer.ts";
import { draftOf, requestDraft } from "../../src/preview/preview-draft.ts";
import { createPreviewMemory } from "../../src/preview/preview-memory.ts";
import { nameOfRequest, type PreviewRequest, readPreviewRequest } from "../../src/preview/preview-request.ts";
import { readCallTrace } from "../../src/preview/runs/call-trace.ts";
import { delegationsOf, fillIn, serialize, signingHash } from "../../src/preview/unsigned-transaction.ts";

const alice = toAddress(`0x${"a1".repeat(20)}`);
const bob = toAddress(`0x${"b0".repeat(20)}`);
const hash = `0x${"7".repeat(64)}` as Hash;
const most = 2n ** 256n - 1n;

const request: PreviewRequest = {
  ...{ from: alice, to: bob, value: 0n, data: "0x", gas: null, nonce: null, authorizations: [] },
};
const ground: Ground = {
  ...{ number: 99n, hash, time: 1_700_000_000n, baseFee: 8_000_000n, gasLimit: 60_000_000n, miner: "0x00" },
  ...{ prevRandao: hash, nonce: 5n, balance: 10n ** 18n, isContract: false },
};

describe("a request", () => {
  const least = { from: alice, to: bob };
  const one = { address: bob };
  const signature = { y_parity: 1, r: hash, s: hash };

  it.each<[Record<string, unknown>, Partial<PreviewRequest>]>([
    [least, {}],
    [
      { ...least, value: "0x1a", data: "0x00", gas: 1_000_000_000, nonce: "7" },
      { value: 26n, data: "0x00", gas: 1_000_000_000n, nonce: 7n },
    ],
    [
      { from: alice, to: null, data: "0x60" },
      { to: null, data: "0x60" },
    ],
    [{ ...least, value: most.toString() }, { value: most }],
    [{ ...least, nonce: ((1n << 64n) - 2n).toString() }, { nonce: (1n << 64n) - 2n }],
    [
      { ...least, authorization_list: [one] },
      { authorizations: [{ chainId: null, delegate: bob, nonce: null, signature: null }] },
    ],
    [
      { ...least, authorization_list: [{ ...one, chain_id: 0, nonce: 0, ...signature }] },
      { authorizations: [{ chainId: 0n, delegate: bob, nonce: 0n, signature: { yParity: 1n, r: hash, s: hash } }] },
    ],
    [
      { ...least, authorization_list: Array(16).fill({ ...one, chain_id: ((1n << 64n) - 1n).toString() }) },
      { authorizations: Array(16).fill({ chainId: (1n << 64n) - 1n, delegate: bob, nonce: null, signature: null }) },
    ],
  ])("is read: %#", (fields, expected) => {
    expect(readPreviewRequest(fields)).toEqual({ ...request, ...expected });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ ...least, other: 1 }, "The transaction holds a field that is not known."],
    [{ from: alice }, "to is missing; null stands for the creation of a contract."],
    [{ ...least, data: "0x0" }, "data is not 0x followed by whole bytes of hex."],
    [
      { ...least, data: `0x${"00".repeat(limits.previewDataBytesMax + 1)}` },
      `data is longer than ${limits.previewDataBytesMax} bytes.`,
    ],
    [{ from: alice, to: null }, "data is missing: a creation needs the code of the new contract."],
    [{ to: bob }, "from is missing."],
    [{ from: "0x1", to: bob }, "from is not 0x followed by 40 hex digits."],
    [{ from: alice, to: 1 }, "to is not 0x followed by 40 hex digits."],
    [{ ...least, gas: 1_000_000_001 }, "gas is too large."],
    [{ ...least, gas: -1 }, "gas is not a quantity: 0x and hex digits, or a decimal number."],
    [{ ...least, value: (most + 1n).toString() }, "value is too large."],
    [{ ...least, nonce: ((1n << 64n) - 1n).toString() }, "nonce is too large."],
    [{ ...least, authorization_list: [] }, "authorization_list is not an array of 1 to 16 authorizations."],
    [
      { ...least, authorization_list: Array(17).fill(one) },
      "authorization_list is not an array of 1 to 16 authorizations.",
    ],
    [{ ...least, authorization_list: {} }, "authorization_list is not an array of 1 to 16 authorizations."],
    [
      { from: alice, to: null, data: "0x60", authorization_list: [one] },
      "A transaction with an authorization_list cannot create a contract (EIP-7702).",
    ],
    ...[null, 1, []].map((item): [Record<string, unknown>, string] => [
      { ...least, authorization_list: [one, item] },
      "authorization_list[1] is not an object.",
    ]),
    [
      { ...least, authorization_list: [{ ...one, value: 1 }] },
      "authorization_list[0] holds a field that is not known.",
    ],
    [{ ...least, authorization_list: [{}] }, "authorization_list[0].address is missing."],
    [
      { ...least, authorization_list: [{ ...one, r: hash, s: hash }] },
      "authorization_list[0] has a part of a signature: y_parity, r and s belong together.",
    ],
    [
      { ...least, authorization_list: [{ ...one, ...signature }] },
      "authorization_list[0].nonce is missing: it is part of what was signed.",
    ],
    [
      { ...least, authorization_list: [{ ...one, nonce: ((1n << 64n) - 1n).toString() }] },
      "authorization_list[0].nonce is too large.",
    ],
    [
      { ...least, authorization_list: [{ ...one, chain_id: (1n << 64n).toString() }] },
      "authorization_list[0].chain_id is too large.",
    ],
    [
      { ...least, authorization_list: [{ ...one, nonce: 0, ...signature, y_parity: 2 }] },
      "authorization_list[0].y_parity is too large.",
    ],
    ...["r", "s"].map((part): [Record<string, unknown>, string] => [
      { ...least, authorization_list: [{ ...one, nonce: 0, ...signature, [part]: "0x1" }] },
      "authorization_list[0].r and .s are not 0x followed by 64 hex digits.",
    ]),
  ])("is refused: %#", (fields, message) => {
    expect(() => readPreviewRequest(fields)).toThrow(expect.objectContaining({ code: "invalid_preview", message }));
  });

  it("has room for as much calldata as the limit says", () => {
    const data = `0x${"00".repeat(limits.previewDataBytesMax)}`;
    expect(readPreviewRequest({ ...least, data }).data).toBe(data);
  });

  it("has the name of its like only", () => {
    expect(nameOfRequest(request)).toMatch(/^preview:[0-9a-f]{64}$/);
    expect(nameOfRequest({ ...request })).toBe(nameOfRequest(request));
    expect(nameOfRequest({ ...request, value: 1n })).not.toBe(nameOfRequest(request));
  });
});

describe("a question about a message", () => {
  it("names its signer, and nothing that is not known", () => {
    expect(readMessageQuestion({ from: alice, typed_data: 1 })).toEqual({ from: alice, typed_data: 1 });
    const all = { from: alice, typed_data: 1, authorization: 2, user_operation: 3, entry_point: 4 };
    expect(readMessageQuestion(all)).toEqual(all);
    const refused = (message: string) => expect.objectContaining({ code: "invalid_preview", message });
    expect(() => readMessageQuestion({ from: alice, to: bob })).toThrow(
      refused("The message holds a field that is not known."),
    );
    expect(() => readMessageQuestion({ typed_data: 1 })).toThrow(refused("from is not 0x followed by 40 hex digits."));
  });

  it("has one of three forms", () => {
    const asks = (name: string) => asksAboutMessage({ from: alice, [name]: null });
    expect(["typed_data", "authorization", "user_operation", "entry_point", "to"].map(asks)).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect(nameOfMessage({ from: alice })).toMatch(/^message:[0-9a-f]{64}$/);
    expect(nameOfMessage({ from: alice })).not.toBe(nameOfMessage({ from: bob }));
  });
});

describe("what was left open", () => {
  const filled = (asked: Partial<PreviewRequest>, at: Partial<Ground> = {}) => {
    const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = fillIn({ ...request, ...asked }, { ...ground, ...at });
    return { nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  };
  const usual = { nonce: 5n, gas: 10_000_000n, maxFeePerGas: 10_000_000n, maxPriorityFeePerGas: 1_000_000n };

  it.each<[Partial<PreviewRequest>, Partial<Ground>, Partial<typeof usual>]>([
    [{}, {}, {}],
    [{ nonce: 0n, gas: 7n }, {}, { nonce: 0n, gas: 7n }],
    [{}, { gasLimit: 9_999_999n }, { gas: 9_999_999n }],
    [{}, { balance: 10_000_000n * 21_000n }, { gas: 21_000n }],
    [{}, { balance: 10_000_000n * 21_000n - 1n }, {}],
    [{}, { balance: 0n }, {}],
    [{ value: 10n ** 18n - 10_000_000n * 30_000n }, {}, { gas: 30_000n }],
    [{ value: 10n ** 18n + 1n }, {}, {}],
    [{}, { baseFee: 0n }, { maxFeePerGas: 1_000_000n }],
  ])("is filled in as wallets do: %#", (asked, at, expected) => {
    expect(filled(asked, at)).toEqual({ ...usual, ...expected });
  });

  it("of an authorization is the sender's, whose transaction counts first", () => {
    const one = { chainId: null, delegate: bob, nonce: null, signature: null };
    const signed = { chainId: 0n, delegate: bob, nonce: 0n, signature: { yParity: 1n, r: hash, s: hash } };
    const { authorizations } = fillIn({ ...request, authorizations: [one, { ...one, nonce: 0n }, signed] }, ground);
    expect(authorizations).toEqual([
      { chainId: "0x2105", address: bob, nonce: "0x6", authority: alice },
      { chainId: "0x2105", address: bob, nonce: "0x0", authority: alice },
      { chainId: "0x0", address: bob, nonce: "0x0", yParity: "0x1", r: hash, s: hash },
    ]);
  });

  it("sets code by the last word for this chain, and takes it off by the zero address", () => {
    const one = { chainId: null, delegate: bob, nonce: null, signature: null };
    const set = (...list: Partial<typeof one | { chainId: bigint; delegate: typeof bob }>[]) =>
      Object.fromEntries(
        delegationsOf(fillIn({ ...request, authorizations: list.map((each) => ({ ...one, ...each })) }, ground)),
      );
    const zero = toAddress(`0x${"0".repeat(40)}`);
    expect(set({})).toEqual({ [alice]: `0xef0100${bob.slice(2)}` });
    expect(set({ chainId: 0n })).toEqual({ [alice]: `0xef0100${bob.slice(2)}` });
    expect(set({ chainId: 1n })).toEqual({});
    expect(set({}, { delegate: zero })).toEqual({ [alice]: "0x" });
  });

  it("is part of what is signed", () => {
    const transaction = fillIn(request, ground);
    expect(serialize(transaction)).toMatch(/^0x02/);
    expect(signingHash(transaction)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(signingHash(fillIn({ ...request, nonce: 6n }, ground))).not.toBe(signingHash(transaction));
  });
});

describe("a draft", () => {
  const transaction = fillIn({ ...request, value: 26n, data: "0x12" }, ground);
  const base = {
    ...{ version: 2, chain_id: 8453, tx_hash: signingHash(transaction), gathered_at: "", tokens: {}, reads: [] },
    block: { number: "0x63", hash, timestamp: "0x6553f100" },
    transaction: {
      ...{ hash: signingHash(transaction), type: "0x2", from: alice, to: bob, value: "0x1a", input: "0x12" },
      ...{ nonce: "0x5", gas: "0x989680" },
    },
    price: { status: "unavailable", source: "not asked yet", eth_usd: null },
  };

  it("of what nobody ran says why", () => {
    const none = { method: "none", priced: false, differs: null, unavailable: [], refusal: null };
    expect(requestDraft({ transaction, ground })).toEqual({
      ...{ ...base, receipt: { status: "0x0", logs: [] }, simulation: none },
      trace: { source: "none", reason: "nobody simulated" },
    });
    const unavailable = [{ method: "eth_call", reason: "failed" }] as never;
    expect(requestDraft({ transaction, ground }, { unavailable, refusal: "nonce_low" as never })).toEqual({
      ...{ ...base, receipt: { status: "0x0", logs: [] } },
      trace: { source: "none", reason: "a node would refuse it" },
      simulation: { ...none, unavailable, refusal: "nonce_low" },
    });
  });

  it("of a run has its receipt, with the fees that are known and the price that it would pay", () => {
    const authorizations = [{ chainId: null, delegate: bob, nonce: null, signature: null }];
    const drafted = (fees: object, receipt: object, more: Partial<PreviewRequest> = {}, at = ground) => {
      const simulated = { told: null, priced: true, unavailable: [], refusal: null, fees } as never;
      const run = { kind: "ran", receipt: { status: "0x1", logs: [], ...receipt }, trace: { source: "none" } } as never;
      const asked = fillIn({ ...request, ...more }, ground);
      return draftOf({ transaction: asked, ground: at }, simulated, run, true);
    };
    const none = { l1Fee: null, operator: null };
    const plain = { status: "0x1", logs: [], effectiveGasPrice: "0x895440" };
    expect(drafted(none, {}).receipt).toEqual(plain);
    expect(drafted(none, {}).simulation).toEqual({
      ...{ method: "none", priced: true, differs: true, unavailable: [], refusal: null },
    });
    expect(drafted(none, {}, {}, { ...ground, baseFee: 9_000_001n }).receipt.effectiveGasPrice).toBe("0x989680");
    expect(drafted(none, { gasUsed: "0x10" }).receipt).toEqual({ ...plain, gasUsed: "0x10" });
    const listed = drafted(
      { l1Fee: 5n, operator: { scalar: 6n, constant: 7n } },
      { gasUsed: "0x10" },
      { authorizations },
    );
    expect(listed.receipt).toEqual({
      ...{ ...plain, gasUsed: "0x30e4", l1Fee: "0x5", operatorFeeScalar: "0x6", operatorFeeConstant: "0x7" },
    });
    expect(listed.transaction).toMatchObject({ type: "0x4", authorizationList: [{ authority: alice }] });
  });
});

describe("the ground", () => {
  const block = {
    ...{ number: "0x63", timestamp: "0x1", baseFeePerGas: "0x5", gasLimit: "0x6", hash },
    ...{ mixHash: `0x${"8".repeat(64)}`, miner: bob },
  };
  const read = (parts: Record<string, unknown> = {}, rest: unknown[] = ["0x2", "0x3", "0x"]) => {
    const answers = [{ ...block, ...parts }, ...rest].map((result) => ({ ok: result !== undefined, result }));
    return readGround({ ask: async () => answers } as never, alice, new AbortController().signal);
  };
  const whole = {
    ...{ number: 99n, hash, time: 1n, baseFee: 5n, gasLimit: 6n, nonce: 2n, balance: 3n, miner: bob },
    ...{ prevRandao: `0x${"8".repeat(64)}`, isContract: false },
  };

  it.each<[Record<string, unknown>, unknown[] | undefined, object]>([
    [{}, undefined, {}],
    [{ baseFeePerGas: undefined }, undefined, { baseFee: 0n }],
    [{ miner: "0x1" }, undefined, { miner: `0x${"0".repeat(40)}` }],
    [{ mixHash: undefined }, undefined, { prevRandao: hash }],
    [{ mixHash: `0x${"0".repeat(64)}` }, undefined, { prevRandao: hash }],
    [{}, ["0x2", "0x3", "0x6000"], { isContract: true }],
    [{}, ["0x2", "0x3", `0xef0100${bob.slice(2)}`], { isContract: false }],
  ])("is read: %#", async (parts, rest, expected) => {
    expect(await read(parts, rest)).toEqual({ ...whole, ...expected });
  });

  it.each<[Record<string, unknown>, unknown[] | undefined]>([
    [{ number: undefined }, undefined],
    [{ timestamp: undefined }, undefined],
    [{ baseFeePerGas: "x" }, undefined],
    [{ gasLimit: undefined }, undefined],
    [{ hash: undefined }, undefined],
    [{}, [undefined, "0x3", "0x"]],
    [{}, ["0x2", undefined, "0x"]],
    [{}, ["0x2", "0x3", undefined]],
  ])("is none without all of it: %#", async (parts, rest) => {
    expect(await read(parts, rest)).toBeUndefined();
  });

  it("is asked for at the newest block, in one batch", async () => {
    const asked: unknown[] = [];
    const ask = async (calls: unknown[]) => {
      asked.push(...calls);
      return "timeout";
    };
    await readGround({ ask } as never, alice, new AbortController().signal);
    expect(asked).toEqual([
      { method: "eth_getBlockByNumber", params: ["latest", false] },
      ...["eth_getTransactionCount", "eth_getBalance", "eth_getCode"].map((method) => ({
        method,
        params: [alice, "latest"],
      })),
    ]);
  });

  it("is none of an endpoint that does not answer", async () => {
    const endpoint = { ask: async () => "timeout" } as never;
    expect(await readGround(endpoint, alice, new AbortController().signal)).toBeUndefined();
  });
});

describe("a second lookup", () => {
  const plan = (parts: {
    tokens?: string[];
    reads?: string[];
    verify?: string[];
    histories?: string[];
    listed?: string[];
  }) =>
    ({
      tokens: parts.tokens ?? [],
      reads: (parts.reads ?? []).map((read) => ({ to: read.slice(0, 1), data: read.slice(1) })),
      risk: {
        verify: (parts.verify ?? []).map(([address, selector, owner]) => ({ address, selector, owner })),
        ...{ histories: parts.histories ?? [], listed: parts.listed ?? [], place: "p" },
      },
    }) as unknown as LookupPlan;

  it("asks for what the first did not ask", () => {
    const first = plan({ tokens: ["a"], reads: ["xy"], verify: ["123"], histories: ["h"], listed: ["l"] });
    expect(beyond(first, first)).toBeNull();
    expect(beyond(plan({}), first)).toBeNull();
    const second = plan({
      ...{ tokens: ["a", "b"], reads: ["xy", "xz", "yy"], verify: ["123", "124", "133", "223"] },
      ...{ histories: ["h", "i"], listed: ["l", "m"] },
    });
    expect(beyond(second, first)).toEqual(
      plan({ tokens: ["b"], reads: ["xz", "yy"], verify: ["124", "133", "223"], histories: ["i"], listed: ["m"] }),
    );
    for (const part of ["tokens", "reads", "verify", "histories", "listed"])
      expect(beyond(plan({ [part]: ["new"] }), first)).toEqual(plan({ [part]: ["new"] }));
  });

  it("is joined to the first", () => {
    const risk = (name: string) => ({
      verification: { [name]: 1 },
      history: { [name]: 2 },
      drainers: { status: name, asked: [name, "both"], hits: [name] },
    });
    const answers = (name: string, more: object = { risk: risk(name) }) =>
      ({ tokens: { [name]: 3 }, reads: [name], ...more }) as never;
    expect(joinAnswers(answers("a"), answers("b"))).toEqual({
      ...{ tokens: { a: 3, b: 3 }, reads: ["a", "b"] },
      risk: {
        ...{ verification: { a: 1, b: 1 }, history: { a: 2, b: 2 } },
        drainers: { status: "b", asked: ["a", "both", "b"], hits: ["a", "b"] },
      },
    });
    expect(joinAnswers(answers("a"), answers("b", {}))).toMatchObject({ risk: risk("a") });
    expect(joinAnswers(answers("a", {}), answers("b"))).toMatchObject({ risk: risk("b") });
    expect(joinAnswers(answers("a", {}), answers("b", {}))).toEqual({ tokens: { a: 3, b: 3 }, reads: ["a", "b"] });
  });
});

describe("what is remembered", () => {
  const answer = (parts: object = {}, unavailable: object[] = []) =>
    ({
      body: Buffer.from("{}"),
      caseFile: {
        ...{ block: { hash }, price: { status: "found" }, tokens: {}, reads: [], simulation: { unavailable } },
        ...parts,
      },
    }) as unknown as PreviewAnswer;

  it("is served for two seconds, and on its block for half a minute", () => {
    let now = 1_000;
    const memory = createPreviewMemory({ now: () => now });
    const kept = answer();
    memory.keep("a", kept);
    now += 1_999;
    expect([memory.recent("a"), memory.recent("b"), memory.onBlock("a", hash)]).toEqual([kept, undefined, kept]);
    now += 1;
    expect([memory.recent("a"), memory.onBlock("a", hash), memory.onBlock("a", "0x1" as Hash)]).toEqual([
      ...[undefined, kept, undefined],
    ]);
    now += 28_000;
    expect(memory.onBlock("a", hash)).toBe(kept);
    now += 1;
    expect(memory.onBlock("a", hash)).toBeUndefined();
  });

  it.each<[string, PreviewAnswer, boolean]>([
    ["a whole one", answer(), true],
    ["one without a method", answer({}, [{ reason: "missing" }]), true],
    ["one of which a method failed", answer({}, [{ reason: "missing" }, { reason: "failed" }]), false],
    ["one without a price", answer({ price: { status: "unavailable" } }), false],
    ["one without a token", answer({ tokens: { a: { status: "found" }, b: { status: "unavailable" } } }), false],
    ["one without a read", answer({ reads: [{ status: "found" }, { status: "unavailable" }] }), false],
    ["one that nobody ran", answer({ simulation: undefined }), true],
  ])("is %s: %#", (_case, given, kept) => {
    const memory = createPreviewMemory({ now: () => 1_000 });
    memory.keep("a", given);
    expect(memory.recent("a")).toBe(kept ? given : undefined);
  });
});

describe("a traced call", () => {
  const log = (name: string, position?: string) => ({
    ...{ address: bob, topics: [], data: `0x${name}` },
    ...(position !== undefined && { position }),
  });
  const frame = (more: object = {}) => ({ type: "CALL", from: alice, to: bob, value: "0x0", input: "0x", ...more });
  const ran = (result: object, to: typeof bob | null = bob) =>
    readCallTrace({ ok: true, result } as never, { ...request, to });

  it("has its logs in the order in which they were written, without those of what failed", () => {
    const calls = [
      frame({ logs: [log("02")] }),
      frame({ error: "execution reverted", logs: [log("ff")] }),
      frame({ logs: [log("05", "0x0")], calls: [frame({ logs: [log("06")] })] }),
    ];
    const logs = [log("01", "0x0"), log("03", "0x1"), log("04", "0x2"), log("07", "0x3"), log("08", "0x9")];
    const run = ran(frame({ calls, logs, gasUsed: "0x5208" })) as never as { receipt: { logs: object[] } };
    expect(run.receipt).toMatchObject({ status: "0x1", gasUsed: "0x5208", contractAddress: null });
    expect(run.receipt.logs).toEqual(
      ["01", "02", "03", "04", "05", "06", "07", "08"].map((name, i) => ({
        ...{ address: bob, topics: [], data: `0x${name}`, logIndex: `0x${i}` },
      })),
    );
  });

  it("that failed has no logs and creates nothing", () => {
    expect(ran(frame({ error: "execution reverted", logs: [log("01")] }), null)).toMatchObject({
      ...{ kind: "ran", receipt: { status: "0x0", contractAddress: null, logs: [] } },
    });
    expect(ran(frame({}), null)).toMatchObject({ receipt: { status: "0x1", contractAddress: bob } });
    expect(ran({ nothing: 1 })).toEqual({ kind: "failed" });
    const refused = { ok: false, code: -38010, message: "" } as never;
    expect([readCallTrace(refused, request), readCallTrace(undefined, request)]).toEqual([
      { kind: "refused", reason: "nonce_low" },
      { kind: "failed" },
    ]);
  });
});
