import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { checkSignatures, seenInstead } from "../../../src/tools/lint/checks/proven-signature.ts";

const [home, other, stranger] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const word = (n: number) => n.toString(16).padStart(64, "0");
const topic = (n: number) => `0x${word(n)}`;
const [moved, move] = ["event Moved(uint256 indexed id, uint256 amount)", "function move(uint256 amount)"] as const;
const [event, call] = [parseSignature(moved), parseSignature(move)];
const gate = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });
const log = (address: string, ...topics: string[]) => ({ address, topics, data: topic(5) });

describe("what is there instead of what a rule asks for", () => {
  const seen = (anchors: object[], logs: object[], transaction: object = { to: null, input: "0x" }) =>
    seenInstead(anchors as never, { receipt: { logs }, transaction } as never);
  const onEvent = { kind: "event", event, gate: gate(home, other) };
  const onCall = { kind: "call", call, gate: gate(home) };
  const asked = `\`Moved(uint256,uint256)\` has the topic ${event.hash}, and `;
  const called = `\`move(uint256)\` has the selector ${call.hash}, and `;
  const nothing = "nothing of its contracts is there";

  it.each<[string, object[], string | undefined]>([
    ["no logs", [], `${asked}${nothing}`],
    ["logs of strangers", [log(stranger, topic(1))], `${asked}${nothing}`],
    ["one log", [log(home, topic(1), topic(2), topic(3))], `${asked}its contracts show ${topic(1)} with 2 more`],
    ["a log without topics", [log(other)], `${asked}its contracts show none with 0 more`],
    ["equal logs", [log(home, topic(1)), log(other, topic(1))], `${asked}its contracts show ${topic(1)} with 0 more`],
    [
      "more than three kinds",
      [1, 2, 3, 4].map((n) => log(home, topic(n))),
      `${asked}its contracts show ${[1, 2, 3].map((n) => `${topic(n)} with 0 more`).join(", ")}`,
    ],
    [
      "its topic in another place",
      [log(home, topic(1), event.hash)],
      `${asked}its contracts show ${topic(1)} with 1 more`,
    ],
    ["its topic of a stranger", [log(stranger, event.hash)], `${asked}${nothing}`],
    ["its topic", [log(home, topic(1)), log(other, event.hash)], undefined],
  ])("is told of an event: %s", (_what, logs, told) => {
    expect(seen([onEvent], logs)).toBe(told);
  });

  it.each<[string, object, string | undefined]>([
    ["another contract", { to: other, input: "0x12345678" }, `${called}${nothing}`],
    ["a new contract", { to: null, input: "0x12345678" }, `${called}${nothing}`],
    ["another function", { to: home, input: "0x123456789a" }, `${called}its contracts show 0x12345678`],
    ["the function", { to: home, input: `${call.hash}${word(1)}` }, undefined],
  ])("is told of a call: %s", (_what, transaction, told) => {
    expect(seen([onCall], [], transaction)).toBe(told);
  });

  it("is told of the first anchor at known contracts that is not there", () => {
    const untold = [
      { kind: "transfer" },
      { kind: "none" },
      { ...onEvent, gate: { kind: "any" } },
      { ...onCall, call: null },
    ];
    expect(seen([...untold, onCall, onEvent], [])).toBe(`${called}${nothing}`);
    expect(seen([onEvent, onCall], [log(home, event.hash)])).toBe(`${called}${nothing}`);
    expect([seen(untold, []), seen([], [])]).toEqual([undefined, undefined]);
  });
});

const tx = (n: number) => topic(n);

/** A folder with these recordings, by the number of their transaction. */
function recordings(cases: Record<number, object>): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-recordings-"));
  for (const [n, { logs = [], input = "0x", trace = {} }] of Object.entries(cases) as [string, Recorded][]) {
    const hash = tx(Number(n));
    const at = { from: home, to: null, blockNumber: "0x1", blockHash: topic(9) };
    const transaction = { hash, input, ...at };
    writeFileSync(
      join(dir, `${hash}.json`),
      JSON.stringify({
        version: 2,
        tx_hash: hash,
        transaction,
        receipt: { transactionHash: hash, logs, ...at },
        trace,
      }),
    );
  }
  return dir;
}

interface Recorded {
  logs?: object[];
  input?: string;
  trace?: object;
}

interface Given {
  abi?: Record<string, string>;
  anchors?: (items: Map<string, object>) => object[];
  written?: object;
  document?: object;
  cases?: Record<number, object>;
}

const examples = [1, 2, 3].map((n) => ({ tx: tx(n) }));

function told({ abi = { Moved: moved, move }, anchors, written, document, cases = {} }: Given) {
  const items = new Map(Object.entries(abi).map(([name, text]) => [name, parseSignature(text)]));
  const anchorsOf = anchors ?? (() => [...items.values()].map((item) => anchorOn(item)));
  const file = {
    written: { abi, ...written },
    document: { kind: "protocol", examples, ...document },
    scope: {
      abi: items,
      contracts: new Map([
        ["pool", [home]],
        ["vault", [other]],
      ]),
    },
    rules: anchorsOf(items).map((anchor) => ({ anchor })),
  };
  return [...checkSignatures(file as never, recordings(cases))];
}

function anchorOn(item: { kind: string }) {
  return item.kind === "event" ? { kind: "event", event: item, companion: null } : { kind: "call", call: item };
}

/** The function as a step of a program. */
function asStep(items: Map<string, object>, name: string): object {
  const step = { ...items.get(name), step: true };
  items.set(name, step);
  return step;
}

describe("signatures that nothing shows", () => {
  const open = (listed: string) => [["RL308", ["abi"], `no recording and no cited ABI shows ${listed}`, { key: true }]];
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, `function f${i}()`]));

  it.each([
    [1, "`f0`"],
    [2, "`f0` and `f1`"],
    [3, "`f0`, `f1` and `f2`"],
    [4, "`f0`, `f1`, `f2` and 1 more"],
    [6, "`f0`, `f1`, `f2` and 3 more"],
  ])("are listed: %d", (count, listed) => {
    expect(told({ abi: many(count) })).toEqual(open(listed));
  });

  it.each<[string, Given]>([
    ["of a file with a cited ABI", { written: { abi_source: "ex/book@0123456:A.sol" } }],
    ["of a standard", { document: { kind: "standard" } }],
    ["that are no anchors", { anchors: () => [{ kind: "none" }, { kind: "transfer" }, { kind: "call", call: null }] }],
    ["that the file takes over", { abi: { Moved: moved }, written: { abi: undefined } }],
    ["of steps", { abi: { move }, anchors: (items) => [{ kind: "call", call: asStep(items, "move") }] }],
  ])("are not told: %s", (_what, given) => {
    expect(told(given)).toEqual([]);
  });

  it("are also those of calls beside an event", () => {
    const companion = (items: Map<string, object>) => [
      { kind: "event", event: items.get("Moved"), companion: { call: [items.get("move")] } },
    ];
    expect(told({ anchors: companion })).toEqual(open("`Moved` and `move`"));
  });

  it.each<[string, Recorded, string | null]>([
    ["a log", { logs: [log(stranger, topic(1)), log(home, event.hash, topic(1))] }, "`move`"],
    ["a log of other parameters", { logs: [log(stranger, event.hash)] }, "`Moved` and `move`"],
    ["a call", { input: `${call.hash}${word(1)}` }, "`Moved`"],
    ["a call in a call", { input: `0x00${call.hash.slice(2)}` }, "`Moved`"],
    ["an inner call", { trace: { root: { input: "0x", calls: [{}, { calls: [{ input: call.hash }] }] } } }, "`Moved`"],
    ["both", { input: call.hash, logs: [log(stranger, event.hash, topic(1))] }, null],
  ])("are shown by %s", (_what, recorded, left) => {
    expect(told({ cases: { 2: recorded } })).toEqual(left === null ? [] : open(left));
  });

  it("are shown by recordings that sources and examples name, and that can be read", () => {
    const cases = { 7: { input: call.hash } };
    const abi = { move };
    const contracts = { pool: [{ source: ["ex/book@0123456:A.md", `tx:${tx(7)}`] }] };
    expect(told({ abi, cases })).toEqual(open("`move`"));
    expect(told({ abi, cases, written: { source: `tx:${tx(7)}#move` } })).toEqual([]);
    expect(told({ abi, cases, document: { contracts } })).toEqual([]);
    expect(told({ abi, cases, document: { examples: undefined } })).toEqual(open("`move`"));
    expect(told({ abi, cases, document: { examples: [{ given: {} }, { tx: tx(7) }] } })).toEqual([]);
  });
});

describe("events that a recording contradicts", () => {
  const written = { abi_source: "ex/book@0123456:A.sol" };
  const contradicted = (name: string, n: number, said: string) => [
    ["RL309", ["abi", name], `\`${name}\` is not what \`${tx(n).slice(0, 10)}…\` shows: ${said}`],
  ];
  const indexed = "other parameters are `indexed`";

  it.each<[string, Record<number, object>, unknown[]]>([
    [
      "with fewer topics",
      { 1: { logs: [log(stranger, event.hash), log(other, event.hash)] } },
      contradicted("Moved", 1, `the log has 1 topics, and the signature 2: ${indexed}`),
    ],
    [
      "in two recordings",
      { 2: { logs: [log(home, event.hash, topic(1), topic(2))] }, 3: { logs: [log(home, event.hash)] } },
      contradicted("Moved", 2, `the log has 3 topics, and the signature 2: ${indexed}`),
    ],
    [
      "with as many topics",
      { 3: { logs: [{ ...log(home, event.hash, topic(1)), data: "0x" }] } },
      contradicted("Moved", 3, indexed),
    ],
    ["of strangers alone", { 1: { logs: [log(stranger, event.hash)] } }, []],
    ["of another event", { 1: { logs: [log(home, topic(1))] } }, []],
    ["that is there", { 1: { logs: [log(home, event.hash, topic(1))] } }, []],
  ])("are told at the first: %s", (_what, cases, expected) => {
    expect(told({ abi: { move, Moved: moved }, written, cases })).toEqual(expected);
  });

  it("are not told where the file writes the event in both ways", () => {
    const cases = { 1: { logs: [log(home, event.hash), log(home, event.hash, topic(1))] } };
    const abi = { Moved: moved, Plain: "event Moved(uint256 id, uint256 amount)" };
    const logs = [{ ...log(home, event.hash), data: `0x${word(1)}${word(2)}` }];
    expect(told({ abi, written, cases: { 1: { logs } } })).toEqual([]);
    expect(told({ abi, written, cases }).map(([, path]) => path)).toEqual([
      ["abi", "Moved"],
      ["abi", "Plain"],
    ]);
  });
});
