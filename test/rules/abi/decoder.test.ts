import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { decode, malformed } from "../../../src/rules/abi/decoder.ts";
import { encodeTuple } from "../../../src/rules/abi/encoder.ts";
import type { EventItem, FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const left = (digits: string) => digits.padEnd(64, "0");
const item = (types: string) => parseSignature(`function f(${types})`) as FunctionItem;
const read = (types: string, ...words: string[]) => item(types).read(`0x12345678${words.join("")}`);
const address = "a1".repeat(20);

describe("one word", () => {
  it.each<[string, string, Value]>([
    ["uint256", word(2n ** 256n - 1n), 2n ** 256n - 1n],
    ["uint256", word(0), 0n],
    ["uint8", word(255), 255n],
    ["uint160", word(2n ** 160n - 1n), 2n ** 160n - 1n],
    ["uint248", word(2n ** 248n - 1n), 2n ** 248n - 1n],
    ["int256", word(-1), -1n],
    ["int256", word(2n ** 255n - 1n), 2n ** 255n - 1n],
    ["int8", word(127), 127n],
    ["int8", word(-128), -128n],
    ["int248", word(-(2n ** 247n)), -(2n ** 247n)],
    ["address", address.padStart(64, "0"), `0x${address}`],
    ["bool", word(0), false],
    ["bool", word(1), true],
    ["bytes1", left("ab"), "0xab"],
    ["bytes4", left("12345678"), "0x12345678"],
    ["bytes31", left("cd".repeat(31)), `0x${"cd".repeat(31)}`],
    ["bytes32", "ef".repeat(32), `0x${"ef".repeat(32)}`],
  ])("%s is read, and not when a digit is missing", (type, digits, value) => {
    expect(read(`${type} a`, digits)).toEqual([value]);
    expect(read(`${type} a`, digits.slice(0, -1))).toBeUndefined();
    expect(read(`${type} a, ${type} b`, digits, digits)).toEqual([value, value]);
    expect(encodeTuple(item(`${type} a`).inputs.items, [value])).toBe(digits);
  });

  it.each([
    ["uint8", word(256)],
    ["uint160", word(2n ** 160n)],
    ["uint248", word(2n ** 248n)],
    ["int8", word(128)],
    ["int8", word(-129)],
    ["int248", word(2n ** 247n)],
    ["address", word(2n ** 160n)],
    ["bool", word(2)],
    ["bool", word(16)],
    ["bool", `1${word(1).slice(1)}`],
    ["bytes1", left("abcd")],
    ["bytes4", `${left("12345678").slice(0, 63)}1`],
    ["bytes31", `${"cd".repeat(31)}01`],
  ])("%s is not read from %s", (type, digits) => {
    expect(read(`${type} a`, digits)).toBeUndefined();
  });
});

describe("what has a length", () => {
  it.each<[string, string[], Value[] | undefined]>([
    ["bytes a", [word(32), word(0)], ["0x"]],
    ["bytes a", [word(32), word(3), left("abcdef")], ["0xabcdef"]],
    ["bytes a", [word(32), word(32), "ab".repeat(32)], [`0x${"ab".repeat(32)}`]],
    ["bytes a", [word(32), word(3), "abcdef"], ["0xabcdef"]],
    ["bytes a", [word(32), word(3), "abcde"], undefined],
    ["bytes a", [word(32), word(33), "ab".repeat(32)], undefined],
    ["bytes a", [word(32)], undefined],
    ["bytes a", [word(2n ** 28n + 32n), word(0)], undefined],
    ["bytes a", [word(2n ** 32n + 32n), word(0)], undefined],
    ["string a", [word(32), word(2), left("c3a9")], ["é"]],
    ["uint8[] a", [word(32), word(0)], [[]]],
    ["uint8[] a", [word(32), word(2), word(5), word(6)], [[5n, 6n]]],
    ["uint8[] a", [word(32), word(2), word(5), word(6).slice(1)], undefined],
    ["uint8[] a", [word(32), word(2), word(5), word(256)], undefined],
    ["uint8[2] a", [word(5), word(6)], [[5n, 6n]]],
    ["uint8[2] a", [word(5)], undefined],
    ["uint8[2] a, bool b", [word(5), word(6), word(1)], [[5n, 6n], true]],
    ["uint8[0] a, bool b", [word(1)], [[], true]],
    ["(uint8 x, bool y) a, uint8 b", [word(5), word(1), word(7)], [[5n, true], 7n]],
    ["(uint8 x, bytes y) a, uint8 b", [word(64), word(7), word(5), word(64), word(1), left("ab")], [[5n, "0xab"], 7n]],
    ["(uint8 x, bytes y) a, uint8 b", [word(64), word(7), word(5)], undefined],
    ["bytes[1] a", [word(32), word(32), word(1), left("ab")], [["0xab"]]],
    ["bytes[] a, bool b", [word(64), word(1), word(1), word(32), word(1), left("ab")], [["0xab"], true]],
    [
      "(uint8 x, bool y)[] a",
      [word(32), word(2), word(5), word(1), word(6), word(0)],
      [
        [
          [5n, true],
          [6n, false],
        ],
      ],
    ],
    ["(uint8 x, bool y)[] a", [word(32), word(2), word(5), word(1), word(6)], undefined],
  ])("%s of %j", (types, words, values) => {
    expect(read(types, ...words)).toEqual(values);
    if (values === undefined || words.at(-1)?.length !== 64) return;
    expect(encodeTuple(item(types).inputs.items, values)).toBe(words.join(""));
  });

  /** This many lists, which are all the same list with this many numbers. */
  const overlapping = (lists: number, numbers: number) =>
    read(
      "uint8[][] a",
      ...[word(32), word(lists), ...Array.from({ length: lists }, () => word(lists * 32))],
      ...[word(numbers), ...Array.from({ length: numbers }, (_, i) => word(i))],
    );

  it("holds four elements for each word of the data, at most", () => {
    const numbers = Array.from({ length: 9 }, (_, i) => BigInt(i));
    expect(overlapping(8, 9)).toEqual([Array.from({ length: 8 }, () => numbers)]);
    expect(overlapping(9, 8)).toBeUndefined();
    expect(overlapping(8, 10)).toBeUndefined();
  });
});

describe("a log", () => {
  const event = parseSignature("event E(uint8 indexed a, bytes b, string indexed c, bool d)") as EventItem;
  const topics = [event.hash, `0x${word(5)}`, `0x${"cd".repeat(32)}`];
  const data = `0x${word(64)}${word(1)}${word(1)}${left("ab")}`;

  it("is read from topics and data, in the order of its parameters", () => {
    expect(event.read(topics, data)).toEqual([5n, "0xab", `0x${"cd".repeat(32)}`, true]);
    expect([event.topics, event.indexed]).toEqual([3, [true, false, true, false]]);
    expect(event.inputs.items.map(({ kind }) => kind)).toEqual(["uint", "bytes", "fixed", "bool"]);
  });

  it.each<[string, string[], string]>([
    ["a topic is missing", topics.slice(0, 2), data],
    ["there is one more", [...topics, topics[1] as string], data],
    ["a topic is no value", [event.hash, `0x${word(256)}`, topics[2] as string], data],
    ["the data is cut", topics, data.slice(0, -64)],
    ["the data is empty", topics, "0x"],
  ])("is not read where %s", (_what, given, body) => {
    expect(event.read(given, body)).toBeUndefined();
  });

  it("needs no data where all is in its topics", () => {
    const bare = parseSignature("event E(address indexed a)") as EventItem;
    expect(bare.read([bare.hash, `0x${address.padStart(64, "0")}`], "0x")).toEqual([`0x${address}`]);
    const none = parseSignature("event E()") as EventItem;
    expect([none.topics, none.read([none.hash], "0x")]).toEqual([1, []]);
  });

  it("has only the hash of lists and structs in its topics, whatever their size", () => {
    const event = parseSignature(
      "event E(uint8[2] indexed a, (uint8 x, bool y) indexed b, uint8[] indexed c)",
    ) as EventItem;
    const hashes = ["1", "2", "3"].map((digit) => `0x${digit.repeat(64)}`);
    expect(event.read([event.hash, ...hashes], "0x")).toEqual(hashes);
    expect(event.inputs.items).toEqual(Array(3).fill({ kind: "fixed", size: 32, dynamic: false, words: 1 }));
  });

  it("keeps parameters of the same types apart that are indexed otherwise", () => {
    const first = parseSignature("event F(uint8 indexed a, uint8 b)") as EventItem;
    const second = parseSignature("event F(uint8 a, uint8 indexed b)") as EventItem;
    const values = (one: EventItem) => one.read([one.hash, `0x${word(1)}`], `0x${word(2)}`);
    expect([values(first), values(second)]).toEqual([
      [1n, 2n],
      [2n, 1n],
    ]);
  });
});

it.each(["uint256", "uint8", "int256", "address", "bool", "bytes4", "bytes32", "string"])(
  "a topic that is %s is read whole, or not at all",
  (type) => {
    const event = parseSignature(`event E(${type} indexed a)`) as EventItem;
    expect(event.read([event.hash, `0x${word(0)}`], "0x")).toHaveLength(1);
    expect(event.read([event.hash, `0x${word(0).slice(1)}`], "0x")).toBeUndefined();
  },
);

it("a call without arguments has its selector all the same", () => {
  const read = item("").read;
  expect([read("0x12345678"), read("0x12345678ab"), read("0x1234567"), read("0x")]).toEqual([
    ...[[], [], undefined, undefined],
  ]);
});

it("bytes are filled up to whole words", () => {
  const encoded = (size: number) => encodeTuple(item("bytes a").inputs.items, [`0x${"ab".repeat(size)}`]);
  expect([0, 1, 32, 33, 64, 65, 128].map((size) => encoded(size).length / 64)).toEqual([2, 3, 3, 4, 4, 5, 6]);
});

it("mistakes of our own are no malformed data", () => {
  const failing = (error: Error) => () => {
    throw error;
  };
  expect(decode(failing(malformed), "0x", 2)).toBeUndefined();
  expect(() => decode(failing(new Error("ours")), "0x", 2)).toThrow("ours");
});
