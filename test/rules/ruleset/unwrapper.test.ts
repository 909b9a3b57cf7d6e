import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import type { CompiledUnwrapper } from "../../../src/rules/ruleset/compiled-unwrapper.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"];
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const alice = `0x${"a1".repeat(20)}`;
const bob = `0x${"b0".repeat(20)}`;
const items = `abi:
  run: "function run(address to, bytes data, uint256 value, uint8 kind, bytes codes, bytes[] inputs, address[] list, bool on)"
  Ran: "event Ran(address indexed who, bytes32 id, bool ok)"
  step1: "step ONE(address to)"
`;

function compile(entry: string, rest = "") {
  const text = marketFile(
    `${rest}wrappers:\n  - { id: u, call: run, ${entry.startsWith("at: ") ? "" : "at: any, "}${entry} }\n`,
  ).replace("abi:\n", items);
  const { files, diagnostics } = compileTexts({ market: text });
  const [unwrapper] = files.flatMap(({ unwrappers }) => unwrappers);
  return { unwrapper, found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`) };
}

function one(entry: string, rest?: string): CompiledUnwrapper {
  const { unwrapper, found } = compile(entry, rest);
  expect(found).toEqual([]);
  return unwrapper as CompiledUnwrapper;
}

const args: Value[] = [bob, "0x12", 7n, 1n, "0x0102", ["0xaa"], [alice, bob], true];
const context = { caller: alice, to: pool[0], value: 3n, args, item: [usdc, "0x99"] } as never;
const inner = "inner: { to: to, data: data }";

describe("an unwrapper", () => {
  it("has what it does not say by default", () => {
    const { id, call, gate, each, suffix, actor, proof, bubbles, feesTo, when, inner: held } = one(inner);
    expect({ id, name: call.name, gate, each, suffix, actor, proof, bubbles, feesTo, when }).toEqual({
      ...{ id: "market/u", name: "run", gate: { kind: "any" }, each: { kind: "single" }, suffix: 0, actor: null },
      ...{ proof: null, bubbles: null, feesTo: null, when: null },
    });
    expect([held.to(context), held.data(context), held.from(context), held.value(context), held.delegate]).toEqual([
      ...[bob, "0x12", pool[0], 0n, null],
    ]);
  });

  it("has what it says", () => {
    const said = one(
      "at: pool, suffix: 32, actor: to, fees_to: call.to, bubbles: true, when: { var: on }, inner: { from: call.from, to: call.to, value: call.value, data: codes, delegate: kind }",
    );
    expect([said.gate, said.suffix]).toEqual([{ kind: "set", addresses: new Set(pool) }, 32]);
    const read = [said.actor, said.feesTo, said.bubbles, said.when].map((get) => get?.(context));
    expect(read).toEqual([bob, pool[0], true, true]);
    const { from, to, value, data, delegate } = said.inner;
    expect([from, to, value, data, delegate].map((get) => get?.(context))).toEqual([alice, pool[0], 3n, "0x0102", 1n]);
    const asked = one(`bubbles: { "!": { var: on } }, ${inner}`);
    expect(asked.bubbles?.(context)).toBe(false);
  });

  it("proves its calls by an event", () => {
    const { proof } = one(`${inner}, proof: { event: Ran, join: { who: to, id: data }, ok: ok }`);
    expect(proof?.join.map(({ argument, get }) => [argument, get(context)])).toEqual([
      [0, bob],
      [1, "0x12"],
    ]);
    expect([proof?.event.name, proof?.ok, proof?.emitter(context)]).toEqual(["Ran", 2, pool[0]]);
    const plain = one(`${inner}, proof: { event: Ran, emitter: to }`).proof;
    expect([plain?.join, plain?.ok, plain?.emitter(context)]).toEqual([[], null, bob]);
  });
});

describe("where the calls of an unwrapper come from", () => {
  const held = "inner: { to: item.to, data: item.data }";
  it("is an array, or parallel arrays", () => {
    const { each, inner: ofItem } = one("each: list, inner: { to: item, data: data }");
    expect(each.kind === "array" && each.get(context)).toEqual([alice, bob]);
    expect(ofItem.to({ ...(context as object), item: usdc } as never)).toBe(usdc);
    const zip = one(`each: { zip: { to: list, data: inputs } }, ${held}`);
    expect(zip.each.kind === "zip" && zip.each.gets.map((get) => get(context))).toEqual([[alice, bob], ["0xaa"]]);
    expect([zip.inner.to(context), zip.inner.data(context)]).toEqual([usdc, "0x99"]);
  });

  it("is packed bytes, read field by field", () => {
    const layout = (text: string, more = "") => {
      const { each } = one(
        `each: { packed: data, layout: "${text}"${more} }, inner: { to: item.to, data: item.data, value: item.v }`,
      );
      if (each.kind !== "packed") throw new Error("packed bytes were expected");
      return [each.layout, each.repeat, each.get(context)];
    };
    const fields = [
      { name: "kind", size: 1, kind: "uint" },
      { name: "to", size: 20, kind: "address" },
      { name: "v", size: 32, kind: "uint" },
      { name: "n", size: 4, kind: "uint" },
    ];
    const text = "uint8 kind, address to, uint256 v, uint32 n";
    expect(layout(`${text}, bytes[n] data`)).toEqual([
      [...fields, { name: "data", size: { lengthIn: "n" }, kind: "bytes" }],
      ...[true, "0x12"],
    ]);
    expect(layout(`${text},bytes[rest] data`, ", repeat: false")).toEqual([
      [...fields, { name: "data", size: "rest", kind: "bytes" }],
      ...[false, "0x12"],
    ]);
  });

  it("is packed bytes of sixteen fields at most", () => {
    const layout = (count: number) => Array.from({ length: count }, (_, i) => `uint8 f${i}`).join(", ");
    const told = (count: number) =>
      compile(`each: { packed: data, layout: "${layout(count)}" }, inner: { to: to, data: data }`).found;
    expect(told(16)).toEqual([]);
    expect(told(17)).toEqual([expect.stringMatching(/^RL312 .*: the packed layout does not parse$/)]);
  });

  it("is bytes that are decoded: a list of calls, or one", () => {
    const list = one(`each: { decode: data, as: "(address to, bytes data)[] calls" }, ${held}`);
    expect(list.each).toMatchObject({ kind: "decode", array: true });
    const single = one(`each: { decode: data, as: "address to, bytes data" }, ${held}`);
    expect(single.each).toMatchObject({ kind: "decode", array: false, types: { names: ["to", "data"] } });
    expect([list, single].map((each) => [each.inner.to(context), each.inner.data(context)])).toEqual([
      [usdc, "0x99"],
      [usdc, "0x99"],
    ]);
  });

  it("is a program of steps, which run in the frame of the contract", () => {
    const rest = `programs: { t: { mask: '0x3f', may_fail: '0x80', of: { '0x01': step1, '0x02': [step1, move], '0x03': { call: args.to }, '0x04': { call: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' } } }, plain: { of: { '0x05': step1 } } }\n`;
    const { each, inner: held } = one("each: { steps: t, codes: codes, inputs: inputs }", rest);
    if (each.kind !== "steps") throw new Error("steps were expected");
    expect([each.mask, each.mayFail, each.codes(context), each.inputs(context)]).toEqual([63, 128, "0x0102", ["0xaa"]]);
    const meanings = [...each.meanings].map(([code, list]) => [
      code,
      list.map((meaning) => ("to" in meaning ? meaning.to(context) : `${meaning.name} ${meaning.item.name}`)),
    ]);
    expect(meanings).toEqual([
      [1, ["step1 ONE"]],
      [2, ["step1 ONE", "move move"]],
      [3, [bob]],
      [4, [usdc]],
    ]);
    expect([held.to, held.data, held.from, held.value].map((get) => get(context))).toEqual([pool[0], "0x", alice, 0n]);
    expect(held.delegate).toBeNull();
    const plain = one("each: { steps: plain, codes: codes, inputs: inputs }", rest).each;
    expect(plain).toMatchObject({ kind: "steps", mask: 255, mayFail: 0 });
    const step = one("each: { step: step1, input: data }").each;
    expect(step).toMatchObject({ kind: "step", meaning: { name: "step1", item: { name: "ONE", step: true } } });
    expect(step.kind === "step" && step.input(context)).toBe("0x12");
  });
});

describe("an unwrapper is refused", () => {
  const unread = (each: string) => `each: ${each}, inner: { to: to, data: data }`;
  it.each<[string, string[]]>([
    ["suffix: 1", ["`inner` says where the calls are"]],
    ["each: { step: step1, input: data }, inner: { to: to, data: data }", ["steps have no `inner`"]],
    [
      "inner: { to: data, data: to }",
      ["`args.data` is bytes, address was expected", "`args.to` is address, bytes was expected"],
    ],
    ["inner: { to: data, data: data }", ["`args.data` is bytes, address was expected"]],
    ["inner: { to: to, data: to }", ["`args.to` is address, bytes was expected"]],
    [unread("args.to"), ["`args.to` is address, array was expected"]],
    [unread("{ zip: { a: list, b: to } }"), ["`args.to` is address, array was expected"]],
    [unread("{ packed: to, layout: 'uint8 a' }"), ["`args.to` is address, bytes was expected"]],
    [unread("{ packed: data, layout: 'int8 a' }"), ["the packed layout does not parse"]],
    [unread("{ decode: to, as: 'address a' }"), ["`args.to` is address, bytes was expected"]],
    [unread("{ decode: data, as: 'address' }"), ["the type list does not parse: parameter 1 has no name"]],
    ["each: { step: step1, input: to }", ["`args.to` is address, bytes was expected"]],
    ["each: { step: Ran, input: data }", ["`Ran` is an event, a function was expected"]],
  ])("%s", (entry, messages) => {
    const { unwrapper, found } = compile(entry);
    expect(unwrapper).toBeUndefined();
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual(messages);
  });

  it.each<[string, string]>([
    ["each: { steps: t, codes: to, inputs: inputs }", "`args.to` is address, bytes was expected"],
    ["each: { steps: t, codes: codes, inputs: to }", "`args.to` is address, array was expected"],
    ["each: { steps: constructor, codes: codes, inputs: inputs }", "`constructor` is no table of this file's steps"],
  ])("with its program: %s", (entry, message) => {
    const { unwrapper, found } = compile(entry, `programs: { t: { of: { '0x01': step1 } } }\n`);
    expect([unwrapper, found.map((line) => line.slice(line.indexOf(": ") + 2))]).toEqual([undefined, [message]]);
  });

  it("has only those steps whose contract is known", () => {
    const rest = `programs: { t: { of: { '0x01': { call: args.data }, '0x02': { call: args.to }, '0x03': [step1, nope] } } }\n`;
    const { unwrapper, found } = compile("each: { steps: t, codes: codes, inputs: inputs }", rest);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual([
      "`args.data` is bytes, address was expected",
      "`nope` is not in this file's abi",
    ]);
    const meanings = unwrapper?.each.kind === "steps" ? [...unwrapper.each.meanings] : [];
    expect(meanings.map(([code, list]) => [code, list.length])).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });

  it.each<[string, string[]]>([
    [`${inner}, proof: { event: run }`, ["`run` is a function, an event was expected"]],
    [`${inner}, proof: { event: Ran, ok: okay }`, ["`okay` is not among the arguments of `Ran`"]],
    [
      `${inner}, proof: { event: Ran, join: { who: on, whom: to } }`,
      ["`args.on` is bool, address or uint or bytes was expected", "`whom` is not among the arguments of `Ran`"],
    ],
  ])("or a part of it: %s", (entry, messages) => {
    const { unwrapper, found } = compile(entry);
    expect([unwrapper?.proof?.ok ?? null, unwrapper?.proof?.join ?? []]).toEqual([null, []]);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual(messages);
  });
});
