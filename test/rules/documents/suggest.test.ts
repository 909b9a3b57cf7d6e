import { describe, expect, it } from "vitest";
import { suggest } from "../../../src/rules/documents/suggest.ts";

describe("the word that was probably meant", () => {
  it.each<[string, string[], string | undefined]>([
    ["amuont", ["amount", "account"], "amount"],
    ["amout", ["amounts"], "amounts"],
    ["amou", ["amounts"], undefined],
    ["abc", ["xbc"], "xbc"],
    ["abc", ["xyc"], "xyc"],
    ["abc", ["xyz"], undefined],
    ["ab", ["abcd"], "abcd"],
    ["ab", ["abcde"], undefined],
    ["abcde", ["ab"], undefined],
    ["abcd", ["ab"], "ab"],
    ["", ["ab", "abc"], "ab"],
    ["aXbc", ["abc"], "abc"],
    // As many letters off: the first by its name.
    ["pol", ["pul", "pil"], "pil"],
    // Nearer beats earlier.
    ["pool", ["pals", "poop"], "poop"],
    ["amount", ["args.amount"], "args.amount"],
    ["amount", ["args.amounts", "args.amount"], "args.amount"],
    ["amount", ["log.amount", "args.amount"], "args.amount"],
    ["amount", ["amount", "args.amount"], "amount"],
    ["amount", [], undefined],
    ["aave", ["safe", "aave-v3", "aave-v4"], "aave-v3"],
    ["aave", ["aavegotchi"], undefined],
  ])("of %j among %j is %j", (word, known, expected) => {
    expect(suggest(word, known)).toBe(expected);
  });
});
