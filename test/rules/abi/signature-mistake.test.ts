import { describe, expect, it } from "vitest";
import { elementaryTypes, findSignatureMistake } from "../../../src/rules/abi/signature-mistake.ts";
import {
  addressInNumber,
  addressInWord,
  bytesIn,
  bytesLength,
  isOffset,
  numberIn,
  slice,
} from "../../../src/rules/abi/word-view.ts";

/** The text with `«` and `»` around the place that the mistake marks, and the message. */
function marked(text: string) {
  const found = findSignatureMistake(text);
  if (found === undefined) return undefined;
  const { offset, length, message, word } = found;
  const place = `${text.slice(0, offset)}«${text.slice(offset, offset + length)}»${text.slice(offset + length)}`;
  return [place, message, ...(word === undefined ? [] : [word])];
}

describe("a signature without a mistake", () => {
  it.each([
    "function f()",
    "function f( )",
    "function f(uint256 a, address b) returns (uint256)",
    "event E(address indexed a, bytes32 indexed b, uint8 indexed c, uint d)",
    "function f(address indexed1, (uint256 a, (bytes b)[2] c)[] memory d, string calldata e, bytes storage f)",
    "function f(tuple(uint256 a) b, uint256[] memory c, uint256[3][] d)",
    "error E(int8 $a, function _b)",
    "event indexed(uint indexed a, uint indexed b, uint indexed c)",
    "function f(uint8 a) returns (uint8 indexed)",
    "function f(uint a)  ",
    "step WRAP(address to)",
    "function f(uint $indexed, uint a$indexed, uint b$indexed, uint c$indexed)",
    "no signature at all",
  ])("%s", (text) => expect(marked(text)).toBeUndefined());
});

describe("a mistake in a signature", () => {
  const closed = "the parenthesis that opens here is not closed; `)` was expected";
  const missing = "a parameter is missing beside this comma";
  const stray = "`indexed` stands in events only, beside a parameter of the event itself";
  const own = "; a contract stands as `address`, an enum as `uint8`, a struct as its types in parentheses";
  const sizes = "is no type: integers have 8, 16, 24 … 256 bits";
  it.each<[string, string, string?]>([
    ["function f(uint a)«;» ", "a semicolon stands at the end; none was expected"],
    ["function «»", "a name was expected after `function`"],
    ["event («u»int a)", "a name was expected after `event`"],
    ["function f«»", "`(` was expected after `f`"],
    ["function f«(»uint a", closed],
    ["function f«(»(uint a) b", closed],
    ["function f«(»uint a, (uint b c", closed],
    ["function f«(»(uint a, (uint b) c)", closed],
    ["function f((uint a, (uint b) c)[] d, (uint e) «(g)»)", "`(g)` is no name"],
    ["function f(uint a«,»)", missing],
    ["function f(uint a«,», uint b)", missing],
    ["function f(uint a«,» )", missing],
    ["function f(uint a«,» , uint b)", missing],
    ["function f«(», uint b)", missing],
    ["function f(«uint7» a)", `\`uint7\` ${sizes}`, "uint7"],
    ["function f(«int264»[] a)", `\`int264\` ${sizes}`, "int264"],
    ["function f(uint a, «addres» b)", "`addres` is no type of the ABI", "addres"],
    ["function f(«Token» a)", `\`Token\` is no type of the ABI${own}`],
    ["function f((«bytes33» a) b)", "`bytes33` is no type of the ABI", "bytes33"],
    ["function f(«uint256»)", "the parameter `uint256` has no name; one was expected behind it"],
    ["function f(«uint256[2]» )", "the parameter `uint256[2]` has no name; one was expected behind it"],
    ["function f(«(uint a)[]»)", "the parameter `(uint a)[]` has no name; one was expected behind it"],
    ["function f(uint a «b»)", "`b` stands behind the name; a comma was expected before it"],
    ["function f(uint «1a»)", "`1a` is no name"],
    ["function f(uint «memory» a)", "`memory` does not belong to `uint`; it was expected to be left out"],
    ["function f(address «calldata» a)", "`calldata` does not belong to `address`; it was expected to be left out"],
    ["function f(uint «indexed» a)", stray],
    ["event E((uint «indexed» a) b)", stray],
    [
      "event E(uint indexed a, uint indexed b, uint indexed c, uint «indexed» d)",
      "an event has three `indexed` parameters at most; this is the fourth",
    ],
  ])("%s", (place, message, word) => {
    expect(marked(place.replace(/[«»]/g, ""))?.slice(1)).toEqual([message, ...(word === undefined ? [] : [word])]);
    const text = place.replace(/[«»]/g, "");
    const found = findSignatureMistake(text);
    expect(found?.offset).toBe(place.indexOf("«"));
    expect(found?.length).toBe(Math.max(1, place.indexOf("»") - place.indexOf("«") - 1));
  });

  it("is no size that the ABI has", () => {
    const count = (pattern: RegExp) => elementaryTypes.filter((type) => pattern.test(type)).length;
    expect([count(/^uint\d/), count(/^int\d/), count(/^bytes\d/), elementaryTypes.length]).toEqual([32, 32, 32, 103]);
    expect(["uint8", "uint256", "int8", "bytes1", "bytes32"].every((type) => elementaryTypes.includes(type))).toBe(
      true,
    );
    expect(["uint0", "uint264", "bytes0", "bytes33"].some((type) => elementaryTypes.includes(type))).toBe(false);
  });
});

describe("views of a value", () => {
  it("are offsets of at most five digits", () => {
    expect(["0", "-1", "12345"].every(isOffset)).toBe(true);
    expect([undefined, "", "-", "123456", "1a"].some(isOffset)).toBe(false);
  });

  it.each<[number, number, string | undefined]>([
    [0, 2, "0x1122"],
    [1, 2, "0x2233"],
    [2, 1, "0x33"],
    [2, 2, undefined],
    [3, 0, "0x"],
    [4, 0, undefined],
    [-1, 1, "0x33"],
    [-3, 3, "0x112233"],
    [-4, 1, undefined],
    [-1, 2, undefined],
  ])("are bytes from %d on, %d of them: %s", (offset, size, expected) => {
    expect(slice("0x112233", offset, size)).toBe(expected);
    expect(slice(5n, offset, size)).toBeUndefined();
  });

  it("are numbers, bytes and addresses of each other", () => {
    const address = `0x${"ab".repeat(20)}`;
    expect([bytesIn(255n, 4), bytesIn("0x", 4)]).toEqual(["0x00ff", undefined]);
    expect([numberIn("0xff"), numberIn("0x"), numberIn(undefined)]).toEqual([255n, undefined, undefined]);
    expect(addressInWord(`0x${"0".repeat(24)}${address.slice(2)}`)).toBe(address);
    expect(addressInWord(`0x${"0".repeat(23)}1${address.slice(2)}`)).toBeUndefined();
    expect(addressInWord(5n)).toBeUndefined();
    expect(addressInNumber(BigInt(address))).toBe(address);
    expect([addressInNumber((1n << 160n) - 1n), addressInNumber(1n << 160n), addressInNumber("0x")]).toEqual([
      `0x${"f".repeat(40)}`,
      undefined,
      undefined,
    ]);
    expect(addressInNumber(1n)).toBe(`0x${"0".repeat(39)}1`);
    expect([bytesLength("0x"), bytesLength("0x1122"), bytesLength(5n)]).toEqual([0n, 2n, undefined]);
  });
});
