import { expect } from "vitest";
import type { CompiledRule } from "../../../src/rules/ruleset/compiled.ts";
import { compileRule } from "./rule-text.ts";

/** Contracts of the market file. */
export const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"];
export const factory = "0x420dd381b31aef6683db6b902084cb0ffece40da";

/** The rule of a market file, which tells a stake. */
export function compile(rule: string, kind?: "protocol" | "standard") {
  return compileRule(`action: stake, ${rule}`, kind);
}

export function one(rule: string, kind: "protocol" | "standard" = "protocol"): CompiledRule {
  const { rules, found } = compile(rule, kind);
  expect(found).toEqual([]);
  expect(rules).toHaveLength(1);
  return rules[0] as CompiledRule;
}

export const anchored = "anchor: { event: Moved }, at: pool";
