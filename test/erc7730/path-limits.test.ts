import { describe, expect, it } from "vitest";
import type { FunctionItem } from "../../src/abi/signature.ts";
import { parseSignature } from "../../src/abi/signature-parser.ts";
import { locate } from "../../src/erc7730/fields/path.ts";

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
