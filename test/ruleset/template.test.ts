import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplate, placeholdersOf } from "../../src/ruleset/compile/template.ts";
import { suggest } from "../../src/ruleset/document/suggest.ts";

describe("templates", () => {
  it("are text and placeholders with their places", () => {
    expect(parseTemplate("{subject} gave {amount.raw}!")).toEqual({
      text: "{subject} gave {amount.raw}!",
      parts: [
        { capture: "subject", facet: null, offset: 1 },
        " gave ",
        { capture: "amount", facet: "raw", offset: 16 },
        "!",
      ],
    });
  });

  it("leave what is no placeholder as it is", () => {
    for (const text of ["", "plain", "{", "}{", "{A}", "{a b}", "{a.b.c}", "{{a", "{a.}"])
      expect(placeholdersOf(parseTemplate(text)).length === 0 || text === "{{a").toBe(true);
  });

  it("lose no character, and point at each name", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "}", "a", "b1", ".", " ", "{ab}", "{ab.full}") }), (text) => {
        const { parts } = parseTemplate(text);
        const whole = parts
          .map((part) =>
            typeof part === "string" ? part : `{${part.capture}${part.facet === null ? "" : `.${part.facet}`}}`,
          )
          .join("");
        expect(whole).toBe(text);
        for (const part of placeholdersOf({ text, parts }))
          expect(text.startsWith(part.capture, part.offset)).toBe(true);
      }),
    );
  });
});

describe("suggestions", () => {
  it.each<[string, string[], string | undefined]>([
    ["amont", ["amount", "account"], "amount"],
    ["given", ["flow.given", "flow.gotten"], "flow.given"],
    ["xyz", ["amount"], undefined],
    ["ab", ["ac", "ad"], "ac"],
    ["", ["abc"], undefined],
    ["same", ["same"], "same"],
  ])("%s of %j", (word, known, expected) => {
    expect(suggest(word, known)).toBe(expected);
    expect(suggest(word, [...known].reverse())).toBe(expected);
  });
});
