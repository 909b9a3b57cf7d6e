import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/kernel/hash.ts";
import type { Gate } from "../../../src/rules/ruleset/compiled.ts";
import { carryOver } from "../../../src/tools/bulk/replan/carry-over.ts";
import { Holdings } from "../../../src/tools/bulk/replan/holdings.ts";
import { changedKeys, stampSources } from "../../../src/tools/bulk/replan/rule-sources.ts";
import { alice, bob, caseOf, usdc, vault } from "../../support/case-of.ts";

const facts = { names: [], decimals: [], tokens: [] };
const base = { actions: new Map([["swap", {}]]), verbs: new Map([["swap", "swapped"]]), failures: [] };
type Parts = Record<string, unknown>;

function stamps(files: Parts[] = [], labels: Parts = {}, ruleset: Parts = {}, wording: Parts = {}) {
  const loaded = { files: files.map((file) => ({ rules: [], unwrappers: [], ...file })), wording };
  return stampSources({ ...loaded, ruleset: { ...base, ...ruleset } } as never, { ...facts, ...labels } as never);
}

/** The keys that a file is about, without those that every ruleset has; `*` if the file changes something for everything. */
function keysOf(file: Parts): string[] {
  return changedKeys(stamps(), stamps([file])).sort();
}

const scope = (parts: Parts = {}) => ({ names: [], abi: new Map(), facts: () => ["facts"], ...parts });
const at = (...addresses: string[]): Gate => ({ kind: "set", addresses: new Set(addresses) }) as never;
const any: Gate = { kind: "any" } as never;
const ruled = (anchor: Parts, parts: Parts = {}) => ({
  scope: scope(),
  document: {},
  rules: [{ id: "one", attempt: undefined, version: () => "v1", anchor, ...parts }],
});
const event = { hash: "0xee", kind: "event" };
const call = { hash: "0xcc", kind: "function" };

describe("what a rule can be about", () => {
  it.each<[string, Parts, string[]]>([
    ["an event of anybody", { kind: "event", event, gate: any }, ["topic 0xee"]],
    [
      "an event of some",
      { kind: "event", event, gate: at(bob, vault) },
      [`topic 0xee at ${vault}`, `topic 0xee at ${bob}`],
    ],
    ["a call of anybody", { kind: "call", call, gate: any }, ["call 0xcc"]],
    ["a call of some", { kind: "call", call, gate: at(bob) }, [`call 0xcc at ${bob}`]],
    ["any call of some", { kind: "call", call: null, gate: at(bob, vault) }, [`at ${vault}`, `at ${bob}`]],
    ["any call of anybody", { kind: "call", call: null, gate: any }, ["*"]],
    ["a transfer from some", { kind: "transfer", from: at(bob), to: at(vault) }, [`at ${bob}`]],
    ["a transfer to some", { kind: "transfer", from: any, to: at(vault) }, [`at ${vault}`]],
    ["any transfer", { kind: "transfer", from: any, to: any }, ["*"]],
    ["code that is set", { kind: "authorization" }, ["set code"]],
    ["nothing certain", { kind: "none" }, ["*"]],
  ])("is %s", (_, anchor, keys) => expect(keysOf(ruled(anchor))).toEqual(keys));

  it("changes with its version, its id and its attempt", () => {
    const of = (parts: Parts) => stamps([ruled({ kind: "event", event, gate: any }, parts)]);
    for (const parts of [{ version: () => "v2" }, { id: "two" }, { attempt: 1 }])
      expect(changedKeys(of({}), of(parts))).toEqual(["topic 0xee"]);
    expect(changedKeys(of({}), of({}))).toEqual([]);
  });

  it("is nothing where its file could not be read", () => {
    const file = ruled({ kind: "none" });
    expect(keysOf({ ...file, scope: undefined })).toEqual([]);
    expect(keysOf({ ...file, document: undefined })).toEqual([]);
  });
});

describe("what a file can be about", () => {
  const abi = new Map<string, Parts>([
    ["Paid", event],
    ["pay", call],
    ["Refused", { hash: "0xbb", kind: "error", signature: "Refused()" }],
  ]);
  const file = (document: Parts, parts: Parts = {}) => ({ scope: scope({ abi }), document, ...parts });
  const error = "error 0xbb";

  it("is its names and errors", () => {
    expect(keysOf({ scope: scope({ names: [{ address: bob, label: "Bob" }] }), document: {} })).toEqual([`at ${bob}`]);
    expect(keysOf(file({}))).toEqual([error]);
    const named = (label: string) => stamps([{ scope: scope({ names: [{ address: bob, label }] }), document: {} }]);
    expect(changedKeys(named("Bob"), named("Rob"))).toEqual([`at ${bob}`]);
  });

  it("is the wrappers that it takes off", () => {
    const unwrappers = [
      { call, gate: any },
      { call: { hash: "0xdd" }, gate: at(bob) },
    ];
    expect(keysOf(file({ unwrap: [{}] }, { unwrappers }))).toEqual(["call 0xcc", `call 0xdd at ${bob}`, error]);
    expect(keysOf(file({}, { unwrappers }))).toEqual([error]);
    const plain = stamps([file({ unwrap: [{}], steps: {} }, { unwrappers })]);
    expect(stamps([file({ unwrap: [{}] }, { unwrappers })])).toEqual(plain);
    const one = stamps([file({ unwrap: [{}], steps: { a: 1 } }, { unwrappers })]);
    expect(changedKeys(one, stamps([file({ unwrap: [{}] }, { unwrappers })]))).toEqual([
      "call 0xcc",
      `call 0xdd at ${bob}`,
    ]);
  });

  it.each(["subjects", "signers", "accounts", "fees", "grants", "failures"])("is what its hints name: %s", (kind) => {
    expect(keysOf(file({ [kind]: [{ event: "Paid" }] }))).toEqual([error, "topic 0xee"]);
    expect(keysOf(file({ [kind]: [{ event: "Paid" }, { event: "Paid", call: "pay" }] }))).toEqual([
      "call 0xcc",
      error,
      "topic 0xee",
    ]);
    expect(keysOf(file({ [kind]: [{ event: "Unknown" }] }))).toEqual([error]);
  });

  it("is anything where accounts are found by their code", () => {
    expect(keysOf(file({ accounts: [{ code: "0x12" }] }))).toEqual(["*", error]);
    expect(keysOf(file({ accounts: [{ event: "Paid" }, { code: "0x12" }] }))).toEqual(["*", error, "topic 0xee"]);
    expect(keysOf(file({ subjects: [{ code: "0x12" }] }))).toEqual([error]);
  });
});

describe("stamps", () => {
  it("tell of everything by versions, verbs, actions, wording and tables of labels", () => {
    expect(stamps()).toEqual({ "*": expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(changedKeys(stamps(), stamps([], {}, { actions: new Map() }))).toEqual(["*"]);
    expect(changedKeys(stamps(), stamps([], {}, { verbs: new Map() }))).toEqual(["*"]);
    expect(changedKeys(stamps(), stamps([], {}, {}, { other: "words" }))).toEqual(["*"]);
    expect(changedKeys(stamps(), stamps([], { tokens: [1] }))).toEqual(["*"]);
  });

  it("are short hashes of what is said, which data bases hold", () => {
    const short = (...said: string[]) => digestOf(said.sort().join("\n")).slice(0, 16);
    const of = (length: number) => {
      const label = "x".repeat(length - '{"label":""}'.length);
      return stamps([], { names: [{ address: bob, label }] })[`at ${bob}`];
    };
    const text = (length: number) => `{"label":"${"x".repeat(length - 12)}"}`;
    expect(of(64)).toBe(short(text(64)));
    expect(of(65)).toBe(short(digestOf(text(65))));
    expect(of(66)).toBe(short(digestOf(text(66))));
    const both = stamps([], { names: [{ address: bob, label: "Bob" }], decimals: [{ address: bob, decimals: 6 }] });
    expect(both[`at ${bob}`]).toBe(short('{"label":"Bob"}', "decimals 6"));
  });

  it("describe labels by address, in any order", () => {
    const names = [
      { address: usdc, label: "USDC" },
      { address: bob, label: "Bob" },
    ];
    const decimals = [{ address: usdc, decimals: 6 }];
    const one = stamps([], { names: names.toReversed(), decimals });
    expect(Object.keys(one)).toEqual(["*", `at ${usdc}`, `at ${bob}`]);
    expect(changedKeys(one, stamps([], { names, decimals }))).toEqual([]);
    expect(changedKeys(one, stamps([], { names: [...names, ...names], decimals }))).toEqual([
      `at ${usdc}`,
      `at ${bob}`,
    ]);
    expect(changedKeys(one, stamps([], { names, decimals: [{ address: usdc, decimals: 7 }] }))).toEqual([`at ${usdc}`]);
    expect(changedKeys(stamps([], { names }), one)).toEqual([`at ${usdc}`]);
    expect(changedKeys(one, stamps([], { names: names.slice(0, 1), decimals }))).toEqual([`at ${bob}`]);
    // The order of facts does not count, even if all are about one address.
    const twice = [
      { address: bob, label: "Bob" },
      { address: bob, label: "Al" },
    ];
    expect(stamps([], { names: twice })).toEqual(stamps([], { names: twice.toReversed() }));
  });
});

describe("parts that are taken over from an earlier ruleset", () => {
  const holdingsOf = (from: string) => {
    const holds = new Holdings();
    const none = {
      explanation: { counterparties: [], assets_moved: [] },
      evidence: () => ({ calls: [], unclaimed_logs: [] }),
    };
    holds.add(caseOf({ transaction: { from } as never, receipt: { logs: [] } }), none as never);
    return holds.toBytes();
  };
  type Row = { first: number; last: number; part: string; holds: Uint8Array };
  const row = (first: number, holds = holdingsOf(alice)): Row => ({ first, last: first + 9, part: `p${first}`, holds });

  async function carry(
    rows: Record<string, Row[]>,
    files: [string, Parts][],
    covered: { first: number; last: number }[] = [],
  ) {
    const written: unknown[][] = [];
    const pages: unknown[][] = [];
    const ask = async (sql: string, values: readonly unknown[] = []) => {
      if (sql.startsWith("SELECT ruleset")) {
        expect(values).toEqual(["new", 20]);
        return { rows: files.map(([ruleset, stamp]) => ({ ruleset, files: stamp })), rowCount: null };
      }
      if (sql.startsWith("INSERT")) {
        written.push([...values]);
        return { rows: [], rowCount: 1 };
      }
      const [from, , , , first, last, limit] = values as [string, string, boolean, boolean, number, number, number];
      pages.push([...values]);
      const found = (rows[from] ?? []).filter((one) => one.first >= first && one.last <= last);
      return { rows: found.slice(0, limit), rowCount: null };
    };
    const options = { ruleset: "new", format: "parquet" as const, traces: true, state: false, first: 0, last: 9_999 };
    const carried = await carryOver(ask, { ...options, sources: { "*": "same", [`at ${bob}`]: "new" }, covered });
    return { carried, written: written.map((values) => values.slice(2, 4)), all: written, pages };
  }
  const like: Parts = { "*": "same" };

  it("hold nothing that changed, and cover what nothing else does", async () => {
    const rows = { old: [row(0), row(10, holdingsOf(bob)), row(20), row(30)] };
    const found = await carry(rows, [["old", like]], [{ first: 29, last: 30 }]);
    expect(found.carried).toBe(1);
    expect(found.all).toEqual([["new", "parquet", 0, 9, true, false, "p0"]]);
    expect(found.pages).toEqual([["old", "parquet", true, false, 0, 9_999, 50]]);
    expect((await carry(rows, [["old", like]], [{ first: 10, last: 19 }])).written).toEqual([
      [0, 9],
      [20, 29],
      [30, 39],
    ]);
    expect((await carry(rows, [["old", { ...like, [`at ${bob}`]: "new" }]])).carried).toBe(4);
  });

  it("do not come from a ruleset in which everything changed, and come from each block once", async () => {
    const rows = { old: [row(0)], older: [row(0), row(10)] };
    expect((await carry(rows, [["old", { "*": "other" }]])).pages).toEqual([]);
    const both = await carry(rows, [
      ["old", like],
      ["older", like],
    ]);
    expect([both.carried, both.written]).toEqual([
      2,
      [
        [0, 9],
        [10, 19],
      ],
    ]);
  });

  it("are read page by page", async () => {
    const rows = { old: Array.from({ length: 50 }, (_, i) => row(i * 10)) };
    const found = await carry(rows, [["old", like]]);
    expect([found.carried, found.pages.map((values) => values[4])]).toEqual([50, [0, 500]]);
    const more = await carry({ old: [...rows.old, row(500)] }, [["old", like]]);
    expect([more.carried, more.pages.length]).toEqual([51, 2]);
  });
});
