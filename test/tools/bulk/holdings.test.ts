import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import type { CaseFile, RpcFrame, RpcLog } from "../../../src/model/case-file.ts";
import type { Decision } from "../../../src/model/decision.ts";
import {
  contractKey,
  errorKey,
  failureKey,
  placedKey,
  selectorKey,
  setCodeKey,
  topicKey,
} from "../../../src/tools/bulk/replan/holding-key.ts";
import { Holdings, hashKey, mayHold } from "../../../src/tools/bulk/replan/holdings.ts";
import { alice, bob, carol, caseOf, frame, token, traced, usdc, vault, zero } from "../../support/case-of.ts";

/** What an answer shows, as far as parts keep it. */
interface Shown {
  calls?: { selector: string; to: string | null }[];
  unclaimed?: number;
  counterparties?: string[];
  moved?: { from: string; to: string; token_address: string | null }[];
}

function decisionOf({ calls = [], unclaimed = 0, counterparties = [], moved = [] }: Shown): Decision {
  const explanation = { counterparties: counterparties.map((address) => ({ address })), assets_moved: moved };
  const evidence = () => ({ calls, unclaimed_logs: Array.from({ length: unclaimed }) });
  return { explanation, evidence } as unknown as Decision;
}

/** The filter as it is stored in databases: the bits of each key, by numbers of any size. */
function filterOf(keys: Iterable<string>): Uint8Array {
  const hashes = new Set([...keys].map(hashKey));
  const bytes = new Uint8Array(Math.max(8, Math.ceil((hashes.size * 12) / 8)));
  for (const hash of hashes) {
    const [first, step] = [BigInt(hash) >> 21n, (BigInt(hash) & 0x1fffffn) * 2n + 1n];
    for (let i = 0n; i < 7n; i++) {
      const bit = Number((first + i * step) % BigInt(bytes.length * 8));
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
    }
  }
  return bytes;
}

const at = contractKey;
const called = (selector: string, to: string) => [selectorKey(selector), placedKey(selectorKey(selector), to), at(to)];
const emitted = (topic: string, by: string) => [topicKey(topic), placedKey(topicKey(topic), by), at(by)];
/** Of a plain call of alice at the vault. */
const plain = [at(alice), ...called("0x", vault)];
const bare = caseOf({ transaction: { input: "0x" }, receipt: { logs: [] } });

function expectKeys(file: CaseFile, keys: readonly string[], shown: Shown = {}): void {
  const holds = new Holdings();
  holds.add(file, decisionOf(shown));
  expect(Buffer.from(holds.toBytes()).toString("hex")).toBe(Buffer.from(filterOf(keys)).toString("hex"));
}

const withCall = (transaction: object): CaseFile => ({ ...bare, transaction: { ...bare.transaction, ...transaction } });
const withLogs = (...logs: object[]): CaseFile => ({ ...bare, receipt: { ...bare.receipt, logs: logs as RpcLog[] } });
const withRoot = (root: RpcFrame): CaseFile => ({ ...bare, trace: traced(root) });
const word = (address: string) => address.slice(2).padStart(64, "0");
const topic = `0x${"9".repeat(64)}`;

describe("a part holds", () => {
  it("the call of a transaction, and addresses in its data at each step of four bytes", () => {
    expectKeys(bare, plain);
    expectKeys(withCall({ to: null }), [at(alice), selectorKey("0x")]);
    expectKeys(withCall({ input: "0xABCDEF12" }), [at(alice), ...called("0xabcdef12", vault)]);
    const call = [at(alice), ...called("0x12345678", vault)];
    expectKeys(withCall({ input: `0x12345678${word(bob)}` }), [...call, at(bob)]);
    expectKeys(withCall({ input: `0x12345678${word(bob)}${word(carol)}` }), [...call, at(bob), at(carol)]);
    expectKeys(withCall({ input: `0x12345678${word(bob).slice(0, -2)}` }), call);
    expectKeys(withCall({ input: `0x1234567800000000${word(bob)}` }), [
      ...call,
      at(bob),
      at(`0x00000000${bob.slice(2, 34)}`),
    ]);
    expectKeys(withCall({ input: `0x123456780000${word(bob)}` }), [...call, at(`0x0000${bob.slice(2, 38)}`)]);
    expectKeys(withCall({ input: `0x12345678${"1".padEnd(24, "0")}${bob.slice(2)}` }), call);
    expectKeys(withCall({ input: `0x${word(bob)}` }), [at(alice), ...called("0x00000000", vault), at(bob)]);
    expectKeys(withCall({ input: `0x12345678${word(zero)}` }), [...call, at(zero)]);
  });

  it.each([
    `${"0".repeat(64)}${word(bob)}`,
    `${"0".repeat(24)}b${"0".repeat(39)}${word(bob)}`,
    `${"0".repeat(200)}${word(bob)}`,
  ])("addresses beside empty words: %s", (data) => {
    const hex = `0x12345678${data}`;
    const starts = Array.from({ length: hex.length }, (_, i) => 2 + 8 * i).filter((i) => i + 64 <= hex.length);
    const inside = starts.filter((i) => /^0{24}/.test(hex.slice(i))).map((i) => at(`0x${hex.slice(i + 24, i + 64)}`));
    expectKeys(withCall({ input: hex }), [at(alice), ...called("0x12345678", vault), ...inside]);
  });

  it("delegations of accounts", () => {
    const list = [bob, carol].map((address) => ({ address }));
    expectKeys(withCall({ authorizationList: list }), [...plain, setCodeKey, at(bob), at(carol)]);
    expectKeys(withCall({ authorizationList: [] }), [...plain, setCodeKey]);
  });

  it("logs by their topic and emitter, and addresses in the rest of them", () => {
    const log = { address: token, topics: [topic], data: "0x" };
    expectKeys(withLogs(log), [...plain, ...emitted(topic, token)]);
    expectKeys(withLogs({ ...log, topics: [] }), [...plain, ...emitted("", token)]);
    const full = { ...log, topics: [topic, `0x${word(bob)}`, `0x${word(carol)}`], data: `0x${word(usdc)}` };
    expectKeys(withLogs(full), [...plain, ...emitted(topic, token), at(bob), at(carol), at(usdc)]);
    const other = { ...log, topics: [`0x${word(bob)}`] };
    expectKeys(withLogs(log, other), [...plain, ...emitted(topic, token), ...emitted(`0x${word(bob)}`, token)]);
  });

  it("every frame of its call tree, and the errors of those that failed", () => {
    const inner = frame(vault, bob, { input: "0xAAAAAAAA", calls: [frame(bob, carol)] });
    const tree = frame(alice, vault, { calls: [inner, frame(vault, usdc)] });
    const frames = [at(bob), ...called("0xaaaaaaaa", bob), ...called("0x", carol), ...called("0x", usdc)];
    expectKeys(withRoot(tree), [...plain, ...frames]);
    const failed = { error: "execution reverted", output: "0xABCDEF1234" as const };
    expectKeys(withRoot(frame(alice, vault, failed)), [...plain, errorKey("0xabcdef12"), failureKey]);
    expectKeys(withRoot(frame(alice, vault, { output: "0xABCDEF1234" })), plain);
    expectKeys(withRoot(frame(alice, vault, { error: "out of gas" })), [...plain, failureKey]);
    const made = { type: "CREATE", from: alice } as RpcFrame;
    expectKeys(withRoot(made), [...plain, selectorKey("0x")]);
  });

  it("what the answer shows: wrapped calls, counterparties and assets", () => {
    const shown: Shown = {
      calls: [
        { selector: "0x11111111", to: bob },
        { selector: "0x22222222", to: null },
      ],
      counterparties: [carol.toUpperCase().replace("0X", "0x")],
      moved: [
        { from: usdc, to: token, token_address: null },
        { from: alice, to: vault, token_address: zero },
      ],
    };
    const keys = [...called("0x11111111", bob), selectorKey("0x22222222"), at(carol), at(usdc), at(token), at(zero)];
    expectKeys(bare, [...plain, ...keys], shown);
  });

  it("a created contract, and both sides of ether that an explorer lists", () => {
    expectKeys({ ...bare, receipt: { ...bare.receipt, contractAddress: bob } }, [...plain, at(bob)]);
    expectKeys({ ...bare, receipt: { ...bare.receipt, contractAddress: null } }, plain);
    const rows = [
      { from: bob, to: null },
      { from: token, to: carol },
    ].map((row) => ({ ...row, value: "0x1", type: "call", success: true }));
    const trace = { source: "internal_transfers", provider: "x", internal_transfers: rows } as never;
    expectKeys({ ...bare, trace }, [...plain, at(bob), at(token), at(carol)]);
  });

  it("of several transactions what each of them holds", () => {
    const holds = new Holdings();
    holds.add(bare, decisionOf({}));
    holds.add(withCall({ from: bob }), decisionOf({}));
    expect(holds.toBytes()).toEqual(filterOf([...plain, at(bob)]));
  });
});

describe("a part holds everything", () => {
  const isAll = (shown: Shown, more: Shown[] = []) => {
    const holds = new Holdings();
    for (const each of [shown, ...more]) holds.add(bare, decisionOf(each));
    return holds.toBytes().length === 0;
  };
  const calls = (length: number) => Array.from({ length }, () => ({ selector: "0x", to: null }));

  it("where a list was cut", () => {
    const least = Math.min(limits.evidenceMax, limits.unwrappedCallsMax);
    expect([least - 1, least].map((count) => isAll({ calls: calls(count) }))).toEqual([false, true]);
    expect([-1, 0].map((more) => isAll({ unclaimed: limits.evidenceMax + more }))).toEqual([false, true]);
    expect(isAll({ calls: calls(least) }, [{}])).toBe(true);
  });

  it("and so may hold any key", () => {
    expect(mayHold(new Uint8Array(), [])).toBe(true);
    expect(mayHold(filterOf([]), [hashKey(at(bob))])).toBe(false);
    expect(mayHold(filterOf(["a", "b"]), [])).toBe(false);
    expect(mayHold(filterOf(["a", "b"]), [hashKey("x"), hashKey("a")])).toBe(true);
    expect(mayHold(filterOf(["a", "b"]), [hashKey("x"), hashKey("y")])).toBe(false);
  });
});

describe("hashes of keys", () => {
  // These numbers are stored in databases. With another number, a filter would deny what parts hold.
  it.each<[string, number]>([
    ["", 4542855620585898],
    ["*", 1655418449204096],
    ["topic 0x12", 8857797821653177],
    [contractKey(usdc), 589944041391990],
  ])("stay as they are: %s", (key, hash) => expect(hashKey(key)).toBe(hash));
});

describe("what a part may hold", () => {
  it("is anything where nothing is told, and nothing where no bit is set", () => {
    expect(mayHold(new Uint8Array(), [1])).toBe(true);
    expect(mayHold(new Uint8Array(8), [hashKey("at 0x1")])).toBe(false);
    expect(mayHold(new Uint8Array(8).fill(255), [hashKey("at 0x1")])).toBe(true);
    expect(mayHold(new Uint8Array(8).fill(255), [])).toBe(false);
  });

  it("is found by keys whose hashes stay the same, because parts on disk hold them", () => {
    expect(["", "a", "at 0x1", "topic 0x"].map(hashKey)).toEqual([
      4_542_855_620_585_898, 8_023_944_449_296_882, 8_721_276_972_421_251, 2_499_294_260_100_944,
    ]);
    expect(new Set(["", "a", "b", "ab", "ba"].map(hashKey)).size).toBe(5);
    for (const key of ["", "a", "at 0x1"]) expect(Number.isSafeInteger(hashKey(key))).toBe(true);
  });
});
