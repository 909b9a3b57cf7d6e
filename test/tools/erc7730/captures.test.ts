import { describe, expect, it } from "vitest";
import { usdc } from "../../support/case-of.ts";
import { captured, coin, reported, some, someone, there } from "./captured-field.ts";
import { vault } from "./descriptor-folder.ts";
import { fieldsOf } from "./read-intents.ts";

describe("a value is captured", () => {
  it.each<[string, object, object]>([
    ["uint256 a", { path: "a" }, { capture: { integer: "args.a" } }],
    ["int8 a", { path: "a", format: "raw" }, { capture: { integer: "args.a" } }],
    ["bool a", { path: "a" }, { capture: { enum: "args.a", values: { true: "true", false: "false" } } }],
    ["string a", { path: "a" }, { capture: { text: "args.a" }, where: [{ "!=": [{ var: "args.a" }, ""] }] }],
    ["address a", { path: "a" }, { capture: { address: "args.a" }, where: [someone("args.a")] }],
    ["bytes a", { path: "a" }, { capture: { bytes: "args.a" } }],
    ["uint256[] a", { path: "a.[1]" }, { capture: { integer: "args.a.1" }, where: [there("args.a.1", "0")] }],
    ["bytes[] a", { path: "a" }, { capture: { bytes: "item" }, each: "args.a" }],
    [
      "uint256 a",
      { path: "a", format: "amount" },
      { capture: { amount: "args.a", of: "native" }, where: [some("args.a")] },
    ],
    ["uint256 a", { path: "a", format: "duration" }, { capture: { duration: "args.a" } }],
    ["uint256 a", { path: "a", format: "chainId" }, { capture: { chain: "args.a" } }],
    [
      "uint256 a",
      { path: "a", format: "date" },
      { capture: { time: "args.a", precision: "second" }, where: [some("args.a")] },
    ],
    [
      "uint256 a",
      { path: "a", format: "date", params: { encoding: "blockheight" } },
      { capture: { number: "args.a" } },
    ],
    ["address a", { path: "a", format: "tokenTicker" }, { capture: { token: "args.a" }, where: [someone("args.a")] }],
    [
      "address a",
      { path: "a", format: "addressName", params: { senderAddress: "$.metadata.constants.usdc" } },
      {
        capture: { address: "args.a", sender: [coin] },
        where: [someone("args.a"), { "!": { "==": [{ var: "args.a" }, usdc] } }],
      },
    ],
    ["address a", { path: "a", format: "addressName" }, { capture: { address: "args.a" }, where: [someone("args.a")] }],
  ])("%s %j", (parameters, field, expected) => {
    expect(captured(parameters, field)).toEqual(expected);
  });
});

describe("a constant is captured", () => {
  it.each<[object, unknown]>([
    [{ value: "$.metadata.constants.third" }, { capture: { const: "3" } }],
    [{ path: "$.metadata.constants.half" }, { capture: { const: "0.5" } }],
    [{ value: "$.metadata.constants.yes" }, { capture: { const: "true" } }],
    [{ value: "Everything." }, { capture: { const: "Everything" } }],
    [{ value: "1".repeat(30) }, { capture: { const: "1".repeat(30) } }],
    [{ path: "@.chainId" }, { capture: { const: "8453" } }],
    [{ path: "@.chainId", format: "chainId" }, { capture: { const: "Base" } }],
    [{ value: usdc, format: "addressName" }, { capture: { address: coin } }],
    [{ value: usdc, format: "tokenTicker" }, { capture: { token: coin } }],
    [{ value: 5, format: "amount" }, ["0/value: a constant of a format that reads calls"]],
    [{ value: "<b>" }, ["0/value: a constant that is not short, plain, printable ASCII text"]],
    [{ value: "5" }, { capture: { const: "5" } }],
    [{ value: "$.metadata.constants.list" }, ["0/value: a constant that is no plain value"]],
    [{ value: "$.metadata.constants.gone" }, ["0/value: a path to a constant that is not there"]],
  ])("%j", (field, expected) => {
    expect(captured("uint256 a", field)).toEqual(expected);
  });
});

describe("an enumeration is captured", () => {
  const named = (name: string) => ({ path: "a", format: "enum", params: { $ref: `$.metadata.enums.${name}` } });
  const is = (value: string) => ({ "==": [{ var: "args.a" }, value] });

  it("by the names that can be told", () => {
    expect(captured("uint8 a", named("one"))).toEqual({
      capture: { enum: "args.a", values: { "1": "only one" } },
      where: [is("1")],
    });
    expect(captured("uint8 a", named("two"))).toEqual({
      capture: { enum: "args.a", values: { "1": "one", "2": "two" } },
      where: [{ or: [is("1"), is("2")] }],
    });
    const none = "0/params/$ref: an enumeration without names: its values are told as they are";
    expect(captured("uint8 a", named("none"))).toEqual({ capture: { integer: "args.a" }, reported: [none] });
    expect(captured("uint8 a", named("gone"))).toEqual(["0/params/$ref: an enumeration that is not there"]);
    expect(captured("uint8 a", { path: "a", format: "enum" })).toEqual(["0: an enumeration that is not there"]);
  });

  it.each([64, 65])("of %i names by the first 64", (count) => {
    const many = Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), `name ${i}`]));
    const { intent } = fieldsOf("uint8 a", [{ label: "Info", ...named("many") }], { enums: { many } });
    expect(Object.keys((intent?.details[0]?.capture.values ?? {}) as object)).toHaveLength(64);
  });
});

describe("a call inside is captured", () => {
  const bytes = (params: object, path = "data") => ({ path, format: "calldata", params });
  const shown = { capture: { bytes: "args.data" } };
  const carried = (carries: object) => ({ ...shown, carries: { data: "args.data", ...carries } });
  const parameters =
    "address to,uint256 sum,address me,bytes data,(address to,uint256 sum,bytes data)[] calls,address[] all";

  it.each<[object, unknown]>([
    [bytes({}), { ...shown, reported }],
    [bytes({ callee: vault, selector: "0x12345678", chainId: 8453 }), shown],
    [bytes({ callee: vault, amount: 1 }), { ...shown, reported: ["0/params/amount: a key that has no meaning here"] }],
    [bytes({ calleePath: "gone" }), shown],
    [bytes({ calleePath: "data" }), shown],
    [bytes({ calleePath: 5 }), shown],
    [bytes({ calleePath: "to" }), carried({ from: "call.to", to: "args.to" })],
    [bytes({ calleePath: "@.to" }), carried({ from: "call.from", to: "call.to" })],
    [
      bytes({ calleePath: "to", amountPath: "sum", spenderPath: "me" }),
      carried({ from: "args.me", to: "args.to", value: "args.sum" }),
    ],
    [bytes({ calleePath: "to", amountPath: "me" }), carried({ from: "call.to", to: "args.to" })],
    [bytes({ calleePath: "all.[]" }), shown],
    [bytes({ calleePath: "to", amountPath: "calls.[].sum" }), shown],
    [
      bytes({ calleePath: "calls.[].to", amountPath: "calls.[].sum" }, "calls.[].data"),
      {
        capture: { bytes: "item.data" },
        each: "args.calls",
        carries: { each: "args.calls", from: "call.to", to: "item.to", value: "item.sum", data: "item.data" },
      },
    ],
    [
      bytes({ calleePath: "to" }, "calls.[].data"),
      {
        capture: { bytes: "item.data" },
        each: "args.calls",
        carries: { each: "args.calls", from: "call.to", to: "args.to", data: "item.data" },
      },
    ],
    [bytes({ calleePath: "all.[]" }, "calls.[].data"), { capture: { bytes: "item.data" }, each: "args.calls" }],
  ])("%j", (field, expected) => {
    expect(captured(parameters, field)).toEqual(expected);
  });
});

describe("what is of another type", () => {
  const wrong = "0: a value of another type than its format needs";
  it.each([
    ["address a", { path: "a", format: "amount" }, wrong],
    ["int256 a", { path: "a", format: "duration" }, wrong],
    ["bool a", { path: "a", format: "addressName" }, wrong],
    ["uint256 a", { path: "a", format: "calldata" }, wrong],
    ["string a", { path: "a", format: "unit" }, wrong],
    ["(uint256 b) a", { path: "a" }, "0: a struct as a whole"],
  ])("%s %j is not told", (parameters, field, reason) => {
    expect(captured(parameters, field)).toEqual([reason]);
  });
});
