import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suggest } from "../../../src/rules/documents/suggest.ts";
import {
  type Part,
  parsePhrase,
  parseTemplate,
  placeholdersOf,
  verbsOf,
} from "../../../src/rules/ruleset/compile/template.ts";
import { loadRuleset } from "../../../src/rules/ruleset/load.ts";
import { root } from "../../support/shared.ts";

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

  const value = (capture: string, offset: number, facet: string | null = null) => ({
    ...{ kind: "value", capture, facet, offset },
  });
  const verb = (base: unknown, offset: number, first = false) => ({ kind: "verb", base, first, offset });
  const clause = (...alternatives: unknown[][]) => ({ kind: "clause", alternatives });

  it.each<[string, unknown[]]>([
    ["(a Safe) add it", ["(a Safe) ", verb("add", 9, true), " it"]],
    ["(a Safe add it", ["(a Safe add it"]],
    ["go and <send> it", [verb("go", 0, true), " and ", verb("send", 8), " it"]],
    [
      "<{what}> {n} and <{then}>",
      [verb(value("what", 2), 1, true), " ", value("n", 10), " and ", verb(value("then", 19), 18)],
    ],
    ["(x) <{what}>", ["(x) ", verb(value("what", 6), 5, true)]],
    ["(x) {who} and <{what}>", ["(x) ", value("who", 5), " and ", verb(value("what", 16), 15)]],
    ["<go> on", [verb("go", 1, true), " on"]],
    [
      "go[ to {a}| at {b}|]!",
      [verb("go", 0, true), clause([" to ", value("a", 8)], [" at ", value("b", 16)], []), "!"],
    ],
    ["go [a] [b|c]", [verb("go", 0, true), " ", clause(["a"]), " ", clause(["b"], ["c"])]],
    ["go [a[b]c]", [verb("go", 0, true), " ", clause(["a[b"]), "c]"]],
    ["go | ] on", [verb("go", 0, true), " | ] on"]],
    ["go [a", [verb("go", 0, true), " ", clause(["a"])]],
    ["Go {a.full}", ["Go ", value("a", 4, "full")]],
    ["", []],
  ])("take %j apart", (text, parts) => {
    expect(parseTemplate(text)).toEqual({ text, parts });
  });

  it("have placeholders and verbs in their clauses, too", () => {
    const template = parseTemplate("go to {a}[ and <send> {b}| and <{c}>]{d}");
    expect(placeholdersOf(template).map(({ capture }) => capture)).toEqual(["a", "b", "c", "d"]);
    expect(verbsOf(template).map(({ base }) => (typeof base === "string" ? base : base.capture))).toEqual([
      ...["go", "send", "c"],
    ]);
  });

  it("of a phrase have no verb at their start", () => {
    expect(parsePhrase("(the) call of {account}")).toEqual({
      text: "(the) call of {account}",
      parts: ["(the) call of ", value("account", 15)],
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
          expect(textOf(parts, text)).toBe(text);
          for (const part of placeholdersOf({ text, parts }))
            expect(text.startsWith(part.capture, part.offset)).toBe(true);
        },
      ),
    );
  });
});

describe("the shipped sentences", () => {
  const { rules, actions } = loadRuleset(join(root, "rules")).ruleset;

  it("print as they are written", () => {
    const all = [...rules, ...actions.values()].map(({ does }) => does);
    expect(all.length).toBeGreaterThan(1_000);
    expect(all.filter(({ parts, text }) => textOf(parts, text) !== text)).toEqual([]);
  });
});

/** The parts of a text, written as text again. A clause that is not closed ends with the text. */
function textOf(parts: readonly Part[], text: string): string {
  const write = (part: Part): string => {
    if (typeof part === "string") return part;
    if (part.kind === "value") return `{${part.capture}${part.facet === null ? "" : `.${part.facet}`}}`;
    if (part.kind === "clause") return `[${part.alternatives.map((parts) => textOf(parts, text)).join("|")}]`;
    const word = typeof part.base === "string" ? part.base : write(part.base);
    return text[part.offset - 1] === "<" ? `<${word}>` : word;
  };
  return parts.map(write).join("");
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
