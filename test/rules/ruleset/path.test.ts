import { describe, expect, it } from "vitest";
import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { compilePath, PathMistake } from "../../../src/rules/ruleset/compile/paths/path.ts";
import { bob, event, items, pool, scope, source } from "./path-scope.ts";

const word = (digits: string) => digits.padStart(64, "0");
const owner = `0x${"cd".repeat(32)}`;
const [sendHash, keepHash] = items.map(([, { hash }]) => hash);
const sent = `${sendHash}${word(bob.slice(2))}${owner.slice(2)}${word("7")}`;
const kept = `${keepHash}${owner.slice(2)}${word("40")}${word("64")}${sent.slice(2).padEnd(256, "0")}`;
const planned = `0x${word(pool.slice(2))}${word("40")}${word("1")}${word("20")}${word("64")}${sent.slice(2).padEnd(256, "0")}`;

describe("bytes are read as a call", () => {
  const read = (path: string, data: unknown) => {
    const compiled = compilePath(path, scope);
    return [compiled.type, compiled.get({ ...source, args: [bob, 5n, [], "0x", data] } as never)];
  };

  it("of a function of abi, or of whichever has the argument, itself or in a struct", () => {
    expect(read("args.data.as.send.to", sent)).toEqual(["address", bob]);
    expect(read("args.data.as.send.order.size", sent)).toEqual(["uint", 7n]);
    expect(read("args.data.as.any.owner", sent)).toEqual(["bytes", owner]);
    expect(read("args.data.as.any.owner", kept)).toEqual(["bytes", owner]);
    expect(read("args.data.as.any.order.size", sent)).toEqual(["uint", 7n]);
    expect(read("args.data.as.any.size", sent)).toEqual(["uint", 7n]);
  });

  it("of a step, whose input has no selector, and of bytes inside", () => {
    expect(read("args.data.as.plan.to", planned)).toEqual(["address", pool]);
    expect(read("args.data.as.plan.parts.0.as.send.to", planned)).toEqual(["address", bob]);
    expect(read("args.data.as.keep.inner.as.any.owner", kept)).toEqual(["bytes", owner]);
  });

  it("of a transaction too", () => {
    const call = { ...source.call, input: sent };
    expect(compilePath("call.data.as.send.to", scope).get({ ...source, call } as never)).toBe(bob);
  });

  it("and give nothing where they are none", () => {
    for (const data of [kept, "0x", sent.slice(0, -64), undefined, `${sendHash}00`])
      expect(read("args.data.as.send.to", data)).toEqual(["address", undefined]);
    expect(read("args.data.as.any.owner", planned)).toEqual(["bytes", undefined]);
    expect(read("args.data.as.plan.to", "0x")).toEqual(["address", undefined]);
  });
});

describe("a path reads", () => {
  it.each<[string, string, unknown]>([
    ["args.who", "address", bob],
    ["args.amount", "uint", 5n],
    ["args.orders.length", "uint", 2n],
    ["args.orders.0.token", "address", pool],
    ["args.orders.-1.token", "address", bob],
    ["args.orders.0.parts.1", "uint", 2n],
    ["args.orders.5.token", "address", undefined],
    ["args.orders.(args.orders.0.parts.0).token", "address", bob],
    ["args.orders.(args.orders.0.parts.1).token", "address", undefined],
    ["args.orders.(args.orders.5.parts.0).token", "address", undefined],
    ["args.orders.0.parts.(count.E)", "uint", 2n],
    ["args.orders.1.parts.0", "uint", undefined],
    ["args.word.address", "address", bob],
    ["args.word.length", "uint", 32n],
    ["args.data.addressAt.2", "address", pool],
    ["args.data.addressAt.-21", "address", pool],
    ["args.data.addressAt.9", "address", undefined],
    ["args.data.addressAt.-99", "address", undefined],
    ["args.data.uintAt.0.2", "uint", 0x0102n],
    ["args.data.bytesAt.0.2", "bytes", "0x0102"],
    ["args.data.bytesAt.-1.1", "bytes", "0xff"],
    ["args.data.bytesAt.20.99", "bytes", undefined],
    ["args.data.uintAt.-1.1", "uint", 0xffn],
    ["call.data.bytesAt.4.2", "bytes", "0x0506"],
    ["call.data.uintAt.0.4", "uint", 0x01020304n],
    ["call.data.length", "uint", 6n],
    ["call.data.addressAt.4", "address", undefined],
    ["args.packed.address", "address", bob],
    ["args.packed.addressAt.-20", "address", bob],
    ["args.packed.addressAt.12", "address", bob],
    ["args.packed.uintAt.-1.1", "uint", 0xb0n],
    ["input.note", "string", "hi"],
    ["emitter", "address", pool],
    ["call.value", "uint", 3n],
    ["contracts.pool", "address", pool],
    ["count.E", "uint", 1n],
    ["legs.paid.token", "address", "native"],
    ["legs.paid.amount", "uint", 7n],
    ["legs.paid.id", "uint", undefined],
    ["subject", "address", bob],
    ["native", "address", "native"],
    ["target", "address", pool],
    ["tx.creates", "bool", false],
    ["tx.created", "address", undefined],
    ["tx.logs", "uint", 1n],
    ["tx.authorizations", "uint", 1n],
    ["flow.given", "address", pool],
    ["flow.given_id", "uint", 4n],
    ["flow.gotten", "address", "native"],
    ["flow.gotten_amount", "uint", 2n],
    ["flow.gotten_id", "uint", undefined],
    ["flow.sender", "address", undefined],
    ["flow.recipients", "uint", 1n],
    ["flow.burned", "bool", true],
  ])("%s", (path, type, value) => {
    const compiled = compilePath(path, scope);
    expect({ type: compiled.type, value: compiled.get(source) }).toEqual({ type, value });
  });

  it("who delegated to what, of an authorization only", () => {
    const authorization = { authority: bob, delegate: pool };
    const read = (path: string, given: typeof authorization | { authority: null; delegate: typeof pool }) =>
      compilePath(path, { ...scope, anchor: "authorization" }).get({ ...source, authorization: given } as never);
    expect([read("authority", authorization), read("delegate", authorization)]).toEqual([bob, pool]);
    expect(read("authority", { authority: null, delegate: pool })).toBeUndefined();
    expect(() => compilePath("authority", scope)).toThrow(PathMistake);
  });

  it("no address out of a word that holds more than one", () => {
    const compiled = compilePath("args.word.address", scope);
    expect(compiled.get({ ...source, args: [null, null, null, `0x${"11".repeat(32)}`] } as never)).toBeUndefined();
    expect(
      compilePath("args.packed.address", scope).get({
        ...source,
        args: [null, null, null, null, null, 1n << 160n],
      } as never),
    ).toBeUndefined();
  });

  it("an address out of text that is one, however it is written, and out of no other text", () => {
    const read = (note: string) => compilePath("input.note.address", scope).get({ ...source, input: [note] } as never);
    expect([read(bob), read(bob.toUpperCase().replace("X", "x")), read(` ${bob}`), read("hi")]).toEqual([
      bob,
      bob,
      undefined,
      undefined,
    ]);
  });

  it("nothing where there is no log, call or decoded data", () => {
    const empty = { ...source, args: null, input: null, log: null, call: null, legs: [null] } as never;
    const paths = ["args", "input", "args.who", "args.orders.0.token", "args.data.length", "emitter", "call.to"];
    for (const path of [...paths, "legs.paid.from"]) expect(compilePath(path, scope).get(empty)).toBeUndefined();
  });

  it("an element of an unwrapper", () => {
    const item = event.inputs.items[2] as typeof event.inputs;
    const one = compilePath("item.0.token", { ...scope, item });
    expect(one.get({ ...(source as object), item: [[pool, []]] } as never)).toBe(pool);
    expect(compilePath("item", { ...scope, item })).toMatchObject({ type: "array", layout: item });
  });

  it("no address in bytes that are no word", () => {
    const { inputs } = parseSignature("function g(bytes4 short)") as FunctionItem;
    expect(() => compilePath("args.short.address", { ...scope, args: inputs })).toThrow(PathMistake);
  });

  it("the number of logs that the contract may make", () => {
    const counted = compilePath("count.E", scope);
    expect(counted.get({ ...(source as object), admits: () => false } as never)).toBe(0n);
    expect(compilePath("args.word", scope)).toMatchObject({ type: "bytes" });
  });
});
