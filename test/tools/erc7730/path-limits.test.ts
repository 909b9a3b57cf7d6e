import { describe, expect, it } from "vitest";
import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { locate } from "../../../src/tools/erc7730/fields/path.ts";

/** A path of this many characters, to a parameter with a long name. */
function pathOf(length: number) {
  const name = `p${"a".repeat(length - 1)}`;
  const item = parseSignature(`function act(uint256 ${name})`) as FunctionItem;
  return { name, located: () => locate(name, item, "uint") };
}

describe("a path of a descriptor", () => {
  it("is read up to 200 characters", () => {
    const { name, located } = pathOf(200);
    expect(located()).toMatchObject({ path: `args.${name}`, type: "uint" });
    expect(() => pathOf(201).located()).toThrow("a field without a path");
  });
});

describe("a slice of bytes", () => {
  const item = parseSignature("function act(uint256 n, bytes data, bytes32 word)") as FunctionItem;

  it.each([
    ["n.[0:20]", "address", ["args", "n", "addressAt", "0"]],
    ["n.[-20:]", "address", ["args", "n", "addressAt", "12"]],
    ["n.[0:32]", "uint", ["args", "n", "uintAt", "0", "32"]],
    ["word.[31:]", "uint", ["args", "word", "uintAt", "31", "1"]],
    ["data.[-20:]", "address", ["args", "data", "addressAt", "-20"]],
    ["data.[2:4]", "uint", ["args", "data", "uintAt", "2", "2"]],
  ] as const)("%s is read as %s", (path, view, parts) => {
    expect(locate(path, item, view)).toMatchObject({ path: parts.join("."), type: view });
  });

  it.each([
    ["n.[0:19]", "address"],
    ["n.[0:21]", "address"],
    ["data.[-19:]", "address"],
    ["n.[4:4]", "uint"],
    ["n.[0:33]", "uint"],
    ["word.[-33:]", "uint"],
    ["data.[0:33]", "uint"],
    ["data.[-2:1]", "uint"],
  ] as const)("%s is not one %s", (path, view) => {
    expect(() => locate(path, item, view)).toThrow("a slice that is not one number or address");
  });
});
