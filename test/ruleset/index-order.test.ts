import { describe, expect, it } from "vitest";
import { compileTexts } from "./rule-text.ts";

const wrapper = (protocol: string, ids: string[]) => `protocol: ${protocol}
kind: standard
abi:
  run: "function run(address target, bytes data)"
unwrap:
${ids.map((id) => `  - { id: ${id}, call: run, inner: { from: call.to, to: args.target, data: args.data } }`).join("\n")}
rules: []`;

describe("what stands on one selector", () => {
  it("is tried in the order of ids, in whatever order files and entries come", () => {
    const texts = { a: wrapper("a", ["z", "b"]), b: wrapper("b", ["y", "a"]) };
    const orders = [texts, { b: texts.b, a: texts.a }].map((files) => {
      const { ruleset } = compileTexts(files);
      return [...ruleset.unwrappers.values()].map((list) => list.map(({ id }) => id));
    });
    expect(orders).toEqual([[["a/b", "a/z", "b/a", "b/y"]], [["a/b", "a/z", "b/a", "b/y"]]]);
  });
});
