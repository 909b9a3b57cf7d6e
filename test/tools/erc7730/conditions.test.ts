import { describe, expect, it } from "vitest";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { isAmong, isNoneOf, isSome, isThere, readLiteral } from "../../../src/tools/erc7730/fields/condition.ts";
import type { CallValue } from "../../../src/tools/erc7730/fields/path.ts";
import { usdc } from "../../support/case-of.ts";
import { fieldsOf } from "./read-intents.ts";

const at = (type: CallValue["type"], more: Partial<CallValue> = {}): CallValue => ({
  ...{ path: "args.a", each: null, type, loose: false, slot: "a", elements: 0, bytes: 0 },
  ...more,
});
const read = { var: "args.a" };
const addressWord = `0x${"00".repeat(12)}${"10".repeat(20)}`;

describe("a condition asks", () => {
  it("that a value is there, where it may be missing", () => {
    expect(isThere(at("uint"))).toEqual({ at: at("uint"), candidates: [] });
    const loose = at("uint", { loose: true });
    const compared = [read, "0"];
    const where = { or: [{ "==": compared }, { "!=": compared }] };
    expect(isThere(loose)).toEqual({ at: loose, where, candidates: [addressWord] });
  });

  it("that it is neither zero nor empty", () => {
    const zero = { "!=": [read, zeroAddress] };
    expect(isSome(at("address"))).toEqual({ at: at("address"), where: zero, candidates: [addressWord] });
    expect(isSome(at("string"))).toEqual({ at: at("string"), where: { "!=": [read, ""] }, candidates: [] });
    expect(isSome(at("uint"))).toEqual({ at: at("uint"), where: { ">": [read, "0"] }, candidates: [] });
  });

  it("that it is one of some, or none of them", () => {
    const [one, two] = [{ "==": [read, "1"] }, { "==": [read, "2"] }];
    expect(isAmong(at("uint"), [1n])).toEqual({ at: at("uint"), where: one, candidates: [1n] });
    expect(isAmong(at("uint"), [1n, 2n])).toEqual({ at: at("uint"), where: { or: [one, two] }, candidates: [1n, 2n] });
    expect(isNoneOf(at("uint"), [1n, 2n])).toEqual([
      { at: at("uint"), candidates: [] },
      { at: at("uint"), where: { "!": one }, candidates: [1n] },
      { at: at("uint"), where: { "!": two }, candidates: [2n] },
    ]);
    const equal = (["int", "address", "bool", "bytes", "string"] as const).map(
      (type) => isAmong(at(type), [type === "int" ? -1n : "x"]).where,
    );
    expect(equal).toEqual([
      { "==": [read, "-1"] },
      { "==": [read, "x"] },
      { "==": [read, "x"] },
      { "==": [read, "x"] },
      { "==": [read, "x"] },
    ]);
  });
});

describe("a literal of a descriptor", () => {
  const most = 2n ** 256n - 1n;
  it.each<[string | number | boolean, CallValue["type"], unknown]>([
    [5, "uint", 5n],
    ["0x1F", "uint", 31n],
    ["-1", "uint", undefined],
    ["0", "uint", 0n],
    ["-1", "int", -1n],
    [-0, "uint", 0n],
    [most.toString(), "uint", most],
    [(most + 1n).toString(), "uint", undefined],
    ["9".repeat(79), "uint", undefined],
    [2 ** 53 - 1, "uint", 9_007_199_254_740_991n],
    [2 ** 53, "uint", undefined],
    ["9007199254740992", "uint", 9_007_199_254_740_992n],
    [0.5, "uint", undefined],
    ["one", "int", undefined],
    [true, "uint", undefined],
    [usdc.toUpperCase().replace("0X", "0x"), "address", usdc],
    ["0x12", "address", undefined],
    [true, "bool", true],
    ["TRUE", "bool", true],
    [1, "bool", true],
    ["False", "bool", false],
    [0, "bool", false],
    ["2", "bool", undefined],
    ["0xABcd", "bytes", "0xabcd"],
    ["0xabc", "bytes", undefined],
    [`0x${"ab".repeat(64)}`, "bytes", `0x${"ab".repeat(64)}`],
    [`0x${"ab".repeat(65)}`, "bytes", undefined],
    ["", "string", ""],
    [5, "string", "5"],
    ["a".repeat(100), "string", "a".repeat(100)],
    ["a".repeat(101), "string", undefined],
    ["\n", "string", undefined],
    ["a", "array", undefined],
  ])("%s as %s", (raw, type, value) => {
    expect(readLiteral(raw, type)).toBe(value);
  });
});

describe("the rules of visibility", () => {
  const readOne = (visible: unknown, parameters = "uint256 a", more: object = {}) => {
    const field = { path: "a", label: "Info", ...(visible !== undefined && { visible }), ...more };
    const { intent, reported } = fieldsOf(parameters, [field], { constants: { five: 5 } });
    const musts = intent?.musts.map(({ where }) => where) ?? [];
    const shown = intent?.details.map((detail) => detail.shown.map(({ where }) => where)) ?? [];
    return { musts, shown, reported };
  };
  const is = (value: string) => ({ "==": [read, value] });
  const many = (count: number) => Array.from({ length: count }, (_, i) => i);

  it.each([undefined, "always", "optional"])("ask nothing where they are %s", (visible) => {
    expect(readOne(visible)).toEqual({ musts: [], shown: [[]], reported: [] });
  });

  it("hide a field for good, with what says how it is shown", () => {
    const more = { value: 1, format: "unit", separator: ",", params: { base: "d", other: 1 }, encryption: {} };
    expect(readOne("never", "uint256 a", more)).toEqual({ musts: [], shown: [], reported: [] });
    expect(readOne("never", "uint256 a", { other: 1 }).reported).toEqual(["0/other: a key that has no meaning here"]);
  });

  it("ask of a field or of the whole call", () => {
    expect(readOne({ ifNotIn: [1, "$.metadata.constants.five"] })).toEqual({
      ...{ musts: [], reported: [] },
      shown: [[undefined, { "!": is("1") }, { "!": is("5") }]],
    });
    for (const key of ["mustMatch", "mustBe"])
      expect(readOne({ [key]: [1, "2"] }, "uint256 a", { format: "date", params: { encoding: "x" } })).toEqual({
        ...{ musts: [{ or: [is("1"), is("2")] }], shown: [], reported: [] },
      });
  });

  it.each([
    [{ ifNotIn: [] }, "0/visible/ifNotIn: a list of values that is none, or too long"],
    [{ ifNotIn: 5 }, "0/visible/ifNotIn: a list of values that is none, or too long"],
    [{ ifNotIn: many(33) }, "0/visible/ifNotIn: a list of values that is none, or too long"],
    [{ ifNotIn: ["x"] }, "0/visible/ifNotIn/0: a value of another type than its field"],
    [{ other: [1] }, "0/visible: a rule of visibility that is none"],
    ["sometimes", "0/visible: a rule of visibility that is none"],
  ])("are refused: %j", (visible, reason) => {
    expect(readOne(visible)).toEqual({ musts: [], shown: [], reported: [reason] });
  });

  it("list up to 32 values", () => {
    expect(readOne({ ifNotIn: many(32) }).shown[0]).toHaveLength(33);
  });

  it("of the whole call leave it out when they cannot be read", () => {
    const refused = readOne({ mustMatch: [1] }, "bytes b,uint256 a", { path: "b.[:4]" });
    expect(refused).toEqual({
      ...{ musts: [], shown: [] },
      reported: ["0/visible: a condition on a value that no example can choose"],
    });
  });
});
