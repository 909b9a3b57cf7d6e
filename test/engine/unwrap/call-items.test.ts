import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { readItems } from "../../../src/engine/unwrap/call-items.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import type { PackedField } from "../../../src/rules/ruleset/compiled-unwrapper.ts";
import { bob, carol } from "../../support/case-of.ts";
import { context, get, tuple } from "./read-values.ts";

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
