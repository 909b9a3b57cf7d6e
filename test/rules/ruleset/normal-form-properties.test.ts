import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { canonicalJson } from "../../../src/kernel/canonical.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { normalForms } from "../../../src/rules/ruleset/document/normal-form/normal-form.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";
import { ruleCodes } from "../../../src/tools/lint/codes/codes.ts";
import { abi, contracts, marketFiles } from "./rule-arbitrary.ts";
import { compileTexts } from "./rule-text.ts";

const textOf = (file: unknown) => stringify(file, { aliasDuplicateObjects: false });
const runs = { numRuns: 40 };

/** The normal form of a file, and which mistakes it has. Of one value only the first is told. */
function normalOf(file: unknown): { value: string; codes: string[] } {
  const diagnostics: Diagnostic[] = [];
  const [source] = normalForms([readDocument("rules/market.yaml", textOf(file), ruleDocumentCodes)], diagnostics);
  return { value: canonicalJson(source?.value), codes: [...new Set(diagnostics.map(({ code }) => code))].sort() };
}

/** With all keys of its mappings the other way round. The order of legs, values and roles is their author's as well. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, turned(one)]),
  );
}

describe("the normal form of any rule", () => {
  it("is there, or a mistake is told with a code of the list at a place in the author's text", () => {
    const known = new Set(Object.keys(ruleCodes()));
    fc.assert(
      fc.property(marketFiles, (file) => {
        const text = textOf(file);
        const lines = text.split("\n");
        const { diagnostics, files } = compileTexts({ market: text });
        for (const { code, range, message } of diagnostics) {
          const { start, end } = range;
          expect([known.has(code), lines[start.line - 1] !== undefined, start.column > 0], message).toEqual([
            true,
            true,
            true,
          ]);
          expect(end.column - 1, message).toBeLessThanOrEqual(lines[end.line - 1]?.length ?? -1);
          expect(message).not.toMatch(/undefined|\[object|function /);
        }
        if (diagnostics.length === 0) expect(files.flatMap(({ rules }) => rules).length).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });

  it("is the same a second time, and the file is as it was", () => {
    fc.assert(
      fc.property(marketFiles, (file) => {
        const diagnostics: Diagnostic[] = [];
        const source = readDocument("rules/market.yaml", textOf(file), ruleDocumentCodes);
        const before = JSON.stringify(source.value);
        const [one, other] = [normalForms([source], diagnostics), normalForms([source], diagnostics)];
        expect(JSON.stringify(one[0]?.value)).toBe(JSON.stringify(other[0]?.value));
        expect(JSON.stringify(source.value)).toBe(before);
      }),
      runs,
    );
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(marketFiles, (file) => {
        expect(normalOf(turned(file))).toEqual(normalOf(file));
      }),
      runs,
    );
  });

  it("leaves no part of a condition out: a second operator in one mapping is refused", () => {
    const rule = { id: "a", action: "stake", anchor: { event: "Moved" }, at: "pool", say: "move it" };
    const two = { ">": [{ var: "amount" }, "1"], "<": [{ var: "amount" }, "9"] };
    const told = (when: unknown) =>
      compileTexts({
        market: textOf({
          protocol: "market",
          kind: "protocol",
          source: "a book",
          contracts,
          abi,
          rules: [{ ...rule, when }],
        }),
      }).diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect([told(two), told({ and: [two] })]).toEqual(Array(2).fill(["RL402 a condition has exactly one operator"]));
  });
});
