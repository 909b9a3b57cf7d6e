import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { isSender, partsOf } from "../../../src/rules/ruleset/capture-parts.ts";
import { captureTypes, fieldKeys } from "../../../src/rules/ruleset/compile/capture.ts";
import type { CompiledCapture } from "../../../src/rules/ruleset/compiled.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const bob = `0x${"b0".repeat(20)}`;
const item =
  '  act: "function act(address to, uint256 n, int256 i, bytes data, string text, bool on, uint256[] list, address[] who)"\n';
const args: Value[] = [bob, 7n, -7n, "0x1234", "words", true, [1n, 2n], [bob, usdc]];
const context = { args, call: { to: pool } } as never;

function compile(capture: string) {
  const rule = `{ id: a, action: stake, anchor: { call: act }, at: pool, values: { x: ${capture} }, say: "stake {x}" }`;
  const text = marketFile(`rules:\n  - ${rule}\n`).replace("abi:\n", `abi:\n${item}`);
  const { files, diagnostics } = compileTexts({ market: text });
  return {
    capture: files[0]?.rules[0]?.captures.get("x"),
    found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`),
  };
}

function one(capture: string): CompiledCapture {
  const { capture: compiled, found } = compile(capture);
  expect(found).toEqual([]);
  return compiled as CompiledCapture;
}

/** The capture with what its getters read. */
function read(capture: CompiledCapture): object {
  return Object.fromEntries(
    Object.entries(capture).map(([name, part]) => [name, typeof part === "function" ? part(context) : part]),
  );
}

describe("a capture", () => {
  it.each<[string, object]>([
    ["{ address: to }", { kind: "address", get: bob, sender: [] }],
    [
      '{ address: to, sender: ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"] }',
      { kind: "address", get: bob, sender: [usdc] },
    ],
    ['{ address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }', { kind: "address", get: usdc, sender: [] }],
    ["{ other: to }", { kind: "other", get: bob, far: null }],
    ["{ token: to }", { kind: "token", get: bob }],
    ["{ amount: n, of: to }", { kind: "amount", get: 7n, token: bob, cap: null, limit: null }],
    ["{ at_least: n, of: to }", { kind: "amount", get: 7n, token: bob, cap: null, limit: "least" }],
    ["{ at_most: i, of: native }", { kind: "amount", get: -7n, token: "native", cap: null, limit: "most" }],
    [
      '{ amount: n, of: to, cap: "5", capped: all }',
      { kind: "amount", get: 7n, token: bob, cap: { from: 5n, word: "all" }, limit: null },
    ],
    ["{ integer: i }", { kind: "integer", get: -7n }],
    ["{ number: n }", { kind: "number", get: 7n }],
    ["{ bytes: data }", { kind: "bytes", get: "0x1234" }],
    ["{ text: text }", { kind: "text", get: "words" }],
    ["{ boolean: on }", { kind: "boolean", get: true }],
    ["{ time: n }", { kind: "time", get: 7n, clock: false }],
    ["{ time: n, precision: second }", { kind: "time", get: 7n, clock: true }],
    ["{ duration: n }", { kind: "duration", get: 7n }],
    ["{ chain: n }", { kind: "chain", get: 7n, scheme: "eip155" }],
    ["{ chain: text, scheme: axelar }", { kind: "chain", get: "words", scheme: "axelar" }],
    ["{ percent: n }", { kind: "percent", get: 7n, scale: 100n }],
    ['{ percent: n, scale: "10000" }', { kind: "percent", get: 7n, scale: 10_000n }],
    ["{ quantity: n }", { kind: "quantity", get: 7n, decimals: 0, unit: null }],
    ["{ quantity: n, decimals: '3', unit: GB }", { kind: "quantity", get: 7n, decimals: 3, unit: "GB" }],
    ["{ nft: to, id: n }", { kind: "nft", token: bob, id: 7n }],
    [
      '{ enum: n, values: { "7": seven, "8": eight } }',
      {
        kind: "enum",
        get: 7n,
        values: new Map([
          ["7", "seven"],
          ["8", "eight"],
        ]),
        other: null,
      },
    ],
    [
      '{ enum: on, values: { "true": yes }, default: no }',
      { kind: "enum", get: true, values: new Map([["true", "yes"]]), other: "no" },
    ],
    ["{ enum: n }", { kind: "enum", get: 7n, values: new Map(), other: null }],
    ["{ flow: gets }", { kind: "flow", side: "gets" }],
    ["{ flow: gives }", { kind: "flow", side: "gives" }],
    ["{ const: some words }", { kind: "const", text: "some words" }],
    ["{ count: Moved, at: any }", { kind: "count", gate: { kind: "any" }, where: null }],
  ])("%s", (capture, expected) => {
    const { event, ...compiled } = read(one(capture)) as { event?: { name: string } };
    expect(compiled).toEqual(expected);
    expect(event?.name).toBe(capture.includes("count") ? "Moved" : undefined);
  });

  it("of logs counts those of its contracts for which its condition holds", () => {
    const compiled = one('{ count: Moved, at: pool, where: { ">": [{ var: amount }, "3"] } }');
    if (compiled.kind !== "count") throw new Error("a count was expected");
    expect(compiled.gate).toMatchObject({ kind: "set" });
    expect([compiled.where?.([bob, bob, 4n]), compiled.where?.([bob, bob, 3n])]).toEqual([true, false]);
  });

  it.each<[string, Value, unknown]>([
    ["args.data", `0x${"b0".repeat(20)}`, bob],
    ["args.data", `0x${"00".repeat(12)}${"b0".repeat(20)}`, bob],
    ["args.data", `0x01${"00".repeat(11)}${"b0".repeat(20)}`, undefined],
    ["args.data", `0x${"00".repeat(12)}${"b0".repeat(21)}`, undefined],
    ["args.data", "0x", undefined],
    ["args.text", bob.toUpperCase().replace("X", "x"), bob],
    ["args.text", "osmo1abc", undefined],
  ])("of an account in %s %#: the address, and what was written", (path, value, address) => {
    const compiled = one(`{ other: ${path} }`);
    if (compiled.kind !== "other") throw new Error("an account was expected");
    const given = { args: args.with(path === "args.data" ? 3 : 4, value) } as never;
    const { get, ...far } = compiled.far ?? {};
    expect([compiled.get(given), get?.(given), far]).toEqual([
      address,
      value,
      { text: path === "args.text", on: null },
    ]);
  });

  it("of an account names the capture of its chain, which must be one", () => {
    const captures = (more: string) => `{ other: data, on: c }, ${more}`;
    const far = (text: string) => {
      const { capture, found } = compile(text);
      return [capture?.kind === "other" ? capture.far?.on : undefined, found.map((said) => said.replace(/^[^`]*/, ""))];
    };
    expect(far(captures("c: { chain: n }"))).toEqual(["c", []]);
    expect(far(captures("c: { const: Solana }"))).toEqual(["c", []]);
    expect(far(captures("c: [{ chain: n }, { const: Solana }]"))).toEqual(["c", []]);
    expect(far(captures("c: [{ chain: n }, { integer: n }]"))[1]).toHaveLength(1);
    expect(far(captures("c: { integer: n }"))).toEqual(["c", ["`c` names no value of a chain"]]);
    expect(far("{ other: data, on: d }, c: { chain: n }")[1]).toEqual(["`d` names no value of a chain"]);
    expect(compile("{ other: to, on: c }, c: { chain: n }").found).toEqual([
      expect.stringContaining("an address of this chain needs no `on`"),
    ]);
  });

  it("has the types and companions of the language", () => {
    const types = "address amount at_least at_most boolean bytes chain const count duration enum flow hash";
    const more = "integer nft number other percent phrase quantity text time token";
    expect([...captureTypes].sort()).toEqual(`${types} ${more}`.split(" "));
    expect(fieldKeys).toEqual(["label", "when", "each"]);
  });

  it("may stand in a list, and have words, a condition or an array around it", () => {
    const list = one("[{ text: text }, { integer: n, label: about }]");
    if (list.kind !== "list") throw new Error("a list was expected");
    expect(list.items.map(({ kind }) => kind)).toEqual(["text", "field"]);
    expect(list.items[1]).toMatchObject({ label: "about", when: null, each: null, value: { kind: "integer" } });
    expect(one("{ integer: n, when: { var: on } }")).toMatchObject({ kind: "field", label: null });
    expect(one("{ each: list, integer: item }")).toMatchObject({
      each: { kind: "array" },
      label: null,
      when: null,
    });
  });
});

describe("the values that a capture tells", () => {
  const values = (capture: string) =>
    partsOf(one(capture), context).map((part) => ("get" in part.capture ? part.capture.get(part.context) : null));

  it("are those of its list, and of the elements that are told", () => {
    expect(values("{ integer: n }")).toEqual([7n]);
    expect(values("[{ text: text }, { each: list, integer: item }, { integer: n }]")).toEqual([
      ...["words", 1n, 2n, 7n],
    ]);
    expect(values('{ each: list, when: { ">": [{ var: item }, "1"] }, integer: item }')).toEqual([2n]);
    expect(values("{ integer: n, when: { '!': { var: on } } }")).toEqual([]);
    expect(values("{ each: { zip: { a: list, b: who } }, address: item.b }")).toEqual([bob, usdc]);
  });

  it.each([
    [true, true, 1],
    [true, false, 0],
    [false, true, 0],
    [false, false, 0],
  ])("are told where all that `when` asks holds: of the call %s, of what moved %s", (on, minted, count) => {
    const capture = one("{ integer: n, when: [{ var: on }, { var: flow.minted }] }");
    expect(partsOf(capture, { args: args.with(5, on), flow: { minted } } as never)).toHaveLength(count);
  });

  it("know which address stands for the sender", () => {
    const address = one('{ address: to, sender: ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"] }');
    const is = (capture: CompiledCapture, text: string) => isSender(capture, text as never);
    expect([is(address, usdc), is(address, bob), is(one("{ token: to }"), usdc)]).toEqual([true, false, false]);
  });
});

describe("a capture is refused, and left out", () => {
  const expected = (path: string, type: string, wanted: string) => `\`${path}\` is ${type}, ${wanted} was expected`;
  it.each<[string, string]>([
    ["{ address: n }", expected("args.n", "uint", "address")],
    ["{ other: n }", expected("args.n", "uint", "address or bytes or string")],
    ["{ token: n }", expected("args.n", "uint", "address")],
    ["{ integer: to }", expected("args.to", "address", "uint or int")],
    ["{ at_least: to, of: to }", expected("args.to", "address", "uint or int")],
    ["{ at_most: n, of: n }", expected("args.n", "uint", "address")],
    ["{ at_most: n }", "an amount needs `of`: the path of its token"],
    ["{ bytes: to }", expected("args.to", "address", "bytes")],
    ["{ text: to }", expected("args.to", "address", "string")],
    ["{ boolean: to }", expected("args.to", "address", "bool")],
    ["{ time: i }", expected("args.i", "int", "uint")],
    ["{ duration: i }", expected("args.i", "int", "uint")],
    ["{ chain: on }", expected("args.on", "bool", "uint or string or bytes")],
    [
      "{ enum: list, values: { '1': a } }",
      expected("args.list", "array", "uint or int or bool or string or bytes or address"),
    ],
    ["{ percent: to }", expected("args.to", "address", "uint or int")],
    ["{ quantity: to }", expected("args.to", "address", "uint or int")],
    ["{ nft: n, id: n }", expected("args.n", "uint", "address")],
    ["{ nft: to, id: i }", expected("args.i", "int", "uint")],
    ["{ count: act }", "`act` is a function, an event was expected"],
    ["{ integer: to, label: about }", expected("args.to", "address", "uint or int")],
    ["[{ integer: n }, { integer: to }]", expected("args.to", "address", "uint or int")],
    ["{ each: to, integer: n }", expected("args.to", "address", "array")],
    ["{ each: { zip: { a: list, b: to } }, integer: item.a }", expected("args.to", "address", "array")],
    ["{ each: list, address: item }", expected("item", "uint", "address")],
    // What is no address is not written out.
    ...["integer", "hash", "text", "enum"].map((type): [string, string] => [
      `{ ${type}: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }`,
      "`0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913` names nothing",
    ]),
  ])("%s", (capture, message) => {
    const { capture: compiled, found } = compile(capture);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual([message]);
    expect(compiled).toBeUndefined();
  });

  it("at the place that is wrong", () => {
    const places = (capture: string) => compile(capture).found.map((line) => line.slice(0, line.indexOf(": ")));
    expect(places("[{ integer: n }, { integer: to }]")).toEqual(["RL304 19:103-19:105"]);
    expect(places("{ each: { zip: { a: list, b: to } }, integer: item.a }")).toEqual(["RL304 19:104-19:106"]);
    expect(places("{ each: to, integer: item }")).toEqual(["RL304 19:83-19:85"]);
  });
});
