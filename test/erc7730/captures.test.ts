import { describe, expect, it } from "vitest";
import { checksum, toAddress, zeroAddress } from "../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../src/kernel/amount.ts";
import { usdc } from "../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";
import { fieldsOf } from "./read-intents.ts";

const metadata = {
  constants: { usdc: checksum(usdc), third: 3, half: "0.5", yes: true, word: "Everything", list: [1], odd: "<b>" },
  enums: { one: { "1": "Only One" }, two: { "1": "one", "0x2": "Two", "3": "<b>", x: "four" }, none: {} },
};

/** How the only field of a function is captured: its capture, the paths of its conditions with what they ask, and the rest. */
function captured(parameters: string, field: object): unknown {
  const { intent, reported } = fieldsOf(parameters, [{ label: "Info", ...field }], metadata);
  const [detail] = intent?.details ?? [];
  if (detail === undefined) return reported;
  const { capture, conditions, each, carries } = detail;
  const where = conditions.flatMap((one) => (one.where === undefined ? [] : [one.where]));
  return {
    capture,
    ...(where[0] && { where }),
    ...(each && { each }),
    ...(carries && { carries }),
    ...(reported[0] && { reported }),
  };
}

/** What is reported of parameters that say nothing. */
const reported = ["0/params: empty"];
const some = (path: string) => ({ uint_gt: [{ var: path }, "0"] });
const someone = (path: string) => ({ "!=": [{ var: path }, zeroAddress] });
const there = (path: string) => ({ "!=": [{ var: path }, "none"] });
const token = (params: object) => ({ path: "a", format: "tokenAmount", params });
const coin = checksum(usdc);

describe("a value is captured", () => {
  it.each<[string, object, object]>([
    ["uint256 a", { path: "a" }, { capture: { integer: "args.a" } }],
    ["int8 a", { path: "a", format: "raw" }, { capture: { integer: "args.a" } }],
    ["bool a", { path: "a" }, { capture: { enum: "args.a", values: { true: "true", false: "false" } } }],
    ["string a", { path: "a" }, { capture: { text: "args.a" }, where: [{ "!=": [{ var: "args.a" }, ""] }] }],
    ["address a", { path: "a" }, { capture: { address: "args.a" }, where: [someone("args.a")] }],
    ["bytes a", { path: "a" }, { capture: { bytes: "args.a" } }],
    ["uint256[] a", { path: "a.[1]" }, { capture: { integer: "args.a.1" }, where: [there("args.a.1")] }],
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
        where: [someone("args.a"), { "!": { addr_eq: [{ var: "args.a" }, usdc] } }],
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

describe("an amount of a token is captured", () => {
  const most = (unlimitedThreshold - 1n).toString();
  const amount = (of: string, more = {}) => ({ capture: { amount: "args.a", of, ...more }, where: [some("args.a")] });
  const ofT = (more = {}) => amount("args.t", more);

  it.each<[object, unknown]>([
    [{}, { capture: { integer: "args.a" }, reported }],
    [{ token: coin }, amount(coin)],
    [{ token: "$.metadata.constants.usdc" }, amount(coin)],
    [{ tokenPath: "$.metadata.constants.usdc" }, amount(coin)],
    [{ tokenPath: usdc }, amount(coin)],
    [{ token: zeroAddress }, amount("native")],
    [{ token: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" }, amount("native")],
    [{ token: vault, nativeCurrencyAddress: [usdc, vault] }, amount("native")],
    [{ token: vault, nativeCurrencyAddress: usdc }, amount(checksum(toAddress(vault)))],
    [{ tokenPath: "t" }, ofT()],
    [{ tokenPath: "t", nativeCurrencyAddress: [zeroAddress] }, ofT()],
    [
      { tokenPath: "t", nativeCurrencyAddress: [zeroAddress, vault] },
      ["0/params/nativeCurrencyAddress: an address of its own that stands for ether"],
    ],
    [{ tokenPath: "t", chainId: 8453, chainIdPath: "@.chainId" }, ofT()],
    [{ tokenPath: "all.[1]" }, { ...amount("args.all.1"), where: [some("args.a"), there("args.all.1")] }],
    [{ tokenPath: "a.gone" }, ["0: a path that the signature does not have"]],
    [{ tokenPath: 5 }, ["0/params/tokenPath: a path that is no text"]],
    [{ tokenPath: "flag" }, ["0: a value of another type than its format needs"]],
    [{ token: coin, threshold: "1" }, amount(coin, { cap: "1", capped: "unlimited" })],
    [{ token: coin, threshold: "0" }, ["0/params/threshold: a threshold that is no number above zero"]],
    [{ token: coin, threshold: most }, amount(coin, { cap: most, capped: "unlimited" })],
    [{ token: coin, threshold: unlimitedThreshold.toString() }, amount(coin)],
    [
      { token: coin, threshold: unlimitedThreshold.toString(), message: "All" },
      amount(coin, { cap: unlimitedThreshold.toString(), capped: "all" }),
    ],
    [{ token: coin, threshold: 9, thresholdLabel: "Max Out" }, amount(coin, { cap: "9", capped: "max out" })],
    [{ tokenPath: "t", threshold: 9, message: "A".repeat(6) }, ofT({ cap: "9", capped: "AAAAAA" })],
    [{ token: coin, threshold: 9, message: "5 coins" }, ["0/params/message: a message that is not short and plain"]],
  ])("%j", (params, expected) => {
    expect(captured("uint256 a,address t,bool flag,address[] all", token(params))).toEqual(expected);
  });

  it("of a list only beside values of the same list", () => {
    const list = { path: "o.[].n", format: "tokenAmount", params: { tokenPath: "o.[].t" } };
    expect(captured("(uint256 n,address t)[] o", list)).toEqual({
      capture: { amount: "item.n", of: "item.t" },
      where: [some("item.n")],
      each: "args.o",
    });
    const other = { ...list, params: { tokenPath: "t.[]" } };
    expect(captured("(uint256 n,address t)[] o,address[] t", other)).toEqual(["0: values of several arrays"]);
  });
});

describe("an NFT is captured", () => {
  const nft = (params: object) => ({ path: "a", format: "nftName", params });
  it.each<[object, unknown]>([
    [{}, { capture: { number: "args.a" }, reported }],
    [{ collection: usdc }, { capture: { nft: coin, id: "args.a" } }],
    [{ collectionPath: "t" }, { capture: { nft: "args.t", id: "args.a" }, where: [someone("args.t")] }],
    [{ collectionPath: "n" }, { capture: { nft: "args.n.address", id: "args.a" }, where: [someone("args.n.address")] }],
  ])("%j", (params, expected) => {
    expect(captured("uint256 a,address t,uint256 n", nft(params))).toEqual(expected);
  });
});

describe("a quantity is captured", () => {
  const unit = (params: object) => ({ path: "a", format: "unit", params });
  const told = (decimals: string, more = {}) => ({ capture: { quantity: "args.a", decimals, ...more } });
  const [wrong, large] = [
    "0/params/base: a unit that is no short word",
    "0/params/decimals: decimals that are no small number",
  ];
  it.each<[object, unknown]>([
    [{}, { ...told("0"), reported }],
    [{ base: " bps ", decimals: 77, prefix: true }, told("77", { unit: "bps" })],
    [{ base: `a${"b".repeat(15)}` }, told("0", { unit: `a${"b".repeat(15)}` })],
    [{ base: `a${"b".repeat(16)}` }, [wrong]],
    [{ base: "%", decimals: 0 }, told("0", { unit: "%" })],
    [{ base: "%", decimals: 78 }, [large]],
    [{ decimals: -1 }, [large]],
    [{ decimals: 0.5 }, [large]],
    [{ decimals: "2" }, [large]],
  ])("%j", (params, expected) => {
    expect(captured("int256 a", unit(params))).toEqual(expected);
  });
});

describe("an enumeration is captured", () => {
  const named = (name: string) => ({ path: "a", format: "enum", params: { $ref: `$.metadata.enums.${name}` } });
  const is = (value: string) => ({ uint_eq: [{ var: "args.a" }, value] });

  it("by the names that can be told", () => {
    expect(captured("uint8 a", named("one"))).toEqual({
      capture: { enum: "args.a", values: { "1": "only one" } },
      where: [is("1")],
    });
    expect(captured("uint8 a", named("two"))).toEqual({
      capture: { enum: "args.a", values: { "1": "one", "2": "two" } },
      where: [{ or: [is("1"), is("2")] }],
    });
    expect(captured("uint8 a", named("none"))).toEqual(["0/params/$ref: an enumeration without names"]);
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
