import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExact } from "../../src/engine/unwrap/exact-encoding.ts";
import { compileReader, decode } from "../../src/rules/abi/decoder.ts";
import { encodeTuple } from "../../src/rules/abi/encoder.ts";
import type { FunctionItem } from "../../src/rules/abi/signature.ts";
import { parseSignature } from "../../src/rules/abi/signature-parser.ts";
import { typed } from "../rules/ruleset/abi-value.ts";

/** Changes of one word: a digit, another word in its place, a word more, a word less. */
const change = fc.record({
  kind: fc.constantFrom("digit", "copy", "insert", "remove", "raise"),
  at: fc.nat(),
  from: fc.nat(),
  digit: fc.constantFrom(..."0123456789abcdef"),
});

describe("an exact encoding", () => {
  it("is what the values that were read are written as, and nothing else", () => {
    const seen = { exact: 0, other: 0 };
    const lists = fc.array(typed, { minLength: 1, maxLength: 4 });
    const property = fc.property(lists, fc.array(change, { maxLength: 2 }), (list, changes) => {
      const { inputs } = parseSignature(
        `function act(${list.map(({ type }, i) => `${type} p${i}`).join(", ")})`,
      ) as FunctionItem;
      const given = list.map(({ value }) => value);
      const digits = changes.reduce(changed, encodeTuple(inputs.items, given));
      const values = decode(compileReader(inputs), digits, 0);
      if (values === undefined) return;
      const exact = encodeTuple(inputs.items, values) === digits;
      seen[exact ? "exact" : "other"]++;
      expect(isExact(digits, inputs.items, values)).toBe(exact);
    });
    fc.assert(property, { numRuns: 3_000 });
    expect(Math.min(seen.exact, seen.other)).toBeGreaterThan(100);
  });
});

function changed(digits: string, { kind, at, from, digit }: { kind: string; at: number; from: number; digit: string }) {
  const words = digits.match(/.{64}/g) ?? [];
  if (words.length === 0) return digits;
  const [place, other] = [at % words.length, words[from % words.length] as string];
  const word = words[place] as string;
  if (kind === "digit") words[place] = word.slice(0, from % 64) + digit + word.slice((from % 64) + 1);
  if (kind === "copy") words[place] = other;
  if (kind === "insert") words.splice(place, 0, other);
  if (kind === "remove") words.splice(place, 1);
  // Where a word is an offset, it points one word further.
  if (kind === "raise") words[place] = (BigInt(`0x${word.slice(48)}`) + 32n).toString(16).padStart(64, "0").slice(-64);
  return words.join("");
}
