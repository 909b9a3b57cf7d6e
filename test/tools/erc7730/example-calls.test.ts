import { describe, expect, it } from "vitest";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { parseMessage } from "../../../src/rules/abi/message.ts";
import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { type Condition, isAmong, isNoneOf, isSome } from "../../../src/tools/erc7730/fields/condition.ts";
import { locate } from "../../../src/tools/erc7730/fields/path.ts";
import { findCall, sampleAddress } from "../../../src/tools/erc7730/rules/example-call.ts";

const functionOf = (parameters: string) => parseSignature(`function act(${parameters})`) as FunctionItem;
const item = functionOf(
  "uint256 n, address to, bytes data, bytes4 four, bool yes, string text, int8[] list, (uint8 x, bool y)[2] pair",
);
const at = (path: string) => locate(path, item, "uint");
const where = (path: string, asked: unknown): Condition => ({ at: at(path), where: asked, candidates: [] });
const over = (least: number): Condition => where("n", { ">": [{ var: "args.n" }, String(least)] });
const argsOf = (order: Parameters<typeof findCall>[1]) => findCall(item, order)?.args;
const zeros = [
  0n,
  zeroAddress,
  "0x",
  "0x00000000",
  false,
  "",
  [],
  [
    [0n, false],
    [0n, false],
  ],
];
const ones = [
  1n,
  sampleAddress,
  `0x${"10".repeat(20)}`,
  "0x01010101",
  true,
  "text",
  [1n],
  [
    [1n, true],
    [1n, true],
  ],
];

describe("an example call", () => {
  it("is all zero and empty, or full of plain values", () => {
    expect(argsOf({ must: [] })).toEqual(zeros);
    expect(argsOf({ must: [], full: true })).toEqual(ones);
    expect(findCall(item, { must: [] })?.value).toBe(0n);
    expect(findCall(functionOf("uint8 n"), { must: [], full: true })?.data).toBe(
      `${functionOf("uint8 n").hash}${"1".padStart(64, "0")}`,
    );
  });

  it("has as many elements and bytes as its values need", () => {
    const third = isAmong(at("list.[2]"), [7n]);
    expect(argsOf({ must: [third] })?.[6]).toEqual([7n, 7n, 7n]);
    expect(argsOf({ must: [third], full: true })?.[6]).toEqual([7n, 7n, 7n]);
    const far = where("data.[24:25]", { ">": [{ var: "args.data.uintAt.24.1" }, "0"] });
    expect(argsOf({ must: [far], full: true })?.[2]).toBe(`0x${"10".repeat(25)}`);
    expect(argsOf({ must: [far] })).toBeUndefined();
  });

  it("takes the first value that will do, those that are named before others", () => {
    expect(argsOf({ must: [over(3)] })?.[0]).toBe(4n);
    expect(argsOf({ must: [isAmong(at("n"), [90n, 91n])] })?.[0]).toBe(90n);
    expect(argsOf({ must: [over(90), isAmong(at("n"), [90n, 91n])] })?.[0]).toBe(91n);
    const small = (least: number) => where("pair.[0].x", { ">": [{ var: "args.pair.0.x" }, String(least)] });
    expect(argsOf({ must: [small(68)] })?.[7]).toEqual([
      [69n, false],
      [69n, false],
    ]);
    expect(argsOf({ must: [small(69)] })).toBeUndefined();
    expect(argsOf({ must: [over(0), isAmong(at("text"), ["a"]), isAmong(at("to"), [zeroAddress])] })).toEqual(
      zeros.with(0, 1n).with(5, "a"),
    );
    expect(argsOf({ must: isNoneOf(at("text"), ["", "text"]) })?.[5]).toBe("other text");
    const three = ["11", "12", "13"].map((digits) => `0x${digits.repeat(20)}`);
    expect(argsOf({ must: isNoneOf(at("to"), [zeroAddress, ...three]) })?.[1]).toBe(sampleAddress);
    expect(argsOf({ must: isNoneOf(at("to"), [zeroAddress, ...three, sampleAddress]) })).toBeUndefined();
    expect(argsOf({ must: isNoneOf(at("yes"), [false]) })?.[4]).toBe(true);
    expect(argsOf({ must: isNoneOf(at("yes"), [true]), full: true })?.[4]).toBe(false);
    expect(argsOf({ must: [isAmong(at("pair.[1].x"), [9n])] })?.[7]).toEqual([
      [9n, false],
      [9n, false],
    ]);
  });

  it("has values of the types of its arguments", () => {
    const message = parseMessage("message Act(bool yes,string text,address to,uint256 n,bytes4 four,int8 i)");
    const not = (path: string, ...values: (boolean | string)[]) => isNoneOf(locate(path, message, "uint"), values);
    const wide = isSome(locate("n", message, "address"));
    const must = [...not("yes", true), ...not("text", "text", ""), isSome(locate("to", message, "address")), wide];
    const other = findCall(message, { must: not("four", "0x00000000", "0x01010101") })?.args;
    expect(other?.[4]).toBe("0x11111111");
    const word = BigInt(`0x${"10".repeat(20)}`);
    expect(findCall(message, { must, full: true })?.args).toEqual([
      ...[false, "other text", sampleAddress, 1n, "0x01010101", 1n],
    ]);
    expect(findCall(message, { must })?.args).toEqual([
      ...[false, "other text", `0x${"10".repeat(20)}`, word, "0x00000000", 0n],
    ]);
  });

  it("misses at least one condition, where it is asked to", () => {
    expect(argsOf({ must: [], not: [over(3)] })).toEqual(zeros);
    expect(argsOf({ must: [], not: [over(0)], full: true })).toEqual(ones.with(0, 0n));
    expect(argsOf({ must: [over(2)], not: [over(1)] })).toBeUndefined();
    expect(argsOf({ must: [over(2)], not: [isAmong(at("n"), [3n])] })?.[0]).toBe(4n);
    expect(argsOf({ must: [], not: [] })).toBeUndefined();
    expect(argsOf({ must: [], not: [over(0), isSome(at("text"))], full: true })).toEqual(ones.with(0, 0n));
    // What no slot holds cannot be chosen.
    const sliced = where("data.[0:1]", { ">": [{ var: "args.data.uintAt.0.1" }, "0"] });
    expect(argsOf({ must: [], not: [sliced], full: true })).toBeUndefined();
  });

  it("carries ether where that is asked", () => {
    expect(findCall(item, { must: [isAmong(at("@.value"), [6n])] })).toMatchObject({ args: zeros, value: 6n });
  });

  it("is made by an account at a contract, and a message signed for one", () => {
    const is = (path: string) => ({ at: at("n"), where: { "==": [{ var: path }, sampleAddress] }, candidates: [] });
    expect(argsOf({ must: [is("call.from"), is("call.to")] })).toEqual(zeros);
    const message = parseMessage("message Act(uint256 n,bool yes)");
    expect(findCall(message, { must: [is("subject"), is("domain.verifyingContract")], full: true })?.args).toEqual([
      1n,
      true,
    ]);
    const three = isAmong(locate("n", message, "uint"), [3n]);
    expect(findCall(message, { must: [three] })?.args).toEqual([3n, false]);
  });

  it("has 192 values at most", () => {
    const grown = (parameters: string) => findCall(functionOf(parameters), { must: [] })?.args;
    const tooMany = "a signature with too many values for an example";
    expect(grown("bool[190] a")).toEqual([Array(190).fill(false)]);
    expect(() => grown("bool[191] a")).toThrow(tooMany);
    expect(grown("bool[188] a, bool b")).toHaveLength(2);
    expect(() => grown("bool[189] a, bool b, bool c")).toThrow(tooMany);
  });
});
