import { describe, expect, it } from "vitest";
import { compileTexts } from "./rule-text.ts";

describe("rules about one message", () => {
  const file = (protocol: string, rules: string) => `protocol: ${protocol}
name: Some
kind: protocol
source: example book
contracts: { pool: { "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": A pool } }
abi:
  Order: "message Order(address maker)"
  Open: "message Open(address maker, ...)"
  Tree: "message Tree(Leaf[2]... tree) Leaf(address token)"
rules:
${rules}`;
  const rule = (id: string, rest: string) => `  - { id: ${id}, action: governance, does: "sign it", ${rest} }\n`;

  it("are tried as they are proven, then by file and place, those that yield last", () => {
    const texts = {
      b: file(
        "b",
        rule("late", "sign: Order, at: pool, yields: true") +
          rule("any", "sign: Order, at: any") +
          rule("one", "sign: Order, at: pool") +
          rule("two", "sign: Order, at: pool") +
          rule("yields-anywhere", "sign: Order, at: any, yields: true") +
          rule("open", "sign: Open, at: pool"),
      ),
      a: file("a", rule("one", "sign: Order, at: pool") + rule("open", "sign: Open, at: any")),
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
    const { ruleset } = compileTexts({ c: file("c", rule("tree", "sign: Tree, at: pool")) });
    expect([...ruleset.messages.values()].map((rules) => rules.map(({ id }) => id))).toEqual(
      Array.from({ length: 10 }, () => ["c/tree"]),
    );
    const [first] = [...ruleset.messages.values()].flat();
    const hashes = [first?.message.hash, ...(first?.message.tree?.taller ?? [])];
    expect([...ruleset.messages.keys()]).toEqual(hashes);
  });
});
