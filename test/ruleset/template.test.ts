import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suggest } from "../../src/documents/suggest.ts";
import { type Part, parseTemplate, placeholdersOf, verbsOf } from "../../src/ruleset/compile/template.ts";
import { isPastOnly, pastTense, readVerbs } from "../../src/ruleset/verbs.ts";

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
          unit: fc.constantFrom(
            "{",
            "}",
            "a",
            "b1",
            ".",
            " ",
            "<go>",
            "<{ab}>",
            "[ to {ab}|a]",
            "]",
            "|",
            "{ab}",
            "{ab.full}",
          ),
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
  return part.offset === 0 ? word : `<${word}>`;
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

describe("verbs", () => {
  const table = new Map([
    ["take", "took"],
    ["cancel", "cancelled"],
    ["be", "was"],
  ]);

  it.each([
    ["swap", "swapped"],
    ["stake", "staked"],
    ["supply", "supplied"],
    ["stay", "stayed"],
    ["claim", "claimed"],
    ["borrow", "borrowed"],
    ["mint", "minted"],
    ["take", "took"],
    ["cancel", "cancelled"],
    ["be", "was"],
  ])("%s gives %s", (base, past) => {
    expect(pastTense(base, table)).toBe(past);
  });

  it.each(["visit", "open", "swapped", "staking", "Swap", "x1", "", "bought"])("nothing is certain of %s", (word) => {
    expect(pastTense(word, table)).toBeUndefined();
  });

  it("of a sentence are its first word and the marked ones", () => {
    const told = (text: string) => verbsOf(parseTemplate(text)).map(({ base, first }) => [base, first]);
    expect(told("unwrap {gives} and <send> it")).toEqual([
      ["unwrap", true],
      ["send", false],
    ]);
    expect(told("(a Safe) add an owner")).toEqual([["add", true]]);
    expect(told("{gives} for {gets}")).toEqual([]);
  });

  it("know a past tense that is no base form", () => {
    expect([isPastOnly("took", table), isPastOnly("take", table)]).toEqual([true, false]);
    expect(readVerbs({ past: { take: "took" } }).get("take")).toBe("took");
    expect(readVerbs(undefined).size).toBe(0);
  });
});
