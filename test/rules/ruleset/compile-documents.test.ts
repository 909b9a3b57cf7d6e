import { describe, expect, it } from "vitest";
import { compileTexts, marketFile } from "./rule-text.ts";

describe("a set of files", () => {
  const rule = (id: string) =>
    `rules:\n  - { id: ${id}, action: stake, anchor: { call: move }, at: pool, say: "do it" }\n`;

  it("leaves out a file with a mistake, and only that", () => {
    const broken = marketFile(rule("b")).replace("protocol: market", "protocol: broken").replace("at: pool", "at: pol");
    const { ruleset, diagnostics } = compileTexts({ market: marketFile(rule("a")), broken });
    expect(ruleset.rules.map((one) => one.id)).toEqual(["market/a"]);
    expect([...new Set(diagnostics.map((one) => one.file))]).toEqual(["rules/broken.yaml"]);
  });

  it("drops custom errors that two files spell differently under one selector, and keeps the others", () => {
    const { ruleset } = compileTexts({ market: marketFile("") });
    expect([...ruleset.errors.values()].map((error) => error.signature)).toEqual(["Denied(address)"]);
  });

  it("names its contracts: by label, else by protocol and role", () => {
    const { ruleset } = compileTexts({ market: marketFile("") });
    expect(ruleset.names.map((name) => [name.label, name.category])).toEqual([
      ["Market factory", "market"],
      ["Market pool", "market"],
      ["The Pool", "market"],
    ]);
  });

  it("has a fingerprint that follows what files say", () => {
    const print = (text: string) => compileTexts({ market: text }).ruleset.fingerprint;
    const text = marketFile(rule("a"));
    expect(print(`# a comment\n${text}`)).toBe(print(text));
    expect(
      print(text.replace("kind: protocol\n", "").replace("name: Market\n", "kind: protocol\nname: Market\n")),
    ).toBe(print(text));
    expect(print(text.replace("do it", "do that"))).not.toBe(print(text));
  });

  it("without an action table knows no action", () => {
    const found = compileTexts({ market: marketFile(rule("a")) });
    expect(found.ruleset.actions.size).toBeGreaterThan(30);
    expect(found.ruleset.actions.get("swap")?.tier).toBe("protocol");
  });
});
