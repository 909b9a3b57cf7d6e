import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { decide } from "../../src/engine/spine.ts";
import type { Labels } from "../../src/model/label.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { compileSources, listYaml } from "../../src/rules/ruleset/load.ts";
import type { Ruleset } from "../../src/rules/ruleset/ruleset.ts";
import { root } from "../support/shared.ts";
import { bytesOf, labels, recordings, ruleset } from "./world.ts";

interface Source {
  file: string;
  text: string;
}

const sources: Source[] = listYaml(join(root, "rules")).map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** The answers to all recordings by hash, and the hashes of the rules and labels that they rest on. */
function answersOf(rules: Ruleset, names: Labels): Record<string, string> {
  const answers = recordings.map((file) => {
    const { explanation, evidence } = decide(file, rules, names);
    // A short form, so that a failure can be read: the sentence, and a digest of every byte.
    const digest = createHash("sha256")
      .update(JSON.stringify([explanation, evidence()]))
      .digest("hex")
      .slice(0, 16);
    return [file.tx_hash, `${digest} ${explanation.summary}`];
  });
  return { rules: rules.fingerprint, labels: names.fingerprint, ...Object.fromEntries(answers) };
}

/** A number source that gives the same sequence for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The same value with the keys of every object in another order. Lists keep their order, because it has a meaning. */
function shuffleKeys(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, random));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    shuffled(Object.entries(value), random).map(([key, item]) => [key, shuffleKeys(item, random)]),
  );
}

let expected: Record<string, string>;
beforeAll(() => {
  expected = answersOf(ruleset, labels);
});

describe("no byte of any answer depends on", () => {
  it("the order of rule files", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const { ruleset: other } = compileSources(shuffled(sources, random));
        expect(answersOf(other, labels)).toEqual(expected);
      }),
      { numRuns: 2 },
    );
  });

  it("the folders and names under which rule files are read, beyond the name that is the protocol's", () => {
    const moved = sources.map(({ file, text }) => ({ file: `zz/${file.split("/").reverse()[0]}`, text }));
    expect(answersOf(compileSources(moved).ruleset, labels)).toEqual(expected);
  });

  it("the order of keys in rule files", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const rewritten = sources.map(({ file, text }) => ({
          file,
          text: stringify(shuffleKeys(parse(text), random)),
        }));
        expect(answersOf(compileSources(rewritten).ruleset, labels)).toEqual(expected);
      }),
      { numRuns: 1 },
    );
  });

  it("the order of names that rules contribute to the labels", () => {
    const names = loadLabels(join(root, "labels"), shuffled(ruleset.names, randomFrom(7))).labels;
    expect(answersOf(ruleset, names)).toEqual(expected);
  });

  it("the order of keys in the case file", () => {
    const random = randomFrom(11);
    for (const file of recordings) {
      const rewritten = shuffleKeys(file, random) as typeof file;
      expect(Object.keys(rewritten.tokens).sort()).toEqual(Object.keys(file.tokens).sort());
      expect(bytesOf(rewritten)).toBe(bytesOf(file));
    }
  });

  it("the time and place of gathering", () => {
    for (const file of recordings) {
      expect(bytesOf({ ...file, gathered_at: "1999-01-01T00:00:00Z" })).toBe(bytesOf(file));
    }
  });
});
