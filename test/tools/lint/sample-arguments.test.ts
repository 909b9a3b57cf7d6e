import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { GivenNames } from "../../../src/tools/lint/examples/given-names.ts";
import { SampleArguments } from "../../../src/tools/lint/examples/sample-arguments.ts";
import { shippedLabels } from "../../support/labels.ts";

const scope = { contracts: new Map(), members: new Map(), abi: new Map() };
const names = new GivenNames(scope as never, () => undefined, shippedLabels());
const ether = "1000000000000000000";
const carol = "0xca401000000000000000000000000000000ca401";
const hash = "12ab".repeat(16);

/** The arguments with which a call with these inputs is tried. `value` and `args` are left out if there are none. */
function sampled(inputs: string, capture: object, attempt: object = {}) {
  const call = parseSignature(`function f(${inputs})`);
  const entry = { capture: { x: capture } };
  const sample = new SampleArguments(entry as never, attempt as never, call as never, names);
  const meets = sample.meetsConditions();
  return { meets, ...sample.value(), args: sample.arguments() };
}

describe("what captures want of a sample call", () => {
  it.each<[string, object, object | undefined]>([
    ["address a", [], undefined],
    ["address a, address b, address c", [{ of: "args.a" }, { token: "args.b" }, { nft: "args.c" }], tokens("abc")],
    ["address a, address b, address c, address d, address e", [..."abcde"].map(of), tokens("abcde")],
    ["address a", [of("a"), { token: "args.a" }, { other: "args.a" }], { a: "USDC" }],
    ["address a", { of: "input.a" }, { a: "USDC" }],
    ["address a", [{ of: "native" }, of("a")], { a: "USDC" }],
    ["address a", { of: "result.args.a", address: "emitter", scale: 5 }, undefined],
    ["uint64 a, uint56 b", [{ amount: "args.a" }, { amount: "args.b" }], { a: ether, b: "10" }],
    ["uint64 a, int64 b, int128 c", [{ at_rate: "args.a" }, { integer: "args.b" }, { amount: "args.c" }], numbers()],
    ["address a, string s, bool b", [{ other: "args.a" }, text("s"), { flag: "args.b" }], { a: "carol", s: "sample" }],
    ["bytes32 a, bytes20 b", [{ other: "args.a.address" }, { other: "args.b.address" }], { a: carol, b: carol }],
    ["bytes32 a, bytes32 b", { address: "args.a.addressAt.0" }, { a: `${carol}${"00".repeat(12)}` }],
    ["bytes32 a", { address: "args.a.addressAt.12" }, undefined],
    ["bytes32 a, bytes4 b, bytes c", [..."abc"].map((name) => ({ hash: `args.${name}` })), hashes()],
    ["uint8 a, bool b", [choice("a", { 3: "x", 4: "y" }), choice("b", { true: "x" })], { a: "3", b: true }],
    ["bool a, bool b", [choice("a", { false: "x" }), { enum: "args.b" }], { a: false }],
    ["uint8 a", [choice("z", { 3: "x" }), choice("a", {})], undefined],
    ["uint256[] a, (uint8 length) t", [integer("a.length"), integer("t.length")], { a: [0n, 0n], t: { length: "10" } }],
    ["uint256[3] a", { amount: "args.a.1" }, { a: [0n, ether, 0n] }],
    ["uint256[] a, uint8[] b, uint8[] c", [integer("a.1"), integer("b.-1"), integer("c.0")], lists()],
    ["uint256[] a", { amount: "args.a.-2" }, { a: [ether, 0n] }],
    ["address[] a, address[] ab", [of("ab.0"), of("ab.-1")], { ab: ["USDC", "WETH"] }],
    ["(string note)[] a", text("a.0.note"), { a: [{ note: "sample" }] }],
    ["(address t, uint256 n)[] a, uint256 b", { of: "args.a.1.t", amount: "args.a.1.n" }, { a: steps() }],
    ["((address t, uint8 k) way, uint256 n) o", of("o.way.t"), { o: { way: { t: "USDC" } } }],
    ["bytes p", of("p.addressAt.0"), { p: ["USDC", "0x000064", "DAI"] }],
    ["bytes p", of("p.addressAt.-20"), { p: ["cbETH", "0x000064", "USDC"] }],
    ["uint256 i, address[] a", of("a.(args.i)"), { i: "0", a: ["USDC"] }],
  ])("%s: %j", (inputs, capture, args) => {
    expect(sampled(inputs, capture)).toEqual({ meets: true, args });
  });

  it("is an ether where they show the call's value, and whom the call acts for is alice", () => {
    expect(sampled("uint8 a", { amount: "call.value" })).toEqual({ meets: true, value: ether });
    expect(sampled("address a", { other: "args.a" }, { acts_for: "args.a" }).args).toEqual({ a: "alice" });
    const capture = { y: { other: "args.b" } };
    expect(sampled("address a, address b", of("a"), { capture }).args).toEqual({ a: "USDC", b: "carol" });
  });
});

describe("conditions of a sample call", () => {
  const a = { var: "args.a" };
  it.each<[unknown, boolean, unknown]>([
    [a, true, true],
    [{ var: "tx.a" }, false, undefined],
    [{ "!": [a] }, true, false],
    [{ "!": [{ var: "tx.a" }] }, false, undefined],
    [{ "!": [{ "==": [a, "1"] }] }, true, undefined],
    [{ "!": [{ "==": [a, "1"] }] }, true, undefined],
    [{ "!": [{ in: [a, "1"] }] }, true, undefined],
    [{ "!": [{ starts: [a, "1"] }] }, true, undefined],
    [{ "!": [{ ">": [a, "1"] }] }, false, undefined],
    [{ "==": [a, "1"] }, true, "1"],
    [{ "==": [a, "1"] }, true, "1"],
    [{ "==": [a, "1"] }, true, "1"],
    [{ in: [a, "1"] }, true, "1"],
    [{ starts: [a, "1"] }, false, undefined],
    [{ ">": [a, "1"] }, true, "2"],
    [{ "<": [a, "1"] }, true, undefined],
    [{ "==": [{ var: "tx.value" }, "1"] }, false, undefined],
    [{ "==": [a, { var: "args.b" }] }, false, undefined],
    [{ "==": ["1", "1"] }, false, undefined],
    [{ in: [a, ["1"]] }, false, undefined],
    [{ or: [a, a] }, false, undefined],
  ])("%j can be met: %j", (where, meets, value) => {
    expect(sampled("uint8 a", [], { where: [where] })).toEqual({
      meets,
      args: value === undefined ? value : { a: value },
    });
  });

  it("are met together, or not at all", () => {
    const both = [{ "==": [a, "1"] }, { "==": [{ var: "args.b" }, "2"] }];
    expect(sampled("uint8 a, uint8 b", [], { where: both })).toEqual({ meets: true, args: { a: "1", b: "2" } });
    expect(sampled("uint8 a", [], { where: [...both, { or: [a] }] }).meets).toBe(false);
  });

  it("keep an amount that is more than they ask for", () => {
    const where = [{ ">": [a, "1"] }];
    expect(sampled("uint256 a", { amount: "args.a" }, { where })).toEqual({ meets: true, args: { a: ether } });
  });

  it("may ask for ether, down to none", () => {
    const value = (operator: string, number: string) =>
      sampled("uint8 a", { amount: "call.value" }, { where: [{ [operator]: [{ var: "call.value" }, number] }] });
    expect(value("==", "7")).toEqual({ meets: true, value: "7" });
    expect(value("==", "1")).toEqual({ meets: true, value: "1" });
    expect(value("==", "0")).toEqual({ meets: true });
    expect(value(">", "1")).toEqual({ meets: true, value: "2" });
  });
});

function of(path: string) {
  return { of: `args.${path}` };
}

function text(path: string) {
  return { text: `args.${path}` };
}

function integer(path: string) {
  return { integer: `args.${path}` };
}

function choice(path: string, values: object) {
  return { enum: `args.${path}`, values };
}

/** Four tokens in turn. */
function tokens(arguments_: string) {
  return Object.fromEntries([...arguments_].map((name, i) => [name, ["USDC", "WETH", "cbETH", "DAI"][i % 4]]));
}

function numbers() {
  return { a: ether, b: "10", c: ether };
}

function hashes() {
  return { a: `0x${hash}`, b: "0x12ab12ab", c: `0x${hash}` };
}

function lists() {
  return { a: [0n, "10"], b: [0n, "10"], c: ["10"] };
}

/** What nothing asks for is the simplest value. */
function steps() {
  return [["0x0000000000000000000000000000000000000000", 0n], { t: "USDC", n: ether }];
}
