import { describe, expect, it } from "vitest";
import { DescriptorPart, UnsupportedError } from "../../../src/tools/erc7730/descriptor/part.ts";
import { readAbi, readFunction, readMessageType } from "../../../src/tools/erc7730/function-text.ts";

const noAbi = readAbi(undefined);

/** An ABI of a descriptor with what is reported of it. */
function abiOf(abi: unknown) {
  const reported: string[] = [];
  const root = DescriptorPart.root({ abi }, (place, reason) => reported.push(`${place}: ${reason}`));
  const found = readAbi(root.get("abi"));
  return { found, reported, usage: root.get("abi")?.usage };
}

/** The function of a key in the words of a rule file, or why there is none. */
function textOf(key: string, abi = noAbi): string {
  try {
    return readFunction(key, abi).text;
  } catch (error) {
    if (error instanceof UnsupportedError) return error.message;
    throw error;
  }
}

describe("a function by its key", () => {
  const none = "a key that is neither a signature nor a selector";
  const odd = "a parameter whose name or type cannot be written";
  it.each([
    ["act()", "function act()"],
    ["  function  act(uint256)  ", "function act(uint256 arg0)"],
    ["act(uint256 a,address)", "function act(uint256 a, address arg1)"],
    ["act(tuple(uint256 a,bytes32[2][] b)[] list)", "function act((uint256 a, bytes32[2][] b)[] list)"],
    ["act((uint256,(bool b) c) d)", "function act((uint256 arg0, (bool b) c) d)"],
    ["act", none],
    ["act(uint256 a) returns (uint256)", "function act(uint256 a)"],
    ["act(uint256 a) external", none],
    ["1act()", none],
    ["act(mystery a)", "a signature that does not parse"],
    ["act(uint256[][][][] a)", odd],
    ["act(uint256[1000] a)", odd],
    ["act(uint7 a)", "a signature that does not parse"],
    ["0x12345678", "a selector whose signature the descriptor does not hold"],
  ])("%s is %s", (key, text) => {
    expect(textOf(key)).toBe(text);
  });

  it("has the names of the descriptor's ABI where its own are not complete", () => {
    const inputs = ["amount", "to"].map((name, i) => ({ name, type: i === 0 ? "uint256" : "address" }));
    const { found } = abiOf([{ type: "function", name: "act", inputs }]);
    const [whole, own] = ["function act(uint256 amount, address to)", "function act(uint256 a, address b)"];
    expect(textOf("act(uint256,address)", found)).toBe(whole);
    expect(textOf("act(uint256 a,address)", found)).toBe(whole);
    expect(textOf("act(uint256,address b)", found)).toBe(whole);
    expect(textOf("act(uint256 a,address b)", found)).toBe(own);
  });

  it("has structs six deep at most", () => {
    const nested = (depth: number): string => (depth === 0 ? "bool a" : `(${nested(depth - 1)}) s${depth}`);
    expect(textOf(`act(${nested(6)})`)).toBe(`function act(${nested(6)})`);
    expect(textOf(`act(${nested(7)})`)).toBe("structs that nest too deep");
  });

  it("has 1,500 characters at most, as it stands and as it is written", () => {
    const named = (length: number) => `act(${"uint8 a,".repeat(150).padEnd(length - "act(uint8 b)".length)}uint8 b)`;
    const unnamed = (count: number) => `act(${Array(count).fill("uint8").join(",")})`;
    expect(textOf(named(1_501))).toBe(none);
    expect(named(1_500)).toHaveLength(1_500);
    expect(textOf(named(1_500))).not.toBe(none);
    expect(textOf(unnamed(110))).toMatch(/^function act\(uint8 arg0, .*, uint8 arg109\)$/);
    expect(textOf(unnamed(150))).toBe("a signature that is too long");
  });

  it("takes names and selectors from the ABI", () => {
    const entry = (name: unknown, ...types: string[]) => ({
      ...{ type: "function", name },
      inputs: types.map((type, i) => ({ type, name: `p${i}` })),
    });
    const { found, reported, usage } = abiOf([
      entry("act", "uint256"),
      { ...entry("act", "uint256"), inputs: [{ type: "uint256", name: "other" }] },
      { ...entry("event", "uint256"), type: "event" },
      entry("odd-name", "uint256"),
      entry(5),
      entry("wrong", "mystery"),
      { type: "function", name: "bare" },
      { type: "function", name: "empty", inputs: [{ type: "tuple", name: "s", components: [] }] },
      { type: "function", name: "none", inputs: [{ type: "tuple", name: "s" }] },
      null,
      entry("last", "bytes"),
    ]);
    expect([...found.values()].map(({ text }) => text)).toEqual([
      "function act(uint256 p0)",
      "function last(bytes p0)",
    ]);
    expect([reported, usage]).toEqual([[], "all"]);
    expect(textOf("act(uint256)", found)).toBe("function act(uint256 p0)");
    expect(textOf("act(uint256 mine)", found)).toBe("function act(uint256 mine)");
    const [selector = ""] = found.keys();
    expect(textOf(selector, found)).toBe("function act(uint256 p0)");
    expect(textOf(`0x${selector.slice(2).toUpperCase()}`, found)).toBe("function act(uint256 p0)");
    expect(abiOf("https://example.org").reported).toEqual(["/abi: an ABI elsewhere is not fetched"]);
  });

  it("is sought in the first 2,000 entries", () => {
    const entries = Array.from({ length: 2_001 }, (_, i) => ({
      type: i < 1_999 ? "event" : "function",
      name: `f${i}`,
      inputs: [],
    }));
    expect([...abiOf(entries).found.values()].map(({ text }) => text)).toEqual(["function f1999()"]);
  });
});

describe("a message by its key", () => {
  it("is written as a rule file has it", () => {
    const { text, item } = readMessageType("  Act(address to,uint256 n) ");
    expect([text, item.name]).toEqual(["message Act(address to,uint256 n)", "Act"]);
    expect(() => readMessageType("Act(")).toThrow(new UnsupportedError("a key that is no type of a message"));
  });

  it("has 1,500 characters at most", () => {
    const padded = (length: number) => `Act(${" ".repeat(length - "message Act(bool a)".length)}bool a)`;
    expect(readMessageType(padded(1_500)).text).toHaveLength(1_500);
    expect(() => readMessageType(padded(1_501))).toThrow(new UnsupportedError("a message type that is too long"));
  });
});
