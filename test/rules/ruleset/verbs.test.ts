import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplate, verbsOf } from "../../../src/rules/ruleset/compile/template.ts";
import { loadRuleset } from "../../../src/rules/ruleset/load.ts";
import { isPastOnly, pastTense, readVerbs } from "../../../src/rules/ruleset/verbs.ts";
import { root } from "../../support/shared.ts";

const none = new Map<string, string>();
const letters = (of: string) => fc.constantFrom(...of);
const consonant = letters("bcdfghjklmnpqrstvz");
const vowel = letters("aeiou");
const join3 = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((found) => found.join(""));

describe("regular verbs", () => {
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
    ["fix", "fixed"],
    ["mint", "minted"],
    ["agree", "agreed"],
    ["take", "took"],
    ["cancel", "cancelled"],
    ["be", "was"],
  ])("%s gives %s", (base, past) => {
    expect(pastTense(base, table)).toBe(past);
  });

  it.each(["visit", "open", "swapped", "staking", "Swap", "x1", "", "bought"])("nothing is certain of %s", (word) => {
    expect(pastTense(word, table)).toBeUndefined();
  });

  it("of one short syllable double their last consonant", () => {
    fc.assert(
      fc.property(join3(consonant, vowel, consonant), (verb) => {
        fc.pre(!verb.endsWith("ed"));
        expect(pastTense(verb, none)).toBe(`${verb}${verb.at(-1)}ed`);
      }),
    );
  });

  it("that end with e take a d only", () => {
    fc.assert(
      fc.property(join3(consonant, vowel, consonant), (stem) => {
        expect(pastTense(`${stem}e`, none)).toBe(`${stem}ed`);
      }),
    );
  });

  it("change a y behind a consonant, and keep one behind a vowel", () => {
    fc.assert(
      fc.property(join3(consonant, vowel, consonant), join3(consonant, vowel), (one, other) => {
        expect(pastTense(`${one}y`, none)).toBe(`${one}ied`);
        expect(pastTense(`${other}y`, none)).toBe(`${other}yed`);
      }),
    );
  });

  it("of several syllables with a short last one are left to the table", () => {
    fc.assert(
      fc.property(join3(consonant, vowel, consonant), join3(consonant, vowel, consonant), (one, other) => {
        expect(pastTense(`${one}${other}`, none)).toBeUndefined();
      }),
    );
  });

  it("have a past tense that is no base form again", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{2,12}$/), (word) => {
        const past = pastTense(word, none);
        if (past !== undefined) expect([past.endsWith("ed"), pastTense(past, none)]).toEqual([true, undefined]);
      }),
    );
  });
});

describe("the table of verbs", () => {
  const text = readFileSync(join(root, "rules/verbs.yaml"), "utf8");
  const { ruleset } = loadRuleset(join(root, "rules"));
  const { verbs } = ruleset;

  it("knows a past tense that is no base form", () => {
    const table = new Map([["take", "took"]]);
    expect([isPastOnly("took", table), isPastOnly("take", table)]).toEqual([true, false]);
    expect(readVerbs({ past: { take: "took" } }).get("take")).toBe("took");
    expect(readVerbs(undefined).size).toBe(0);
  });

  it("holds only what does not follow by rule, and is sorted", () => {
    const pasts = new Set(verbs.values());
    const idle = [...verbs].filter(([base, past]) => pastTense(base, none) === past && !pasts.has(base));
    expect(idle).toEqual([]);
    const bases = [...text.matchAll(/^ {2}([a-z]+):/gm)].map(([, base]) => base as string);
    expect(bases).toEqual([...verbs.keys()]);
    expect(bases).toEqual([...bases].sort());
  });

  it("tells the base form of every verb of the shipped sentences from its past tense", () => {
    const { rules, actions } = ruleset;
    const templates = [...rules, ...actions.values()].map(({ does }) => does);
    const words = templates.flatMap((does) =>
      verbsOf(does).flatMap(({ base }) => (typeof base === "string" ? base : [])),
    );
    const enums = rules.flatMap((rule) =>
      verbsOf(rule.does).flatMap(({ base }) => {
        const capture = typeof base === "string" ? undefined : rule.captures.get(base.capture);
        return capture?.kind === "enum" ? [...capture.values.values()] : [];
      }),
    );
    const bases = new Set([...words, ...enums]);
    expect(bases.size).toBeGreaterThan(100);
    const byPast = new Map<string, string>();
    for (const base of bases) {
      const past = pastTense(base, verbs);
      expect([base, past]).toEqual([base, expect.any(String)]);
      expect([base, isPastOnly(base, verbs)]).toEqual([base, false]);
      expect([base, byPast.get(past as string) ?? base]).toEqual([base, base]);
      byPast.set(past as string, base);
    }
  });
});

describe("verbs of a sentence", () => {
  const told = (text: string) => verbsOf(parseTemplate(text)).map(({ base, first }) => [base, first]);

  it("are its first word and the marked ones", () => {
    expect(told("unwrap {gives} and <send> it")).toEqual([
      ["unwrap", true],
      ["send", false],
    ]);
    expect(told("(a Safe) add an owner")).toEqual([["add", true]]);
    expect(told("{gives} for {gets}")).toEqual([]);
  });

  it("may be a value, and stand in clauses", () => {
    const [first, second] = verbsOf(parseTemplate("<{what}> {amount}[ and <send> it to {to}]"));
    expect(first).toMatchObject({ base: { kind: "value", capture: "what" }, first: true });
    expect(second).toMatchObject({ base: "send", first: false });
  });
});
