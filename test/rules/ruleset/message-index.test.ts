import { describe, expect, it } from "vitest";
import { compileTexts } from "./rule-text.ts";

describe("rules about one message", () => {
  const file = (protocol: string, rules: string) => `protocol: ${protocol}
name: Some
kind: protocol
source: example book
contracts: { pool: { A pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" } }
abi:
  Order: "message Order(address maker)"
  Open: "message Open(address maker, ...)"
  Tree: "message Tree(Leaf[2]... tree) Leaf(address token)"
messages:
${rules}`;
  const rule = (id: string, rest: string) => `  - { id: ${id}, action: governance, say: "sign it", ${rest} }\n`;

  it("are tried as they are proven, then by file and place, those that yield last", () => {
    const texts = {
      b: file(
        "b",
        rule("late", "message: Order, at: pool, after: everything") +
          rule("any", "message: Order, at: any") +
          rule("one", "message: Order, at: pool") +
          rule("two", "message: Order, at: pool") +
          rule("yields-anywhere", "message: Order, at: any, after: everything") +
          rule("open", "message: Open, at: pool"),
      ),
      a: file("a", rule("one", "message: Order, at: pool") + rule("open", "message: Open, at: any")),
    };
    const { ruleset, diagnostics } = compileTexts(texts);
    expect(diagnostics).toEqual([]);
    expect([...ruleset.messages.values()].map((rules) => rules.map(({ id }) => id))).toEqual([
      ["a/one", "b/one", "b/two", "b/any", "b/late", "b/yields-anywhere"],
    ]);
    expect([...ruleset.openMessages].map(([name, rules]) => [name, rules.map(({ id }) => id)])).toEqual([
      ["Open", ["b/open", "a/open"]],
    ]);
  });

  it("of a tree are found by the type of each height", () => {
    const { ruleset } = compileTexts({ c: file("c", rule("tree", "message: Tree, at: pool")) });
    expect([...ruleset.messages.values()].map((rules) => rules.map(({ id }) => id))).toEqual(
      Array.from({ length: 10 }, () => ["c/tree"]),
    );
    const [first] = [...ruleset.messages.values()].flat();
    const hashes = [first?.message.hash, ...(first?.message.tree?.taller ?? [])];
    expect([...ruleset.messages.keys()]).toEqual(hashes);
  });
});
