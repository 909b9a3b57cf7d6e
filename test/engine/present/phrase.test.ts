import { describe, expect, it } from "vitest";
import { cutWords, joinPhrases, joinSentences, joinWords } from "../../../src/engine/present/phrase.ts";

describe("words", () => {
  const said = (text: string, untrusted = false) => ({ text, untrusted });

  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a and b"],
    [["a", "b", "c"], "a, b and c"],
  ])("%j are joined as %j", (words, text) => {
    expect(joinWords(words)).toBe(text);
    expect(joinPhrases(words.map((word) => said(word)))).toEqual(said(text));
    expect(joinSentences(words.map((word) => said(word)))).toEqual(said(words.join(" ")));
  });

  it("of a stranger make the whole phrase untrusted", () => {
    const both = [said("a"), said("b", true), said("c")];
    expect(joinPhrases(both)).toEqual(said("a, b and c", true));
    expect(joinSentences(both)).toEqual(said("a b c", true));
  });

  it.each([
    ["one two three", 9, "one two…"],
    ["one two three", 7, "one…"],
    ["one two three", 8, "one two…"],
    ['say "some words" now', 12, "say…"],
    ['say "some words" now', 18, 'say "some words"…'],
    ["onetwothree", 5, "onetw…"],
  ])("%j is cut at %i characters to %j", (text, max, cut) => {
    expect(cutWords(text, max)).toBe(cut);
  });
});
