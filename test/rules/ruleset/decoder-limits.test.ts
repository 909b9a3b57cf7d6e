import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";

const word = (value: number) => value.toString(16).padStart(64, "0");

describe("arrays that overlap", () => {
  it("hold no more than the data could: a small calldata cannot ask for a large memory", () => {
    const item = parseSignature("function batch(uint256[][] lists)");
    if (item.kind === "event") throw new Error("a function was expected");
    const [outer, inner] = [1000, 1000];
    // Every offset of the outer list leads to the same inner list.
    const offsets = Array.from({ length: outer }, () => word(outer * 32)).join("");
    const data = `${item.hash}${word(32)}${word(outer)}${offsets}${word(inner)}${word(7).repeat(inner)}`;
    expect(item.read(data)).toBeUndefined();
    const single = `${item.hash}${word(32)}${word(1)}${word(32)}${word(2)}${word(7)}${word(8)}`;
    expect(item.read(single)).toEqual([[[7n, 8n]]]);
  });

  it("hold no more than four elements for each word of the data", () => {
    const item = parseSignature("function batch(uint256[][] lists)");
    if (item.kind === "event") throw new Error("a function was expected");
    const read = (outer: number, inner: number) => {
      const offsets = word(outer * 32).repeat(outer);
      return item.read(`${item.hash}${word(32)}${word(outer)}${offsets}${word(inner)}${word(7).repeat(inner)}`);
    };
    // 5 lists and 5 * 27 elements in 35 words; then 145 in 36 words.
    expect(read(5, 27)).toEqual([Array.from({ length: 5 }, () => Array.from({ length: 27 }, () => 7n))]);
    expect(read(5, 28)).toBeUndefined();
  });
});
