import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { helpOf, sentenceOf } from "../../../src/tools/lint/report/lint-report.ts";
import { root } from "../../support/shared.ts";
import { lintTexts, markedText } from "./lint-text.ts";

/** The text that the newcomer wrote instead of a correct one, and the first finding about it. */
interface Mistake {
  title: string;
  instead: string;
  wrote: string;
  /** `line:column`, and the text that is marked. */
  at: string;
  marks: string;
  /** The sentence, and words that show the way out: in the sentence, its suggestion, or the help. */
  says: string;
  out: string;
}

const { sound, mistakes } = parse(readFileSync(join(root, "test/tools/lint/newcomer.yaml"), "utf8")) as {
  sound: string;
  mistakes: Mistake[];
};

/** Words of the YAML package and of the schema validator, and codes of both. A newcomer must not meet them. */
const jargon =
  /scalar|[Ii]mplicit|compact mapping|flow (?:map|sequence|collection)|block (?:map|sequence|collection)|indicator|node end|[A-Z]{3,}_[A-Z]{3,}|additionalProp|must (?:be|have|match|NOT)|instance|keyword|\^\[|\\[wd]|undefined|NaN/;

describe("a rule file of somebody who writes the first one", () => {
  it("has no finding when it is right", () => {
    expect(lintTexts({ "example-lend": sound })).toEqual([]);
  });

  it.each(mistakes)("$title: the place, plain words and a way out", ({ instead, wrote, at, marks, says, out }) => {
    expect(sound.split(instead).length).toBeGreaterThan(1);
    const text = sound.replace(instead, () => wrote);
    const [first, ...others] = lintTexts({ "example-lend": text });
    if (first === undefined) expect.unreachable("nothing is found");
    const { line, column } = first.range.start;
    const told = { at: `${line}:${column}`, marks: markedText(text, first), says: sentenceOf(first) };
    expect(told).toEqual({ at, marks, says });
    expect(`${sentenceOf(first)} ${helpOf(first)}`).toContain(out);
    for (const one of [first, ...others]) expect(`${sentenceOf(one)} ${helpOf(one)}`).not.toMatch(jargon);
    // What is not YAML is told once.
    if (first.code === "RL101") expect(others).toEqual([]);
  });

  it("is shown more than forty such mistakes", () => {
    expect(new Set(mistakes.map(({ title }) => title)).size).toBeGreaterThan(40);
  });
});
