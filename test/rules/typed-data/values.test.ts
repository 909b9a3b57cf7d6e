import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import { elementaryLayout } from "../../../src/rules/abi/struct-type.ts";
import { readElementary, ValueReader } from "../../../src/rules/typed-data/values.ts";
import { refusalOf } from "./refusal.ts";
import { structsOf } from "./sample.ts";

const me = `0x${"a1".repeat(20)}`;

describe("one value", () => {
  const read = (type: string, raw: unknown) => {
    let value: unknown = "refused";
    refusalOf(() => {
      value = readElementary(elementaryLayout(type), raw, "x");
    });
    return value;
  };

  it.each<[string, unknown, unknown]>([
    ["uint8", 255, 255n],
    ["uint8", 256, "refused"],
    ["uint8", -1, "refused"],
    ["int8", 127, 127n],
    ["int8", 128, "refused"],
    ["int8", "-128", -128n],
    ["int8", -129, "refused"],
    ["uint256", "0x1F", 31n],
    ["uint256", `0x${"f".repeat(64)}`, 2n ** 256n - 1n],
    ["uint256", `0x0${"f".repeat(64)}`, "refused"],
    ["uint256", (2n ** 256n).toString(), "refused"],
    ["uint256", `${"0".repeat(79)}7`, 7n],
    ["uint256", `${"0".repeat(80)}7`, "refused"],
    ["uint256", 7n, 7n],
    ["uint256", 2 ** 53, "refused"],
    ["uint256", " 7", "refused"],
    ["uint256", "", "refused"],
    ["uint256", "0x", "refused"],
    ["uint256", "-0x1", "refused"],
    ["uint256", true, "refused"],
    ["address", me.toUpperCase().replace("0X", "0x"), me],
    ["address", me.slice(0, -1), "refused"],
    ["bool", false, false],
    ["bool", "true", "refused"],
    ["string", "a", "a"],
    ["string", 1, "refused"],
    ["bytes", "0xAB", "0xab"],
    ["bytes", "0xA", "refused"],
    ["bytes2", "0xabcd", "0xabcd"],
    ["bytes2", "0xab", "refused"],
    ["bytes2", "0xabcdef", "refused"],
  ])("%s %s is %s", (type, raw, value) => {
    expect(read(type, raw)).toBe(value);
  });
});

describe("values of a struct", () => {
  const read = (types: Record<string, string>, raw: unknown) =>
    new ValueReader(structsOf(types)).struct("A", raw, "message");

  it("are in the order of its members, lists and structs as lists", () => {
    const types = { A: "B[] list, B[2] pair, uint8[][] deep, string own", B: "bool yes" };
    const yes = { yes: true };
    expect(read(types, { own: "me", deep: [[1], []], pair: [yes, { yes: false }], list: [] })).toEqual([
      [],
      [[true], [false]],
      [[1n], []],
      "me",
    ]);
  });

  it.each<[Record<string, string>, unknown, string]>([
    [{ A: "uint8[2] x" }, { x: [1] }, "`message.x` has 1 items, uint8[2] was expected."],
    [{ A: "uint8[2] x" }, { x: [1, 2, 3] }, "`message.x` has 3 items, uint8[2] was expected."],
    [{ A: "uint8[] x" }, { x: {} }, "`message.x` is no list, uint8[] was expected."],
    [{ A: "uint8[] x" }, { x: [1, "a"] }, "`message.x[1]` is `a`, which is no uint8."],
    [{ A: "B x", B: "bool y" }, { x: [] }, "`message.x` is no object, B was expected."],
    [{ A: "B[] x", B: "bool y" }, { x: [{}] }, "`message.x[0].y` is missing."],
    [{ A: "bool x" }, Object.create({ x: true }), "`message.x` is missing."],
  ])("are refused with their place: %#", (types, raw, problem) => {
    expect(refusalOf(() => read(types, raw))).toBe(problem);
  });

  it("are as many as the limit, and no more", () => {
    const many = (count: number) => refusalOf(() => read({ A: "uint8[] x" }, { x: Array(count).fill(0) }));
    expect(many(limits.typedValuesMax - 1)).toBeNull();
    expect(many(limits.typedValuesMax)).toBe(`there are more than ${limits.typedValuesMax} values.`);
  });

  it("nest as deep as the limit, and no deeper", () => {
    const chain = (depth: number): object => (depth === 0 ? { next: [] } : { next: [chain(depth - 1)] });
    const refused = (depth: number) => refusalOf(() => read({ A: "A[] next" }, chain(depth)));
    const deepest = Math.floor(limits.typedDepthMax / 2);
    expect(refused(deepest)).toBeNull();
    expect(refused(deepest + 1)).toMatch(/nests deeper than 16\.$/);
  });
});
