import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatGolden,
  type GoldenAnswer,
  goldenAnswer,
  parseGolden,
} from "../../../src/tools/lint/golden/golden-answer.ts";
import { compareGolden, formatChanges } from "../../../src/tools/lint/golden/golden-change.ts";
import { readGolden, writeGolden } from "../../../src/tools/lint/golden/golden-store.ts";
import { SourceError } from "../../../src/tools/lint/sources.ts";

const answer = (name: string, more: Partial<GoldenAnswer> = {}): GoldenAnswer => ({
  ...{ name, action: "swap", summary: `${name} swapped.`, answer: "a1", evidence: "e1" },
  ...more,
});

describe("changes of the golden record", () => {
  const before = new Map([
    ["b.txt", [answer("same"), answer("gone"), answer("proof"), answer("words"), answer("type"), answer("fields")]],
    ["z.txt", [answer("last")]],
  ]);
  const after = new Map([
    ["a.txt", [answer("new")]],
    [
      "b.txt",
      [
        answer("fields", { answer: "a2", evidence: "e2" }),
        answer("type", { answer: "a2", action: "claim" }),
        answer("words", { answer: "a2", action: "claim", summary: "words claimed." }),
        answer("proof", { evidence: "e2" }),
        answer("same"),
      ],
    ],
    ["z.txt", [answer("last")]],
  ]);

  it("are read by file, each with what differs, then counted", () => {
    expect(formatChanges(compareGolden(before, after))).toBe(`a.txt
  new
    + new swapped.
b.txt
  fields
      fields swapped.
      the sentence is the same, other fields of the answer are not
  type
      type swapped.
      the type was swap, is claim
  words
    - words swapped.
    + words claimed.
  proof
      proof swapped.
      the answer is the same, its evidence is not
  gone
    - gone swapped.
Answers: 3 changed, 1 changed in their evidence only, 1 new, 1 gone.
`);
  });

  it("are none between equal states", () => {
    expect(compareGolden(before, before)).toEqual([]);
    expect(formatChanges([])).toBe("Answers: 0 changed, 0 changed in their evidence only, 0 new, 0 gone.\n");
  });

  it("hold what was there before and what is there now", () => {
    const [one, other] = [answer("x"), answer("x", { evidence: "e2" })];
    expect(compareGolden(new Map([["f", [one]]]), new Map([["f", [other]]]))).toEqual([
      { file: "f", name: "x", before: one, after: other },
    ]);
    const [none, some] = [new Map(), new Map([["f", [one]]])];
    expect(compareGolden(some, none)).toStrictEqual([{ file: "f", name: "x", before: one }]);
    expect(compareGolden(none, some)).toStrictEqual([{ file: "f", name: "x", after: one }]);
  });
});

describe("golden files", () => {
  const field = fc.string().map((text) => text.replace(/[\t\r\n]/g, ""));
  const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  const answer = fc.record({ name: field.filter(Boolean), action: word, answer: word, evidence: word, summary: field });

  it("read what was written", () => {
    fc.assert(
      fc.property(fc.array(answer), (answers) => {
        expect(parseGolden(formatGolden(answers))).toEqual(answers);
      }),
    );
  });

  it.each(["a", "a\tb\tc\td", "a\t\tc\td\te", "a\tb\t\td\te", "a\tb\tc\t\te", "a\tb\tc\td\te\tf"])(
    "%j is no answer",
    (line) => {
      expect(() => parseGolden(`n\tb\tc\td\ts\n\n${line}\n`)).toThrow(new Error("line 2 does not have five fields"));
    },
  );

  it("may have answers without a sentence or a name", () => {
    expect(parseGolden("\tb\tc\td\t")).toEqual([{ name: "", action: "b", answer: "c", evidence: "d", summary: "" }]);
    expect(formatGolden([])).toBe("\n");
  });

  it("keep what an answer and its evidence say, on one line, without the rules' own versions", () => {
    const decision = (more: { summary?: string; version?: string; ruleset?: string; rule?: string }) => {
      const { summary = "a\r\nb\tc", version = "1", ruleset = "r", rule = "x/y" } = more;
      const evidence = { ruleset, actions: [{ rule, version }], superseded: [] };
      const explanation = { action_type: "swap", summary };
      return goldenAnswer("one\ntwo", { explanation, evidence: () => evidence } as never);
    };
    const plain = decision({});
    expect(plain).toEqual({
      ...{ name: "one two", action: "swap", summary: "a b c" },
      answer: expect.stringMatching(/^[0-9a-f]{12}$/),
      evidence: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(decision({ version: "2", ruleset: "s" })).toEqual(plain);
    expect(decision({ rule: "x/z" })).toEqual({ ...plain, evidence: expect.not.stringContaining(plain.evidence) });
    expect(decision({ summary: "d" })).toEqual({
      ...plain,
      summary: "d",
      answer: expect.not.stringContaining(plain.answer),
    });
  });
});

describe("golden files in a folder", () => {
  it("come back as they were written; what is no golden file stays, and the files of rules that are gone go", () => {
    const dir = mkdtempSync(join(tmpdir(), "golden-"));
    mkdirSync(join(dir, "rules/a"), { recursive: true });
    writeFileSync(join(dir, "rules/a/README.md"), "no golden file");
    const golden = new Map([
      ["recordings.txt", [answer("one")]],
      ["rules/a/gone.txt", [answer("two")]],
      ["rules/a/kept.txt", [answer("three"), answer("four")]],
    ]);
    writeGolden(dir, golden);
    expect(readGolden(dir)).toEqual(golden);
    const later = new Map([["rules/a/kept.txt", [answer("five")]]]);
    writeGolden(dir, later);
    // A file that belongs to no rule stays: it may belong to another part of the record.
    expect(readGolden(dir)).toEqual(new Map([["recordings.txt", [answer("one")]], ...later]));
    expect(existsSync(join(dir, "rules/a/README.md"))).toBe(true);
  });

  it("are not written for a rule file above the folder of the run, and then nothing is", () => {
    const dir = join(mkdtempSync(join(tmpdir(), "golden-")), "golden");
    const golden = new Map([
      ["rules/a/kept.txt", [answer("one")]],
      ["../elsewhere/rules/a.txt", [answer("two")]],
    ]);
    expect(() => writeGolden(dir, golden)).toThrow(
      new SourceError("../elsewhere/rules/a.yaml is not below this folder; go to a folder above the rules"),
    );
    expect(existsSync(dir)).toBe(false);
  });
});
