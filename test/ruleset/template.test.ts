import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Part, parseTemplate, placeholdersOf, verbsOf } from "../../src/ruleset/compile/template.ts";
import { suggest } from "../../src/ruleset/document/suggest.ts";

describe("templates", () => {
  it("are text and placeholders with their places", () => {
    expect(parseTemplate("give {amount.raw}!")).toEqual({
      text: "give {amount.raw}!",
      parts: [
        { kind: "verb", base: "give", first: true, offset: 0 },
        " ",
        { kind: "value", capture: "amount", facet: "raw", offset: 6 },
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
      fc.property(
        fc.string({
          unit: fc.constantFrom("{", "}", "a", "b1", ".", " ", "<go>", "<{ab}>", "[", "]", "|", "{ab}", "{ab.full}"),
        }),
        (text) => {
          const { parts } = parseTemplate(text);
          expect(parts.map(textOf).join("")).toBe(text);
          for (const part of placeholdersOf({ text, parts }))
            expect(text.startsWith(part.capture, part.offset)).toBe(true);
        },
      ),
    );
  });
});

/** A part as it is written. A clause that is never closed ends with the text. */
function textOf(part: Part): string {
  if (typeof part === "string") return part;
  if (part.kind === "value") return `{${part.capture}${part.facet === null ? "" : `.${part.facet}`}}`;
  if (part.kind === "clause") return `[${part.alternatives.map((parts) => parts.map(textOf).join("")).join("|")}]`;
  const word = typeof part.base === "string" ? part.base : textOf(part.base);
  return typeof part.base === "string" && (part.first || part.offset === 0) ? word : `<${word}>`;
}

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
