import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { tupleOf, type Value } from "../../src/abi/abi-type.ts";
import { compileReader, decode } from "../../src/abi/decoder.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { ActorCall } from "../../src/model/match.ts";
import type { Transaction } from "../../src/model/transaction.ts";
import type { CompiledUnwrapper, PackedField, UnwrapContext } from "../../src/ruleset/compiled.ts";
import { readItems } from "../../src/unwrap/call-items.ts";
import { CertainCalls, calldataMovements } from "../../src/unwrap/calldata-movements.ts";
import { isExact } from "../../src/unwrap/exact-encoding.ts";
import { ProvingLogs } from "../../src/unwrap/proving-logs.ts";
import { readSteps } from "../../src/unwrap/steps.ts";
import { alice, bob, carol, vault, zero } from "../support/case-of.ts";

const context: UnwrapContext = { caller: alice, to: vault, value: 0n, args: [], item: undefined };
const get = (value: Value | undefined) => () => value;
const tuple = (signature: string) => tupleOf(parseAbiParameters(signature) as never);
const uint = (value: number) => value.toString(16).padStart(64, "0");

describe("whether data is the exact encoding of what was read from it", () => {
  const marker = "8021".repeat(8);
  const check = (
    signature: string,
    values: unknown[],
    change: (digits: string) => string = (same) => same,
    suffix = 0,
  ) => {
    const type = tuple(signature);
    const written = encodeAbiParameters(parseAbiParameters(signature) as never, values as never).slice(2);
    const digits = change(written);
    const read = decode(compileReader(type), `0x${digits}`, 2);
    return read !== undefined && isExact(digits, type.items, read, suffix);
  };
  const shapes: [string, unknown[]][] = [
    ["uint256, address", [5n, bob]],
    ["bytes", ["0x1234"]],
    ["bytes, bytes", [`0x${"12".repeat(32)}`, "0x"]],
    ["string", ["näme"]],
    ["uint256[]", [[1n, 2n, 3n]]],
    ["uint256[2], bytes", [[1n, 2n], "0x12"]],
    ["bytes[2]", [["0x12", "0x"]]],
    [
      "(address to, bytes data)[]",
      [
        [
          { to: bob, data: "0x1234" },
          { to: carol, data: "0x" },
        ],
      ],
    ],
    ["(address to, uint256 value), bytes", [{ to: bob, value: 5n }, "0x12"]],
  ];

  it.each(shapes)("is so for %s, with a mark behind it or as many bytes as are let", (signature, values) => {
    expect(check(signature, values)).toBe(true);
    expect(check(signature, values, (digits) => `${digits}00`)).toBe(false);
    expect(check(signature, values, (digits) => `${digits}00`, 1)).toBe(true);
    expect(check(signature, values, (digits) => `${digits}0000`, 1)).toBe(false);
    expect(check(signature, values, (digits) => `${digits}12${marker}`)).toBe(true);
    expect(check(signature, values, (digits) => `${digits}12${marker}00`)).toBe(false);
  });

  it.each<[string, string, unknown[], (digits: string) => string]>([
    ["another offset", "bytes", ["0x1234"], (d) => `${uint(64)}${uint(0)}${d.slice(64)}`],
    ["dirty padding", "bytes", ["0x1234"], (d) => `${d.slice(0, -1)}1`],
    ["dirty padding at once", "bytes", ["0x1234"], (d) => `${d.slice(0, 132)}1${d.slice(133)}`],
    [
      "a gap between two",
      "bytes, bytes",
      ["0x12", "0x34"],
      (d) => `${d.slice(0, 64)}${uint(160)}${d.slice(128, 256)}${uint(0)}${d.slice(256)}`,
    ],
    ["one place for two", "bytes, bytes", ["0x12", "0x12"], (d) => `${uint(64)}${uint(64)}${d.slice(128)}`],
    ["text that is no UTF-8", "string", ["aa"], (d) => d.replace("6161", "ff61")],
    [
      "an offset inside of an array",
      "bytes[]",
      [["0x12"]],
      (d) => `${d.slice(0, 128)}${uint(64)}${uint(0)}${d.slice(192)}`,
    ],
  ])("is not so for %s", (_, signature, values, change) => expect(check(signature, values, change)).toBe(false));
});

describe("the elements that a wrapper carries", () => {
  const read = (each: object) => readItems(each as never, context);
  it("are one, the elements of an array, or rows of arrays of one length", () => {
    expect(read({ kind: "single" })).toEqual([undefined]);
    expect(read({ kind: "array", get: get([1n, 2n]) })).toEqual([1n, 2n]);
    expect(read({ kind: "array", get: get("0x12") })).toBeUndefined();
    const zip = (...columns: (Value | undefined)[]) => read({ kind: "zip", gets: columns.map(get) });
    expect(zip([1n, 2n], [3n, 4n])).toEqual([
      [1n, 3n],
      [2n, 4n],
    ]);
    expect(zip([1n, 2n], [3n])).toBeUndefined();
    expect(zip([1n], [3n, 4n])).toBeUndefined();
    expect(zip([1n], [2n], [3n, 4n])).toBeUndefined();
    expect(zip([1n, 2n], "0x")).toBeUndefined();
    expect(zip("0x", [1n, 2n])).toBeUndefined();
    expect(zip()).toBeUndefined();
    expect(zip([], [])).toEqual([]);
  });

  it("are encoded in bytes, exactly", () => {
    const data = (value: bigint[]) => encodeAbiParameters([{ type: "uint256[]" }], [value]);
    const each = { kind: "decode", types: tuple("uint256[] list"), array: true };
    expect(read({ ...each, get: get(data([5n, 6n])) })).toEqual([5n, 6n]);
    expect(read({ ...each, get: get(`${data([5n])}00`) })).toBeUndefined();
    expect(read({ ...each, get: get("0x12") })).toBeUndefined();
    expect(read({ ...each, get: get(5n) })).toBeUndefined();
    expect(read({ ...each, array: false, get: get(data([5n])) })).toEqual([[[5n]]]);
  });

  const field = (name: string, size: PackedField["size"], kind: PackedField["kind"]): PackedField => ({
    name,
    size,
    kind,
  });
  const layout = [
    field("to", 20, "address"),
    field("length", 1, "uint"),
    field("data", { lengthIn: "length" }, "bytes"),
  ];
  const packed = (digits: string, fields = layout, repeat = true) =>
    read({ kind: "packed", get: get(`0x${digits}`), layout: fields, repeat });

  it("are records laid end to end, to the last byte", () => {
    const one = `${bob.slice(2)}021234`;
    const two = `${carol.slice(2)}00`;
    expect(packed(one)).toEqual([[bob, 2n, "0x1234"]]);
    expect(packed(one + two)).toEqual([
      [bob, 2n, "0x1234"],
      [carol, 0n, "0x"],
    ]);
    expect(packed("")).toEqual([]);
    expect(packed(`${one}12`)).toBeUndefined();
    expect(packed(one.slice(0, -2))).toBeUndefined();
    expect(packed(`${bob.slice(2)}ff1234`)).toBeUndefined();
    expect(packed(one, layout, false)).toEqual([[bob, 2n, "0x1234"]]);
    expect(packed(one + two, layout, false)).toBeUndefined();
    expect(packed(one + two, [layout[0] as PackedField, field("rest", "rest", "bytes")], false)).toEqual([
      [bob, `0x021234${two}`],
    ]);
    expect(packed(bob.slice(2), [layout[0] as PackedField, field("rest", "rest", "uint")], false)).toEqual([[bob, 0n]]);
    expect(packed(one, [layout[0] as PackedField, field("data", { lengthIn: "other" }, "bytes")])).toBeUndefined();
  });

  it("are no more than the limit", () => {
    const most = limits.unwrappedCallsMax;
    const records = (count: number) => packed("07".repeat(count), [field("code", 1, "uint")]);
    expect(records(most)).toHaveLength(most);
    expect(records(most + 1)).toBeUndefined();
  });
});

describe("the steps of a program", () => {
  const meaning = (name: string, signature: string) => {
    const inputs = tuple(signature);
    const reader = compileReader(inputs);
    return { name, item: { hash: "0xaabbccdd", inputs, read: (data: string) => decode(reader, data, 10) } };
  };
  const [swap, pay] = [meaning("swap", "uint256 amount"), meaning("pay", "address to, bytes data")];
  const meanings = new Map<number, unknown[]>([
    [1, [pay, swap]],
    [2, [{ to: get(bob) }]],
    [3, [{ to: get("nobody") }, swap]],
  ]);
  const steps = (codes: Value | undefined, inputs: Value | undefined) =>
    readSteps(
      { kind: "steps", codes: get(codes), inputs: get(inputs), mask: 0x3f, mayFail: 0x80, meanings } as never,
      context,
    );
  const word = `0x${uint(5)}` as Hex;
  const swapped = { name: "swap", to: null, input: `0xaabbccdd${uint(5)}`, known: true, mayFail: false };

  it("are what their codes say, the first that fits", () => {
    expect(steps("0x01", [word])).toEqual([swapped]);
    expect(steps("0x81", [word])).toEqual([{ ...swapped, mayFail: true }]);
    expect(steps("0x41", [word])).toEqual([swapped]);
    expect(steps("0x02", ["0x12"])).toEqual([{ name: null, to: bob, input: "0x12", known: true, mayFail: false }]);
    expect(steps("0x03", [word])).toEqual([swapped]);
    const unknown = { to: null, input: "0x", known: false, mayFail: false };
    expect(steps("0x0107", ["0x12", word])).toEqual([
      { ...unknown, name: "0x01" },
      { ...unknown, name: "0x07" },
    ]);
    expect(steps("0x01", [`${word}00`])).toEqual([{ ...unknown, name: "0x01" }]);
    expect(steps("0xff", [word])).toEqual([{ ...unknown, name: "0x3f", mayFail: true }]);
  });

  it("are none where codes and inputs do not go together", () => {
    expect(steps("0x", [])).toEqual([]);
    for (const [codes, inputs] of [
      ["0x0101", [word]],
      ["0x", [word]],
      ["0x01", word],
      [1n, [word]],
      [undefined, []],
    ] as const)
      expect(steps(codes, inputs as Value)).toBeUndefined();
  });

  it("are one where the data is one step", () => {
    const one = (input: Value) => readSteps({ kind: "step", input: get(input), meaning: swap } as never, context);
    expect(one(word)).toEqual([swapped]);
    expect(one("0x12")).toEqual([{ name: "swap", to: null, input: "0x", known: false, mayFail: false }]);
    expect(one(5n)).toBeUndefined();
  });
});

describe("calls that ran as the calldata writes them", () => {
  const call = (id: number, parts: Partial<ActorCall> = {}): ActorCall => ({
    ...{ id, parent: id - 1, via: null, step: null, from: vault, actor: alice, to: bob, value: 5n, input: "0x" },
    ...{ delegate: false, state: "asserted", frame: -1, ...parts },
  });
  const root = call(0, { from: alice, to: vault, state: "executed" });
  const proof = (join: object[] = [{}]) => ({ event: { hash: "0xee" }, join });
  const wrapper = (parts: object = {}) =>
    ({ proof: proof(), gate: { kind: "set" }, bubbles: null, ...parts }) as unknown as CompiledUnwrapper;
  const isCertain = (inner: Partial<ActorCall>, unwrapper: CompiledUnwrapper, outer: Partial<ActorCall> = {}) => {
    const calls = [{ ...root, ...outer }, call(1, inner)] as [ActorCall, ActorCall];
    const certain = new CertainCalls(calls[0]);
    certain.add({ call: calls[1], outer: calls[0], unwrapper, context });
    return certain.has(calls[1], calls);
  };
  const bubbling = (bubbles: boolean, kind = "set") => wrapper({ proof: null, bubbles: () => bubbles, gate: { kind } });

  it("are shown by an event of the wrapper, or fail with it", () => {
    expect(isCertain({}, wrapper())).toBe(true);
    expect(isCertain({}, wrapper(), { state: "failed" })).toBe(false);
    expect(isCertain({ state: "failed" }, wrapper())).toBe(false);
    expect(isCertain({ from: carol }, wrapper())).toBe(false);
    expect(isCertain({ from: alice }, wrapper(), { delegate: true })).toBe(true);
    expect(isCertain({}, wrapper(), { delegate: true })).toBe(false);
    expect([true, false].map((bubbles) => isCertain({}, bubbling(bubbles)))).toEqual([true, false]);
    expect(isCertain({}, wrapper({ proof: null }))).toBe(false);
  });

  it("are an account's own at a wrapper that anybody can write", () => {
    expect(isCertain({}, bubbling(true, "any"))).toBe(false);
    expect(isCertain({}, bubbling(true, "any"), { actor: vault })).toBe(true);
    expect(isCertain({ from: alice }, bubbling(true, "any"), { actor: vault, delegate: true })).toBe(false);
    expect(isCertain({}, wrapper({ gate: { kind: "any" } }))).toBe(true);
  });

  it("are none where an event does not say which of two calls it is about", () => {
    const calls = [
      root,
      call(1, { parent: 0, to: vault }),
      call(2, { parent: 0 }),
      call(3, { parent: 1 }),
    ] as ActorCall[];
    const [, first, second, third] = calls as [ActorCall, ActorCall, ActorCall, ActorCall];
    const certain = new CertainCalls(root);
    certain.add({ call: first, outer: root, unwrapper: wrapper(), context });
    certain.add({ call: second, outer: root, unwrapper: wrapper({ proof: proof([]) }), context });
    expect(certain.has(second, calls)).toBe(true);
    certain.add({ call: third, outer: first, unwrapper: wrapper({ proof: proof([]) }), context });
    expect([first, second, third].map((one) => certain.has(one, calls))).toEqual([true, false, false]);
  });

  it("carry ether that neither a call tree nor a list shows", () => {
    const moved = (inner: Partial<ActorCall> = {}, parts: object = {}) => {
      const calls = [root, call(1, inner)] as [ActorCall, ActorCall];
      const certain = new CertainCalls(root);
      certain.add({ call: calls[1], outer: root, unwrapper: wrapper(), context });
      const tx = { nativeComplete: false, status: "success", movements: [{}, {}], ...parts } as unknown as Transaction;
      return calldataMovements(tx, calls, certain);
    };
    const native = { standard: "native", token: null, tokenId: null, amount: 5n, from: vault, to: bob };
    expect(moved()).toEqual([{ index: 2, ...native, log: -1, call: -1, fee: false, basis: "calldata" }]);
    for (const change of [
      { value: 0n },
      { delegate: true },
      { state: "executed" },
      { to: null },
      { to: zero },
      { to: vault },
      { from: carol },
    ] as const)
      expect(moved(change)).toEqual([]);
    expect(moved({}, { nativeComplete: true })).toEqual([]);
    expect(moved({}, { status: "reverted" })).toEqual([]);
  });
});

describe("logs that prove", () => {
  it("are of the event and the emitter, in order, read once", () => {
    let reads = 0;
    const read = (_: unknown, data: string) => {
      reads++;
      return data === "?" ? undefined : [data];
    };
    const event = { hash: "0xee", read };
    const logs = [
      { address: bob, topics: ["0xee"], data: "1" },
      { address: bob, topics: ["0xef"], data: "2" },
      { address: carol, topics: ["0xee"], data: "3" },
      { address: bob, topics: ["0xee"], data: "?" },
    ];
    const proving = new ProvingLogs({ logs } as unknown as Transaction);
    const of = (emitter: string) => proving.of(event as never, emitter);
    expect([of(bob), of(carol), of(alice), reads]).toEqual([[["1"], undefined], [["3"]], [], 3]);
  });
});
