import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LintResult, lint } from "../../../src/tools/lint/lint.ts";
import type { LintSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { noRecordings } from "./lint-text.ts";

const labels = ["labels/tokens.yaml", "labels/system.yaml"].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

/** The shipped tables and tokens, beside which a file stands that exists only here. */
export const tableSources: LintSources = { rules: shippedTables, labels, wanted: new Set() };

/** Lints one file as its author writes it. */
export function lintFile(file: string, text: string): LintResult {
  const rules = [...shippedTables, { file, text }];
  return lint({ ...tableSources, rules, wanted: new Set([file]) }, noRecordings);
}
