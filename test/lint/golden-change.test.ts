import { describe, expect, it } from "vitest";
import type { GoldenAnswer } from "../../src/lint/golden/golden-answer.ts";
import { compareGolden, formatChanges } from "../../src/lint/golden/golden-change.ts";

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
    expect(compareGolden(new Map([["f", [one]]]), new Map())).toEqual([{ file: "f", name: "x", before: one }]);
  });
});
