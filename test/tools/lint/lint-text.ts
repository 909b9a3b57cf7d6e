import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { RuleSource } from "../../../src/rules/ruleset/rule-cache.ts";
import { lint } from "../../../src/tools/lint/lint.ts";
import type { LintSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { shippedTables } from "../../support/shipped-tables.ts";

const tokens = { path: "labels/tokens.yaml", text: readFileSync(join(root, "labels/tokens.yaml"), "utf8") };
const system = { path: "labels/system.yaml", text: readFileSync(join(root, "labels/system.yaml"), "utf8") };

/** The folder of test recordings. A test of this folder reads none unless it says so. */
export const noRecordings = join(root, "test/tools/lint/RL901/recordings");

/** The beginning of a rule file with one contract. The lines of its ABI follow. */
export const marketHead = marketHeadWith("");

/** The same with more roles: whole lines. */
export function marketHeadWith(roles: string): string {
  return `protocol: market
name: Market
kind: protocol
site: https://example.org
source: ex/book@0123456:A.md
contracts:
  pool: { Market pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
${roles}abi_source: ex/contracts@0123456:Pool.sol
abi:
`;
}

/** Lints rule files, which exist only here, together with the shipped action table and tokens. Keys are file names without `.yaml`. */
export function lintTexts(files: Record<string, string>): Diagnostic[] {
  const rules = Object.entries(files).map(([stem, text]): RuleSource => ({ file: `rules/${stem}.yaml`, text }));
  const sources: LintSources = {
    rules: [...shippedTables, ...rules],
    labels: [tokens, system],
    wanted: new Set(rules.map(({ file }) => file)),
  };
  return lint(sources, noRecordings).diagnostics;
}

/** `code line:column-line:column`, the short form in which tests compare diagnostics. */
export function placeOf({ code, range: { start, end } }: Diagnostic): string {
  return `${code} ${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** The text that a diagnostic marks. */
export function markedText(text: string, { range: { start, end } }: Diagnostic): string {
  const line = text.split("\n")[start.line - 1] ?? "";
  return line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
}
