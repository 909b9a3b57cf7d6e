import { describe, expect, it } from "vitest";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import { root } from "../support/shared.ts";

const { ruleset, files } = loadRuleset(`${root}rules`);

describe("what errors mean", () => {
  const causes = files.flatMap(({ document, scope, source }) =>
    Object.entries(document?.causes ?? {}).map(([error, words]) => ({
      ...{ file: source.file, words, item: scope?.abi.get(error), error },
    })),
  );

  it("stands in one file for each error", () => {
    const keys = causes.map(({ item, error }) => item?.signature ?? error);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  it("is found by the selector of an error, which its name and arguments are told of too", () => {
    for (const { item } of causes) if (item !== undefined) expect(ruleset.errors.get(item.hash)).toBe(item);
    expect(ruleset.causes.get("0xd93c0665")).toBe("the contract is paused");
    expect(ruleset.causes.get("STF")).toBeDefined();
  });

  it("goes on after a colon and is one clause", () => {
    for (const { words, error } of causes)
      if (typeof words === "string") expect(words, error).toMatch(/^[a-z][^.]*[A-Za-z0-9]$/);
  });
});
